package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CoveredHostsTest {
  @ParameterizedTest
  @CsvSource({"a.example, true", "A.EXAMPLE, true", "b.example, false", "x.wild.example, true", "X.Wild.Example, true",
    "wild.example, false", "y.x.wild.example, false", ".wild.example, false", "example, false", "'', false"})
  void namesMatchWithoutRegardToCase(String host, boolean covered) {
    CoveredHosts hosts = new CoveredHosts(List.of("A.Example", "*.WILD.example"));
    assertEquals(covered, hosts.cover(host));
  }
}
