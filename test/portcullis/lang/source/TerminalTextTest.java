package portcullis.lang.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import org.junit.jupiter.api.Test;
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

  @Test
  void textWithoutSuchCharactersIsNotCopied() {
    String text = "a é😀 \t";
    assertSame(text, TerminalText.escaped(text, "\t"));
    assertEquals("\\u0001a\\udb40\\udc01\\u0002", TerminalText.escaped("\u0001a\udb40\udc01\u0002", "\t"));
  }

  /** Clients determine how many of these characters the log has. */
  @Test
  void escapingIsCheap() {
    String text = "\u0001\u202e".repeat(2_000_000);
    assertTimeoutPreemptively(Duration.ofSeconds(5), () -> assertEquals(text.length() * 6,
        TerminalText.escaped(text, "").length()));
  }
}
