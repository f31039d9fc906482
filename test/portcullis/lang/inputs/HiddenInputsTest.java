package portcullis.lang.inputs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class HiddenInputsTest {
  private static final Instant TIME = Instant.parse("2026-01-31T12:00:00Z");

  private static HiddenInputs given(long seed) {
    return new HiddenInputs(InstantSource.fixed(TIME), new SplittableRandom(seed));
  }

  private static String drawn() {
    return HiddenInputs.now() + " " + HiddenInputs.uuid() + " " + HexFormat.of().formatHex(HiddenInputs.bytes(12));
  }

  @Test
  void givenInputsAreUsedWithinTheCall() {
    String first = given(7).call(HiddenInputsTest::drawn);
    assertEquals(first, given(7).call(HiddenInputsTest::drawn));
    assertNotEquals(first, given(8).call(HiddenInputsTest::drawn));
    assertTrue(first.startsWith("2026-01-31T12:00:00Z "), first);
  }

  @Test
  void afterTheCallTheyAreThoseOfTheSystem() {
    String inside = given(7).call(HiddenInputsTest::drawn);
    String outside = drawn();
    assertNotEquals(inside.split(" ")[1], outside.split(" ")[1]);
    assertFalse(Duration.between(HiddenInputs.now(), Instant.now()).abs().compareTo(Duration.ofMinutes(1)) > 0);
  }

  @Test
  void nestedCallsEndWithTheInputsAround() {
    String after = given(1).call(() -> {
      given(2).call(HiddenInputsTest::drawn);
      return drawn();
    });
    assertEquals(given(1).call(HiddenInputsTest::drawn), after);
  }

  @Test
  void uuidsAreOfVersion4() {
    for (long seed = 0; seed < 100; seed++) {
      UUID uuid = given(seed).call(HiddenInputs::uuid);
      assertEquals(4, uuid.version());
      assertEquals(2, uuid.variant());
    }
    assertNotEquals(HiddenInputs.uuid(), HiddenInputs.uuid());
  }
}
