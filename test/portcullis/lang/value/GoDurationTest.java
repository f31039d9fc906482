package portcullis.lang.value;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class GoDurationTest {
  @ParameterizedTest
  @CsvSource({"0, 0s", "-0, 0s", "5s, 5s", "1h30m, 1h30m0s", "1.5s, 1.5s", "+90s, 1m30s", "-1h2m3.5s, -1h2m3.5s",
    "1500us, 1.5ms", ".5ms, 500µs", "3ns, 3ns", "1.s, 1s", "0.7ns, 0s",
    "9223372036854775807ns, 2562047h47m16.854775807s", "-9223372036854775808ns, -2562047h47m16.854775808s"})
  void readsAndWritesDurationsAsGo(String text, String written) {
    assertEquals(written, GoDuration.text(GoDuration.parse(text).orElseThrow()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", "5", "s", "5 s", "5s5", "1d", "1e3s", ".s", "1..5s", "--1s", "١s",
    "9223372036854775808ns", "99999999999h"})
  void rejectsOtherStrings(String text) {
    assertEquals(Optional.empty(), GoDuration.parse(text));
  }

  @ParameterizedTest
  @CsvSource({"1500, 1000, 2000", "1499, 1000, 1000", "-1500, 1000, -2000", "1500, 0, 1500"})
  void roundsHalvesAwayFromZero(long nanos, long unit, long rounded) {
    assertEquals(rounded, GoDuration.rounded(nanos, unit));
  }
}
