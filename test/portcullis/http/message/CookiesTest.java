package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CookiesTest {
  private static final Fields FIELDS = Fields.of("Cookie", "a=1; b=\"x y\";c = d=e ; flag; a=2", "X-A", "a=9", "cookie",
      "z=; a=3;=n; \u00c3\u00a4=5");

  @ParameterizedTest
  @CsvSource(quoteCharacter = '`', value = {"a, 1", "b, \"x y\"", "c, d=e", "flag, ``", "z, ``", "``, n"})
  void theFirstOfANameCountsUnchanged(String name, String value) {
    assertEquals(Optional.of(value), Cookies.first(FIELDS, name));
  }

  @Test
  void namesAreComparedWithCase() {
    assertEquals(Optional.empty(), Cookies.first(FIELDS, "A"));
    assertEquals(Optional.empty(), Cookies.first(FIELDS, "e"));
    assertEquals(Optional.empty(), Cookies.first(Fields.NONE, "a"));
    assertEquals(Optional.of("5"), Cookies.first(FIELDS, Grammar.wire("ä")));
  }

  @Test
  void someAreTakenOutTheOthersStayByteForByte() {
    assertEquals(Fields.of("Cookie", "b=\"x y\";c = d=e ; flag", "X-A", "a=9", "cookie", "z=;=n; \u00c3\u00a4=5"),
        Cookies.without(FIELDS, CookieNames.of(List.of("a"))));
    assertEquals(Fields.of("X-A", "1"), Cookies.without(Fields.of("Cookie", "a=1; a=2", "X-A", "1"),
        CookieNames.of(List.of("a"))));
    assertEquals(FIELDS, Cookies.without(FIELDS, CookieNames.NONE));
  }

  @ParameterizedTest
  @CsvSource(quoteCharacter = '`', value = {"\"x y\", x y", "\"\", ``", "x, x", "\", \"", "\"x, \"x", "x\", x\""})
  void quotesAreTakenOffInPairs(String value, String unquoted) {
    assertEquals(unquoted, Cookies.unquoted(value));
  }

  @ParameterizedTest
  @CsvSource(quoteCharacter = '`', delimiter = '|', value = {"kim | user=kim", "`` | user=", "a b | user=\"a b\"",
    "a,b | user=\"a,b\"",
    "\"a b\" | user=\"a b\"", "{\"a\":1} | user={\"a\":1}", "é | user=\u00c3\u00a9", "a=b | user=a=b"})
  void pairsAreWrittenSoThatAllReadThem(String value, String pair) {
    assertEquals(Optional.of(pair), Cookies.pair("user", value));
  }

  @Test
  void whatWouldBreakAPairIsNotWritten() {
    for (String value : List.of("a;b", "a\r\nX: 1", "a\u0000", "a\tb", "\u007f", "a\n")) {
      assertEquals(Optional.empty(), Cookies.pair("user", value), value);
    }
    for (String name : List.of("", "a b", "a=b", "a;b", "ä", "a\n")) {
      assertEquals(Optional.empty(), Cookies.pair(name, "x"), name);
    }
  }
}
