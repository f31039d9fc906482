package portcullis.lang.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TerminalTextTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', ignoreLeadingAndTrailingWhitespace = false, value = {
    "plain é😀|plain é😀|plain é😀", "\u001b[2J\u009b2\u007fx|\\u001b[2J\\u009b2\\u007fx| [2J 2 x",
    "a\tb\u202ec|a\tb\\u202ec|a b c", "\u2028\u2029\ufeffx|\\u2028\\u2029\\ufeffx|   x"})
  void nothingMovesTheCursorOrReordersText(String text, String escaped, String blank) {
    assertEquals(escaped, TerminalText.escaped(text, "\t"));
    assertEquals(blank, TerminalText.of(text));
  }
}
