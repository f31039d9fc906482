package portcullis.keys;

import java.util.List;

/** The cipher suites of TLS 1.2 that can be configured (RFC 5289, RFC 7905), named as configuration and JDK name them. */
public enum CipherSuite {
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256,
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256;

  /** All but the two in CBC mode. */
  public static final List<CipherSuite> DEFAULTS = List.of(values()).subList(0, 6);

  /** Those of TLS 1.3, which nobody configures (RFC 8446, B.4). */
  static final List<String> OF_TLS_1_3 =
      List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256");
}
