package portcullis.policy.route;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which part of an authority is its port. */
class HostNameTest {
  @ParameterizedTest
  @CsvSource({"A.Test., a.test, 0", "a.test:80, a.test, 80", "a.test:65535, a.test, 65535",
    "a.test:65536, a.test:65536, 0", "a.test:100000, a.test:100000, 0", "a.test:x, a.test:x, 0", "a.test:, a.test:, 0",
    "a.test:0, a.test:0, 0", ":80, '', 80", "., ., 0", "[::1x, [::1x, 0", "x::1], x::1], 0", "[x], [x], 0",
    "[::1], [0:0:0:0:0:0:0:1], 0", "[::1]:81, [0:0:0:0:0:0:0:1], 81"})
  void onlyANumberIsAPort(String authority, String name, int port) {
    assertEquals(new HostName(name, port), HostName.of(authority));
  }
}
