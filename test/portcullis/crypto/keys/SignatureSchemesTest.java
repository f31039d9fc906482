package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.security.PublicKey;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import portcullis.fixture.TestKeys;

class SignatureSchemesTest {
  private static final List<String> EC = List.of("ecdsa_secp256r1_sha256", "ecdsa_secp384r1_sha384",
      "ecdsa_secp521r1_sha512");
  private static final List<String> RSA = List.of("rsa_pss_rsae_sha256", "rsa_pss_rsae_sha384", "rsa_pss_rsae_sha512",
      "rsa_pkcs1_sha256", "rsa_pkcs1_sha384", "rsa_pkcs1_sha512");

  /** A key of that kind, of which nothing else is asked. */
  private static KeyEntry ofKind(String kind) {
    PublicKey key = new PublicKey() {
      private static final long serialVersionUID = 1;

      @Override
      public String getAlgorithm() {
        return kind;
      }

      @Override
      public String getFormat() {
        return "X.509";
      }

      @Override
      public byte[] getEncoded() {
        return new byte[0];
      }
    };
    return new KeyEntry("k", TestKeys.ec(256).getPrivate(), key, List.of(), Algorithm.ES256);
  }

  private static List<String> schemes(String... kinds) {
    return SignatureSchemes.of(Stream.of(kinds).map(SignatureSchemesTest::ofKind).toList());
  }

  /** RFC 8446, 4.2.3, in the JDK's spelling. */
  @Test
  void eachKindOfKeyHasItsOwn() {
    assertEquals(EC, schemes("EC"));
    assertEquals(RSA, schemes("RSA"));
    assertEquals(List.of("rsa_pss_pss_sha256", "rsa_pss_pss_sha384", "rsa_pss_pss_sha512"), schemes("RSASSA-PSS"));
  }

  @Test
  void severalKeysHaveThoseOfEachKindOnce() {
    assertEquals(Stream.concat(RSA.stream(), EC.stream()).toList(), schemes("RSA", "EC", "RSA", "EC"));
  }
}
