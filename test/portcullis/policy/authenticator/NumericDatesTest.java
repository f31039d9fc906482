package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;

class NumericDatesTest {
  @ParameterizedTest
  @CsvSource({"1700000000,1700000000", "1700000000.9,1700000000", "-1.5,-1", "0,0", "1099511627775,1099511627775",
    "1099511627776,", "-1099511627776,", "1099511627776.0,", "1e300,", "'\"1700000000\"',", "true,", "null,"})
  void readsWholeSecondsWithinRange(String json, Long seconds) throws Exception {
    Value.Dict claims = (Value.Dict) Json.read("{\"exp\":" + json + "}");
    assertEquals(Optional.ofNullable(seconds).map(Instant::ofEpochSecond), NumericDates.instant(claims, "exp"));
    assertEquals(Optional.empty(), NumericDates.instant(claims, "nbf"));
  }
}
