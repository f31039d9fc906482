package portcullis.crypto.jwt;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.JwkSet;

/** Tokens bent at random: nothing comes out but a refusal of our own, or a token that is none the worse for it. */
class TokenMutationTest {
  private static final Set<Algorithm> ALL = EnumSet.allOf(Algorithm.class);
  private static final String ALPHABET = "ABCDwxyz0189-_.=+/ \n{}[]\",:\u0000\u00e9\ud83d";
  private static final List<String> FRAGMENTS = List.of("{", "}", "[", "]", "\"", ":", ",", "null", "1e999", "-",
      "\"alg\":\"none\"", "\"crit\":[]", "\\u0000", "\\ud800", "\"kid\":{}", "9".repeat(300), "[".repeat(40), ".", "=",
      "\u00ff", "");

  private final Random random = new Random(20_000);
  private final List<Algorithm> kinds = List.of(Algorithm.HS256, Algorithm.PS256, Algorithm.RS256, Algorithm.ES256,
      Algorithm.EDDSA);
  private final JwkSet keys = new JwkSet(kinds.stream().map(kind -> TestTokens.jwk(kind.text(), kind)).toList(),
      List.of());
  private final List<String> tokens = kinds.stream().map(kind -> TestTokens.token(kind.text(), kind)).toList();

  @Test
  void noTokenThrowsAnUncheckedException() {
    int verified = 0;
    for (int i = 0; i < 20_000; i++) {
      String token = tokens.get(random.nextInt(tokens.size()));
      String bent = i % 2 == 0 ? bentText(token) : bentParts(token);
      try {
        Verification.verify(CompactToken.parse(bent), keys, ALL);
        assertTrue(tokens.contains(bent), bent);
        verified++;
      } catch (TokenException error) {
        assertTrue(!error.getMessage().isBlank() && error.getMessage().length() < 250);
      } catch (RuntimeException | Error e) {
        throw new AssertionError(bent, e);
      }
    }
    assertTrue(verified < 2_000);
  }

  /** Characters exchanged, added, taken away. */
  private String bentText(String token) {
    StringBuilder out = new StringBuilder(token);
    for (int n = random.nextInt(3); n >= 0 && !out.isEmpty(); n--) {
      int at = random.nextInt(out.length());
      char other = ALPHABET.charAt(random.nextInt(ALPHABET.length()));
      switch (random.nextInt(4)) {
        case 0 -> out.setCharAt(at, other);
        case 1 -> out.insert(at, other);
        case 2 -> out.deleteCharAt(at);
        default -> out.setLength(Math.max(1, at));
      }
    }
    return out.toString();
  }

  /** A part decoded, bent as JSON, and encoded again. */
  private String bentParts(String token) {
    String[] parts = token.split("\\.");
    int which = random.nextInt(3);
    StringBuilder json = new StringBuilder(which == 2 ? parts[2] : TestTokens.decoded(parts[which]));
    int at = random.nextInt(json.length());
    json.replace(at, Math.min(json.length(), at + random.nextInt(6)), FRAGMENTS.get(random.nextInt(FRAGMENTS.size())));
    parts[which] = which == 2 ? json.toString() : TestTokens.encoded(json.toString());
    return String.join(".", parts);
  }
}
