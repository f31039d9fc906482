package portcullis.crypto.jwt;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Base64;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.crypto.keys.Algorithm;
import portcullis.lang.value.Value;

class DpopProofTest {
  /** RFC 9449, figure 2. */
  private static final String PUBLISHED = "eyJ0eXAiOiJkcG9wK2p3dCIsImFsZyI6IkVTMjU2IiwiandrIjp7Imt0eSI6IkVDIiwieC"
      + "I6Imw4dEZyaHgtMzR0VjNoUklDUkRZOXpDa0RscEJoRjQyVVFVZldWQVdCRnMiLCJ5IjoiOVZFNGpmX09rX282NHpiVFRsY3VOSm"
      + "FqSG10NnY5VERWclUwQ2R2R1JEQSIsImNydiI6IlAtMjU2In19.eyJqdGkiOiItQndDM0VTYzZhY2MybFRjIiwiaHRtIjoiUE9TV"
      + "CIsImh0dSI6Imh0dHBzOi8vc2VydmVyLmV4YW1wbGUuY29tL3Rva2VuIiwiaWF0IjoxNTYyMjYyNjE2fQ.2-GxA6T8lP4vfrg8v-"
      + "FdWP0A0zdrj8igiMLvqRMUvwnQg4PtFLbdLXiOSsX0x7NVY-FNyJK70nfbV37xRZT3Lg";

  @Test
  void readsThePublishedExample() throws TokenException {
    DpopProof proof = DpopProof.read(PUBLISHED, EnumSet.of(Algorithm.ES256));
    assertEquals("0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I", proof.thumbprint());
    assertEquals(Optional.of(Value.of("POST")), proof.claims().get("htm"));
    assertThrows(TokenException.class, () -> DpopProof.read(PUBLISHED, Set.of(Algorithm.RS256)));
    assertThrows(TokenException.class,
        () -> DpopProof.read(PUBLISHED.replace("eyJqdGki", "eyJqdGkj"), Set.of(Algorithm.ES256)));
  }

  private static String encoded(String text) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"d", "p", "q", "dp", "dq", "qi", "oth", "k"})
  void keysWithASecretPartAreRefused(String name) {
    String token = encoded("{\"typ\":\"dpop+jwt\",\"alg\":\"ES256\",\"jwk\":{\"kty\":\"EC\",\"" + name + "\":\"AA\"}}")
        + "."
        + encoded("{}") + ".AAAA";
    assertEquals("the key in the proof is not a public one", assertThrows(TokenException.class,
        () -> DpopProof.read(token, EnumSet.allOf(Algorithm.class))).getMessage());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "jwt|ES256|{\"kty\":\"EC\"}|the type of the proof is not dpop+jwt",
    "dpop+jwt|HS256|{\"kty\":\"EC\"}|HS256 algorithm is not allowed",
    "dpop+jwt|ES256|7|the header of the proof has no key",
    "dpop+jwt|ES256|{\"kty\":\"EC\",\"d\":\"AA\"}|the key in the proof is not a public one",
    "dpop+jwt|RS256|{\"kty\":\"RSA\",\"n\":\"A\",\"e\":\"AQAB\",\"p\":\"A\"}|the key in the proof is not a public one",
    "dpop+jwt|HS384|{\"kty\":\"oct\",\"k\":\"AA\"}|HS384 algorithm is not allowed",
    "dpop+jwt|ES256|{\"kty\":\"oct\",\"k\":\"AA\"}|the key in the proof is not a public one",
    "dpop+jwt|ES256|{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"A+\",\"y\":\"AA\"}|the key in the proof is malformed",
    "dpop+jwt|ES256|{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\"}|the key in the proof is malformed",
    "dpop+jwt|ES256|{\"kty\":\"EC\",\"crv\":\"P\\\"256\",\"x\":\"AA\",\"y\":\"AA\"}|the key in the proof is malformed",
    "dpop+jwt|RS256|{\"kty\":\"RSA\",\"n\":\"AA\"}|the key in the proof is malformed",
    "dpop+jwt|RS256|{\"kty\":\"RSA\",\"e\":\"AQAB\"}|the key in the proof is malformed",
    "dpop+jwt|EdDSA|{\"kty\":\"OKP\",\"crv\":\"Ed25519\"}|the key in the proof is malformed",
    "dpop+jwt|ES256|{\"kty\":\"XY\"}|the type of the key in the proof is not one of EC, RSA, OKP",
    "dpop+jwt|ES256|{\"crv\":\"P-256\"}|the type of the key in the proof is not one of EC, RSA, OKP",
    "dpop+jwt|ES256|{\"kty\":\"EC\",\"crv\":\"P-256\",\"x\":\"AA\",\"y\":\"AA\"}|"
        + "the key in the proof is not accepted: *",
  })
  void refusalsSayWhatIsWrong(String type, String algorithm, String key, String message) {
    String token = encoded("{\"typ\":\"" + type + "\",\"alg\":\"" + algorithm + "\",\"jwk\":" + key + "}") + "."
        + encoded("{}") + "." + encoded("s".repeat(64));
    String refusal = assertThrows(TokenException.class, () -> DpopProof.read(token, EnumSet.allOf(Algorithm.class)))
        .getMessage();
    boolean isOpen = message.endsWith("*");
    assertEquals(isOpen ? message.substring(0, message.length() - 1) : message,
        isOpen ? refusal.substring(0, message.length() - 1) : refusal);
  }
}
