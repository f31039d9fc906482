package portcullis.observe.decisions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SecretNamesTest {
  private static final List<String> PARTS = List.of("auth", "cookie", "token", "key", "secret", "session", "password",
      "credential", "assertion", "code", "sig", "csrf", "bearer", "dpop", "jwt", "oidc-data", "otp", "passwd",
      "passphrase",
      "ticket", "pwd", "saml", "principal", "sec-websocket-protocol");
  private static final List<String> WORDS = List.of("pass", "pin", "sid");

  @Test
  void recognizesPartsAnywhereInTheName() {
    for (String part : PARTS) {
      for (String name : List.of(part, "X-" + part, part + "_1", "a" + part.toUpperCase(Locale.ROOT) + "s")) {
        assertTrue(SecretNames.has(name), name);
      }
      assertFalse(SecretNames.has(part.substring(1)), part);
      assertFalse(SecretNames.has(part.substring(0, part.length() - 1)), part);
    }
  }

  @Test
  void recognizesShortWordsWhereTheyStandAlone() {
    for (String word : WORDS) {
      for (String name : List.of(word, "X-" + word, word.toUpperCase(Locale.ROOT) + "_1", "a-" + word + "-b")) {
        assertTrue(SecretNames.has(name), name);
      }
      assertFalse(SecretNames.has("x" + word) || SecretNames.has(word + "s"), word);
    }
    assertTrue(SecretNames.has("X-Ms-Client-Principal") && SecretNames.has("Sec-WebSocket-Protocol"));
    assertFalse(SecretNames.has("Sec-WebSocket-Version") || SecretNames.has("X-Shipping-Side-Compass"));
  }

  @Test
  void takesOtherNamesForPublic() {
    for (String name : List.of("", "Host", "Accept", "User-Agent", "Content-Length", "X-Forwarded-For",
        "Cache-Control")) {
      assertFalse(SecretNames.has(name), name);
    }
  }

  @Test
  void agreesWithASearchForEachPart() {
    Random random = new Random(1);
    for (int round = 0; round < 200_000; round++) {
      StringBuilder name = new StringBuilder();
      for (int count = random.nextInt(3); count >= 0; count--) {
        String part = PARTS.get(random.nextInt(PARTS.size()));
        name.append(part, random.nextInt(2), part.length() - random.nextInt(2));
        name.append((char) ('A' + random.nextInt(58)));
      }
      String small = name.toString().toLowerCase(Locale.ROOT);
      boolean isKnown = PARTS.stream().anyMatch(small::contains)
          || Stream.of(small.split("[^a-z]")).anyMatch(WORDS::contains);
      assertEquals(isKnown, SecretNames.has(name.toString()), name.toString());
    }
  }
}
