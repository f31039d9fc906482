package portcullis.lang.source;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
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
  void charactersThatAreNotSeenAreMisleading() {
    for (String text : List.of("plain é😀\t\r\n", "\ufeffx", "")) {
      assertEquals(OptionalInt.empty(), TerminalText.misleading(text));
    }
    for (String text : List.of("x\ufeff", "\ufeff\ufeff", "é\u200bx", "a\u00ad", "a\udb40\udc41", "a\rb", "a\u0600")) {
      assertEquals(OptionalInt.of(1), TerminalText.misleading(text), TerminalText.escaped(text, ""));
    }
    assertEquals(OptionalInt.of(3), TerminalText.misleading("😀b\u2060"));
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
