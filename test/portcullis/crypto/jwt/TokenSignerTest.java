package portcullis.crypto.jwt;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.crypto.jwt.TestTokens.decoded;
import static portcullis.crypto.jwt.TestTokens.dict;

import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.JwkSet;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.KeyRing;
import portcullis.crypto.keys.PublishedKeys;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestKeys;
import portcullis.lang.value.Value;

class TokenSignerTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000, 999_000_000);
  private static final Duration TTL = Duration.ofMinutes(5);

  private static KeyEntry entry(KeyPair keys) throws KeyMaterialException {
    return KeyRing.parse(TestKeys.pem(keys), "", NOW).first();
  }

  private static Value.Dict claims(String token, KeyEntry key, Algorithm algorithm) throws Exception {
    JwkSet published = JwkSet.read(PublishedKeys.of(List.of(key)).document());
    return Verification.verify(CompactToken.parse(token), published, Set.of(algorithm)).claims();
  }

  @Test
  void signsWithEveryKindOfKey() throws Exception {
    for (KeyPair keys : List.of(TestKeys.rsa(), TestKeys.ec(256), TestKeys.ec(384), TestKeys.ec(521),
        TestKeys.ed25519())) {
      KeyEntry key = entry(keys);
      TokenSigner signer = TokenSigner.of(key, "gate");
      String token = signer.sign(Value.Dict.EMPTY, "alice", NOW, TTL);
      assertEquals("{\"alg\":\"" + key.algorithm().text() + "\",\"kid\":\"" + key.id() + "\",\"typ\":\"JWT\"}",
          decoded(token.substring(0, token.indexOf('.'))));
      Value.Dict claims = claims(token, key, key.algorithm());
      assertTrue(((Value.Str) claims.get("jti").orElseThrow()).value().matches("[0-9a-f-]{14}4[0-9a-f-]{21}"));
      assertEquals(dict("""
          {"exp":1700000300,"iat":1700000000,"nbf":1700000000,"iss":"gate","sub":"alice","jti":"x"}"""),
          TestTokens.with(claims, "jti", Value.of("x")));
    }
  }

  @Test
  void overwritesTheSignersClaimsAndKeepsTheRest() throws Exception {
    KeyEntry key = entry(TestTokens.EC);
    String custom = """
        {"exp":1,"iat":1,"nbf":1,"iss":"evil","sub":"root","jti":"mine","aud":["a","b"],"Sub":"upper","sub ":"blank",
         "act":{"sub":"proxy","iss":"x"},"big":9007199254740993,"float":1.5,"none":null,"empty":{},"list":[],
         "text":"<é&\\u2028>"}""";
    Value.Dict claims = claims(TokenSigner.of(key, "gate").sign(dict(custom), "alice", NOW, TTL), key, key.algorithm());
    Value.Dict expected = dict(custom);
    for (String name : List.of("exp", "iat", "nbf")) {
      expected = TestTokens.with(expected, name, Value.of(name.equals("exp") ? 1_700_000_300L : 1_700_000_000L));
    }
    expected = TestTokens.with(TestTokens.with(expected, "iss", Value.of("gate")), "sub", Value.of("alice"));
    assertEquals(TestTokens.with(expected, "jti", Value.of("x")), TestTokens.with(claims, "jti", Value.of("x")));
  }

  @Test
  void everyTokenHasAnIdOfItsOwn() throws Exception {
    TokenSigner signer = TokenSigner.of(entry(TestTokens.EC), "gate");
    Set<Value> ids = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      ids.add(
          CompactToken.parse(signer.sign(Value.Dict.EMPTY, "a", NOW, TTL)).unverifiedClaims().get("jti").orElseThrow());
    }
    assertEquals(50, ids.size());
  }

  @Test
  void signsWithRequestedAlgorithmOfTheKey() throws Exception {
    KeyEntry key = entry(TestKeys.rsa());
    assertEquals(Algorithm.PS256,
        CompactToken.parse(TokenSigner.of(key, "gate").sign(Value.Dict.EMPTY, "a", NOW, TTL)).algorithm());
    String token = TokenSigner.of(key, Algorithm.RS256, "gate").sign(Value.Dict.EMPTY, "a", NOW, TTL);
    assertEquals(Algorithm.RS256, CompactToken.parse(token).algorithm());
    assertEquals("key `" + key.id() + "` cannot sign ES256, it is for PS256",
        assertThrows(KeyMaterialException.class, () -> TokenSigner.of(key, Algorithm.ES256, "gate")).getMessage());
    assertThrows(KeyMaterialException.class, () -> TokenSigner.of(key, Algorithm.HS256, "gate"));
  }

  @Test
  void aCertificateNotForSignaturesIsRefused() throws Exception {
    String pem = CertificateDraft.of("gate").notForSigning().make().keyStore();
    KeyEntry key = KeyRing.parse(pem, "", Instant.now()).first();
    assertEquals("key `" + key.id() + "`: its certificate is not for digital signatures (key usage)",
        assertThrows(KeyMaterialException.class, () -> TokenSigner.of(key, "gate")).getMessage());
  }
}
