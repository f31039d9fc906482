package portcullis.policy.mechanism;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureTest {
  /** A session that is unknown now, or sent to a login page, is refused; only a service that is down may come back. */
  @ParameterizedTest
  @CsvSource({"302, false", "400, false", "401, false", "404, false", "410, false", "429, true", "500, true",
    "503, true"})
  void aStatusSaysWhetherItsServiceFails(int status, boolean outage) {
    Failure.Communication failure = Failure.Communication.status(status);
    assertEquals(outage, failure.isOutage());
    assertEquals("communication error: unexpected response code: " + status, failure.report());
  }
}
