package portcullis.lang.regex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.lang.value.ValueException;

final class RegexTest {
  private static final Regex.Cost<RuntimeException> FREE = _ -> {};

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      a*    | baaac | ,aaa,
      a     | banana | a,a,a
      (?i)A | banana | a,a,a
      x     | banana | ''
      """)
  void findsTheMatchesThatGoFinds(String expression, String text, String found) throws ValueException {
    var matches = Regex.of(expression).matches(text, Long.MAX_VALUE, FREE);
    assertEquals(found, String.join(",", matches.stream().map(Match::text).toList()));
  }

  @Test
  void groupsMayShareAName() throws ValueException {
    var match = Regex.of("(?P<x>a)|(?P<x>b)").first("b", FREE).orElseThrow();
    assertEquals("b", match.group("x"));
    assertEquals("", match.group("1"));
    assertEquals("b", match.group("2"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"((a{100}){100}){100}", "(a{1000}){1000}"})
  void boundsExpressionsOfRequestsOnly(String large) throws ValueException {
    var error = assertThrows(ValueException.class, () -> Regex.of(large));
    assertEquals("the regular expression is too large", error.getMessage());
    assertTrue(Regex.unbounded("(a|b)".repeat(2000)).isFoundIn("ab".repeat(1000)));
    assertThrows(ValueException.class, () -> Regex.of("(a|b)".repeat(2000)));
  }

  @Test
  void rejectsDeepNesting() throws ValueException {
    assertThrows(ValueException.class, () -> Regex.unbounded("(".repeat(100_000) + ")".repeat(100_000)));
    assertTrue(Regex.of("(".repeat(100) + ")".repeat(100)).isFoundIn(""));
  }

  @Test
  void namesTheInvalidPart() {
    var error = assertThrows(ValueException.class, () -> Regex.of("a\\8"));
    assertEquals("invalid regular expression `\\8`: invalid escape sequence", error.getMessage());
  }

  @Test
  void ignoresCaseOnlyOnRequest() throws ValueException {
    var regex = Regex.unbounded("^ab$");
    assertFalse(regex.isFoundIn("AB"));
    assertTrue(regex.ignoringCase().isFoundIn("AB"));
  }

  @Test
  void chargesEachSearch() throws ValueException {
    var charged = new long[1];
    Regex.Cost<RuntimeException> cost = steps -> charged[0] += steps;
    Regex.of("b").first("a".repeat(6400), cost);
    assertEquals(101, charged[0]);
  }
}
