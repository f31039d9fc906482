package portcullis.lang.regex;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Strings that regular expressions match, of all their alternatives. */
class RegexSamplesTest {
  @ParameterizedTest
  @CsvSource(delimiter = ';', textBlock = """
      ^(app|www)\\.corp\\.example$          ; app.corp.example www.corp.example
      ^a(b|c(d|e))?$                        ; a ab acd ace
      ^(?:x|y){2}-\\d{3}$                   ; xx-111 yy-111
      ^(?P<n>[a-c])[^a-z]+$                 ; a1 b1 c1
      ^\\Qa.b\\E|\\x41\\x{42}$              ; a.b AB
      ^(?i)v[0-9]+(\\.[0-9]+)*?$            ; v1 v0 v1.1
      ^[[:digit:]][\\w-][]x]\\S$            ; 1xxx 1-]1
      ^.{0}a{2,}\\pL$                       ; aax aaax
      """)
  void eachAlternativeHasOne(String expression, String expected) throws Exception {
    Regex regex = Regex.unbounded(expression);
    List<String> found = RegexSamples.of(expression).stream().filter(regex::isFoundIn).toList();
    Arrays.stream(expected.split(" ")).forEach(one -> assertTrue(found.contains(one), one + " is not in " + found));
  }

  @ParameterizedTest
  @ValueSource(strings = {"(", "[", "[a-", "\\", "(?P<", "a{1000}{1000}", "*", "((a|b)*(c|d)*){9}",
    "[^\\x00-\\x{10FFFF}]"})
  void whatIsNotUnderstoodIsLeftOut(String expression) {
    assertTrue(RegexSamples.of(expression).size() <= 32);
  }

  @Test
  void longAndDeepExpressionsAreBounded() {
    assertTrue(RegexSamples.of("(a|b)".repeat(5_000)).size() <= 32);
    assertTrue(RegexSamples.of("(".repeat(5_000) + "a" + ")".repeat(5_000)).size() <= 32);
  }

  @Test
  @Timeout(20)
  void stringsAreBoundedWhileTheyArePutTogether() {
    assertEquals(List.of("x".repeat(512)), RegexSamples.of("x{512}"));
    assertEquals(List.of(), RegexSamples.of("x{512}y"));
    assertEquals(List.of(), RegexSamples.of("x{512}".repeat(20_000)));
    assertEquals(List.of("z"), RegexSamples.of("((x{512}){512}y)*".repeat(20_000) + "|z").stream()
        .filter(one -> !one.isEmpty()).toList());
    assertEquals(List.of("ab"), Combinations.concatenated(List.of(List.of("a", "aa"), List.of("b")), 8, 2));
  }

  @Test
  void differentChoicesComeFirst() {
    assertEquals(List.of(List.of(0, 0), List.of(1, 1), List.of(1, 0), List.of(0, 1), List.of(0, 2)),
        Combinations.of(List.of(2, 3), 5));
    assertEquals(List.of(), Combinations.of(List.of(2, 0), 5));
    assertEquals(List.of(List.of()), Combinations.of(List.of(), 5));
  }
}
