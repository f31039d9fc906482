package portcullis.crypto.jwt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.JwkSet;
import portcullis.fixture.Needs;
import portcullis.lang.value.Value;

/**
 * The examples of RFC 7520, RFC 7797 and RFC 8037: their signatures verify, their encrypted and detached tokens are
 * refused.
 */
class JoseCookbookTest {
  private static Path folder() {
    return Needs.corpus("jose-cookbook");
  }

  private static Value.Dict example(String name) throws IOException {
    return TestTokens.dict(Files.readString(folder().resolve(name)));
  }

  private static Value.Dict dict(Value.Dict from, String name) {
    return (Value.Dict) from.get(name).orElseThrow();
  }

  private static String text(Value.Dict from, String name) {
    return ((Value.Str) from.get(name).orElseThrow()).value();
  }

  @ParameterizedTest
  @CsvSource({
    "jws/4_1.rsa_v15_signature.json, RS256",
    "jws/4_2.rsa-pss_signature.json, PS384",
    "jws/4_3.ecdsa_signature.json, ES512",
    "jws/4_4.hmac-sha2_integrity_protection.json, HS256",
    "jws/4_5.signature_with_detached_content.json, HS256",
    "curve25519/jws.json, EdDSA"})
  void signaturesVerify(String name, String algorithm) throws Exception {
    Value.Dict example = example(name);
    Key key = JwkSet.read(Value.dict("keys", Value.of(dict(dict(example, "input"), "key")))).keys().getFirst().key();
    Value.Dict signing = dict(example, "signing");
    byte[] content = text(signing, "sig-input").getBytes(StandardCharsets.US_ASCII);
    byte[] signature = Base64Url.bytes(text(signing, "sig")).orElseThrow();
    Algorithm kind = Algorithm.named(algorithm).orElseThrow();
    assertTrue(kind.verify(key, content, signature));
    signature[7] ^= 1;
    assertFalse(kind.verify(key, content, signature));
  }

  @Test
  void publishedKeysAreRead() throws Exception {
    for (String name : List.of("3_1.ec_public_key", "3_3.rsa_public_key", "3_5.symmetric_key_mac_computation")) {
      Value.Dict jwk = example("jwk/" + name + ".json");
      JwkSet set = JwkSet.read(Value.dict("keys", Value.of(jwk)));
      assertEquals(Optional.of(text(jwk, "kid")), set.keys().getFirst().keyId());
    }
  }

  /** Their payloads are prose, so even the well-signed ones are no tokens with claims. */
  @Test
  void examplesAreNotTokensWithClaims() throws Exception {
    List<String> compact = new ArrayList<>();
    try (Stream<Path> files = Files.walk(folder())) {
      for (Path file : files.filter(path -> path.toString().endsWith(".json")).toList()) {
        TestTokens.dict(Files.readString(file)).get("output").flatMap(output -> ((Value.Dict) output).get("compact"))
            .ifPresent(token -> compact.add(((Value.Str) token).value()));
      }
    }
    for (String token : compact) {
      assertThrows(TokenException.class, () -> CompactToken.parse(token), token);
    }
    assertTrue(compact.size() >= 15, compact.size() + " examples");
  }
}
