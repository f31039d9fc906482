package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CookieNamesTest {
  private static final CookieNames NAMES = CookieNames.of(List.of("x_user", "sid"));

  private static String without(String value) {
    Fields out = Cookies.without(Fields.of("Cookie", value), NAMES);
    return String.join(" & ", out.all("Cookie"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x_user", "x.user", "x user", "x[user", "x+user", "x-user", "X_USER", " x_user", "x_user ",
    "\tx_user", "x%5fuser", "x%2Euser", "%78_user", "x_user%00y", "x_user[", "x_user[]", "x_user[a]", "x.user[a][b]",
    "\"x_user\"", "=x_user", "==x_user", "+x_user", "x_user+", "sid", "Sid", "sid[x]", "\u00a0sid"})
  void everyReadingOfANameBelongsToIt(String name) {
    assertTrue(NAMES.covers(name), name);
    assertEquals("", without(name + "=root"), name);
    assertEquals("a=1;b=2", without("a=1;" + name + "=root;b=2"), name);
  }

  @ParameterizedTest
  @ValueSource(strings = {"xuser", "x__user", "x_users", "ax_user", "user", "x", "sid2", "_sid", "sid_", "[sid]",
    "si%64%64",
    "a[sid]", "%", "%zz", "\u00e4"})
  void otherNamesDoNot(String name) {
    assertFalse(NAMES.covers(name), name);
    assertEquals(name + "=1; sidx=2", without(name + "=1; sidx=2"), name);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      a=1,sid=root         | a=1
      a=1, sid = root; b=2 | a=1; b=2
      a=1 sid=root         | a=1
      a=1,,, sid=root      | a=1
      a=1,=sid=root        | a=1
      a=1,sid[x]=root,b=2  | a=1
      a,sid=root           | a
      ,sid=root; b=2       | b=2
      a=1, b=2, c sid   =3 | a=1, b=2, c
      a="1; sid=root; b=2" | a="1; b=2"
      sid                  | ''
      a=1; sid; b=2        | a=1; b=2
      """)
  void pairsJoinedByCommasOrBlanksAreFound(String value, String kept) {
    assertEquals(kept, without(value));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a=1,sid,c", "a={\"sid\":1, \"x\":2}", "a=b=sid", "a=sid", "a= sid ; b",
    "a=\"x, y\"; b=c,d=e", ";;a=1;",
    "", "=;=", "a=1;  b=2 "})
  void valuesThatNameNoneStayByteForByte(String value) {
    Fields fields = Fields.of("Cookie", value);
    assertEquals(fields, Cookies.without(fields, NAMES));
  }

  @Test
  void laterPairsAreReadFromTheirOwnStart() {
    assertEquals("b=2", NAMES.without("b=2;sid=9"));
    assertEquals("b=2;c=3", NAMES.without("b=2;sid=9;c=3"));
    assertEquals("b=2;a=1", NAMES.without("b=2;a=1,sid=9"));
  }

  @Test
  void oneLongLineTakesLinearTime() {
    for (String part : List.of(",", " ", "a=", "=", "a ", ", a", "%41", "\"", ";", " =")) {
      String value = "a=" + part.repeat(300_000);
      assertTimeoutPreemptively(Duration.ofSeconds(30), () -> NAMES.without(value), part);
    }
  }
}
