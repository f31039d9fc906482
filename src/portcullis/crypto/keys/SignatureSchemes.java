package portcullis.crypto.keys;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The signature schemes of TLS (RFC 8446, section 4.2.3) by which keys of one kind sign, as the JDK names them. */
final class SignatureSchemes {
  /** By the algorithm of the public key; RSA keys sign with PKCS #1 in TLS 1.2 only. */
  private static final Map<String, List<String>> OF_KEYS = Map.of("EC",
      List.of("ecdsa_secp256r1_sha256", "ecdsa_secp384r1_sha384", "ecdsa_secp521r1_sha512"), "RSA",
      List.of("rsa_pss_rsae_sha256", "rsa_pss_rsae_sha384", "rsa_pss_rsae_sha512", "rsa_pkcs1_sha256",
          "rsa_pkcs1_sha384", "rsa_pkcs1_sha512"),
      "RSASSA-PSS", List.of("rsa_pss_pss_sha256", "rsa_pss_pss_sha384", "rsa_pss_pss_sha512"));

  private SignatureSchemes() {}

  /** Returns those of the keys; none, which leaves the choice to the JDK, if a key is of another kind. */
  static List<String> of(List<KeyEntry> keys) {
    List<String> kinds = keys.stream().map(key -> key.publicKey().getAlgorithm()).distinct().toList();
    Stream<String> schemes = kinds.stream().flatMap(kind -> OF_KEYS.get(kind).stream());
    return OF_KEYS.keySet().containsAll(kinds) ? schemes.toList() : List.of();
  }
}
