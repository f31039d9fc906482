package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GrammarTest {
  @ParameterizedTest
  @ValueSource(strings = {"GET", "get", "M-SEARCH", "FOO!#$%&'*+.^_`|~", "x-9"})
  void takesTokens(String text) {
    assertTrue(Grammar.isToken(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "G T", "G[T", "a:b", "a,b", "a/b", "a\"", "\t", "a\u0000", "\u00e4", "a\u0100", "(", "="})
  void refusesWhatIsNoToken(String text) {
    assertFalse(Grammar.isToken(text));
  }

  @Test
  void valuesHaveNoControlsButTabs() {
    for (char c = 0; c < 0x180; c++) {
      boolean right = c == '\t' || c >= ' ' && c != 0x7f && c <= 0xff;
      assertEquals(right, Grammar.isFieldValue("a" + c + "b"), "character " + (int) c);
    }
    assertTrue(Grammar.isFieldValue(""));
    assertFalse(Grammar.isFieldValue(" a"));
    assertFalse(Grammar.isFieldValue("a\t"));
  }

  @Test
  void partsListsAtCommasOutsideOfQuotes() {
    assertEquals(List.of(), Grammar.list(""));
    assertEquals(List.of(), Grammar.list(" , ,, "));
    assertEquals(List.of("a", "b"), Grammar.list(" a ,\tb "));
    assertEquals(List.of("a=\"x,y\"", "b"), Grammar.list("a=\"x,y\", b,"));
    assertEquals(List.of("a=\"x\\\",y\"", "b"), Grammar.list("a=\"x\\\",y\",b"));
    assertEquals(List.of("a=\"x,y"), Grammar.list("a=\"x,y"));
  }

  @Test
  void readsQuotedStrings() {
    assertEquals(Optional.of(""), Grammar.unquoted("\"\""));
    assertEquals(Optional.of("a\"b\\c"), Grammar.unquoted("\"a\\\"b\\\\c\""));
    for (String wrong : List.of("", "a", "\"", "\"a", "a\"", "\"a\"b\"", "\"a\\\"")) {
      assertEquals(Optional.empty(), Grammar.unquoted(wrong), wrong);
    }
  }

  @Test
  void decodesBytesAsUtf8ElseAsLatin1() {
    assertEquals("plain", Grammar.text("plain"));
    assertEquals("Jörg", Grammar.text("J\u00c3\u00b6rg"));
    assertEquals("Jörg", Grammar.text("J\u00f6rg"));
    assertEquals("J\u00c3\u00b6rg", Grammar.wire("Jörg"));
    assertEquals("\u00f0\u009f\u0098\u0080", Grammar.wire("😀"));
  }
}
