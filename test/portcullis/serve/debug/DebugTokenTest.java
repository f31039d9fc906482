package portcullis.serve.debug;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.SymmetricKey;

class DebugTokenTest {
  private static final Instant NOW = Instant.parse("2026-11-24T02:00:00Z");
  private static final DebugToken TOKEN = new DebugToken("orders", NOW, NOW.plusSeconds(600));

  private static SymmetricKey key(String digit) throws KeyMaterialException {
    return SymmetricKey.parse(digit.repeat(64), "it");
  }

  private static Optional<DebugToken> read(String text, Instant now) throws KeyMaterialException {
    return DebugToken.read(text, key("1"), now);
  }

  @Test
  void isValidFromIssueToExpiry() throws KeyMaterialException {
    String text = TOKEN.signed(key("1"));
    assertEquals(Optional.of(TOKEN), read(text, NOW));
    assertEquals(Optional.of(TOKEN), read(text, NOW.minusSeconds(60)), "within the leeway of clocks");
    assertEquals(Optional.of(TOKEN), read(text, NOW.plusSeconds(599)));
    assertEquals(Optional.empty(), read(text, NOW.plusSeconds(600)));
    assertEquals(Optional.empty(), read(text, NOW.minusSeconds(61)));
  }

  @Test
  void isOfItsKeyAlone() throws KeyMaterialException {
    assertEquals(Optional.of(TOKEN), read(TOKEN.signed(key("1")), NOW));
    assertEquals(Optional.empty(), read(TOKEN.signed(key("2")), NOW));
  }

  @Test
  void anyChangedCharacterIsRefused() throws KeyMaterialException {
    String text = TOKEN.signed(key("1"));
    for (int i = 0; i < text.length(); i++) {
      char other = text.charAt(i) == 'A' ? 'B' : 'A';
      assertEquals(Optional.empty(), read(text.substring(0, i) + other + text.substring(i + 1), NOW), "at " + i);
    }
    for (String wrong : new String[] {"", ".", text + "A", text + ".", text + "=", text.substring(0, text.length() - 1),
      text.substring(0, text.indexOf('.') + 1), "ä" + text, "A".repeat(2000) + "." + text}) {
      assertEquals(Optional.empty(), read(wrong, NOW), wrong);
    }
  }

  @Test
  void lastsADayAtMostWhoeverSignsIt() throws KeyMaterialException {
    DebugToken day = new DebugToken("orders", NOW, NOW.plus(Duration.ofHours(24)));
    assertEquals(Optional.of(day), read(day.signed(key("1")), NOW));
    DebugToken longer = new DebugToken("orders", NOW, NOW.plus(Duration.ofHours(24)).plusSeconds(1));
    assertEquals(Optional.empty(), read(longer.signed(key("1")), NOW));
  }

  @Test
  void rulesMayHaveAnyName() throws KeyMaterialException {
    DebugToken odd = new DebugToken("my \"page\" äß 1", NOW, NOW.plusSeconds(1));
    assertEquals(Optional.of(odd), read(odd.signed(key("1")), NOW));
  }
}
