package portcullis.crypto.keys;

import java.util.List;
import java.util.stream.Stream;

/**
 * The cipher suites of TLS 1.2 that can be configured (RFC 5289, RFC 7905), named as configuration and JDK name them.
 */
public enum CipherSuite {
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256,
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256;

  /** The default suites: all but the two in CBC mode. */
  public static final List<CipherSuite> DEFAULTS = List.of(values()).subList(0, 6);

  /** The suites of TLS 1.3, which cannot be configured (RFC 8446, B.4). */
  private static final List<String> OF_TLS_1_3 = List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384",
      "TLS_CHACHA20_POLY1305_SHA256");

  /** Returns all that may be spoken from that version on, the preferred ones first, as the JDK names them. */
  static String[] names(TlsVersion lowest, List<CipherSuite> older) {
    Stream<String> names = lowest == TlsVersion.TLS1_2 ? older.stream().map(CipherSuite::name) : Stream.empty();
    return Stream.concat(OF_TLS_1_3.stream(), names).toArray(String[]::new);
  }
}
