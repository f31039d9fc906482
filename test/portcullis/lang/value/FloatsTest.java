package portcullis.lang.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Floats are written as Go writes them. */
final class FloatsTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      0          | 0                    | 0
      -0.0       | -0                   | -0
      42         | 42                   | 42
      -7.5       | -7.5                 | -7.5
      999999.5   | 999999.5             | 999999.5
      1000000    | 1e+06                | 1000000
      1735689600 | 1.7356896e+09        | 1735689600
      1e15       | 1e+15                | 1000000000000000
      1e20       | 1e+20                | 100000000000000000000
      1e21       | 1e+21                | 1e+21
      1.5e300    | 1.5e+300             | 1.5e+300
      0.0001     | 0.0001               | 0.0001
      0.00001    | 1e-05                | 0.00001
      0.000001   | 1e-06                | 0.000001
      1e-7       | 1e-07                | 1e-7
      5e-324     | 5e-324               | 5e-324
      2e-323     | 2e-323               | 2e-323
      2e23       | 2e+23                | 2e+23
      0.1        | 0.1                  | 0.1
      9007199254740993 | 9.007199254740992e+15 | 9007199254740992""")
  void writesTheFewestDigits(double value, String printed, String json) {
    assertEquals(printed, Floats.text(value));
    assertEquals(json, Floats.json(value));
    assertTrue(value == Floats.shortest(value).doubleValue());
  }
}
