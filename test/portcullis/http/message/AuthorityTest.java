package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.CorpusTables;
import portcullis.lang.value.Value;

class AuthorityTest {
  @TestFactory
  List<DynamicTest> agreesWithTheTableOfHosts() throws Exception {
    return CorpusTables.rows("authority").stream().map(CorpusTables::items)
        .map(row -> DynamicTest.dynamicTest(CorpusTables.text(row.get(2)), () -> {
          String host = row.getFirst() instanceof Value.Str(String text) ? text : "\0".repeat(262);
          assertEquals(row.get(1), Value.of(Authority.parse(host).isPresent()), host);
        })).toList();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.example", "A.Example.", "a.example:8080", "1.2.3.4:1", "[::1]", "[2001:db8::1]:65535",
    "a_b",
    "a--b"})
  void isWrittenAsItWasRead(String text) {
    assertEquals(Optional.of(text), Authority.parse(text).map(Authority::toString));
  }

  @ParameterizedTest
  @ValueSource(strings = {"u@a", "a/b", "a?b", "http://a", "a b", "a,b", "a;b", "a\"", "a:", "a:0", "a:65536",
    "a:000080", "a:http",
    "a:+1",
    "::1", "[::1", "[::1]x", "[::1]x80", "a-:", "[1.2.3.4]", "[fe80::1%25eth0]", "a%2eb", "\u00e4.b", "a..b", ".a",
    "-a", "_a", "a\\b",
    "a#", ""})
  void refusesWhatIsNoAuthority(String text) {
    assertEquals(Optional.empty(), Authority.parse(text));
  }

  @Test
  void zerosBeforeAPortAreNotKept() {
    assertEquals(Optional.of("a.example:443"), Authority.parse("a.example:00443").map(Authority::toString));
    assertEquals(Authority.parse("a.example:443"), Authority.parse("a.example:0443"));
  }

  @Test
  void hasAnEndInLength() {
    assertTrue(Authority.parse("a".repeat(261)).isPresent());
    assertEquals(Optional.empty(), Authority.parse("a".repeat(262)));
  }

  @ParameterizedTest
  @CsvSource({
    "a.example,      http,  a.example",
    "A.EXAMPLE,      http,  a.example",
    "a.example.,     http,  a.example",
    "A.Example.:80,  http,  a.example",
    "a.example:80,   https, a.example:80",
    "a.example:443,  https, a.example",
    "a.example:0443, https, a.example",
    "a.example:443,  http,  a.example:443",
    "a.example.:81,  http,  a.example:81",
    "[2001:DB8::1]:80, http, [2001:db8::1]"})
  void spellingsOfOneHostCompareEqual(String text, String scheme, String comparable) {
    assertEquals(comparable, Authority.parse(text).orElseThrow().comparable(scheme));
  }
}
