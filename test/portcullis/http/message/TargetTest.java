package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TargetTest {
  private static final Authority HOST = Authority.parse("a.example:8080").orElseThrow();

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "/                         | /      | ''",
    "/a/b?c=d                  | /a/b   | c=d",
    "/a?                       | /a     | ''",
    "/x?a=?&b=/?               | /x     | a=?&b=/?",
    "//a/b                     | //a/b  | ''",
    "/a?u=http://b/c           | /a     | u=http://b/c",
    "http://a.example:8080     | /      | ''",
    "http://a.example:8080/p?q | /p     | q",
    "HTTP://A.Example.:8080?q  | /      | q",
    "https://a.example:8080/p  | /p     | ''"})
  void readsPathsAndUrlsOfTheSameHost(String raw, String path, String query) throws ResponseStatusException {
    assertEquals(new Target.Resource(path, query), Target.read(raw, "GET", Optional.of(HOST)));
  }

  @Test
  void theAsteriskIsForOptionsAlone() throws ResponseStatusException {
    assertEquals(new Target.Server(), Target.read("*", "OPTIONS", Optional.of(HOST)));
    assertThrows(ResponseStatusException.class, () -> Target.read("*", "GET", Optional.of(HOST)));
    assertThrows(ResponseStatusException.class, () -> Target.read("*", "options", Optional.of(HOST)));
    assertThrows(ResponseStatusException.class, () -> Target.read("*a", "OPTIONS", Optional.of(HOST)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "a.example:8080", "http:p", "http:/p", "http:http://a.example:8080/x", "mailto:a",
    "ftp://a.example:8080/",
    "http://b.example/", "http://a.example/", "http://u@a.example:8080/", "http:///a", "http://", "://a", "%2Fa",
    "\\a"})
  void otherFormsAndOtherHostsAreRefused(String raw) {
    assertEquals(400,
        assertThrows(ResponseStatusException.class, () -> Target.read(raw, "GET", Optional.of(HOST))).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a#b", "/#", "/a?b#c", "http://a.example:8080/#x", "/a b", "/a\tb", "/a\u0000", "/a?b\u007f",
    "/a\r\nb", "/\u00e4", "/a?\u00ff"})
  void fragmentsAndControlsAreRefused(String raw) {
    assertThrows(ResponseStatusException.class, () -> Target.read(raw, "GET", Optional.of(HOST)));
    assertThrows(ResponseStatusException.class, () -> Target.readForwarded(raw));
    assertThrows(ResponseStatusException.class, () -> Target.readOrigin(raw));
  }

  @Test
  void ofAForwardedUrlPathAndQueryCount() throws ResponseStatusException {
    assertEquals(new Target.Resource("/b/c", "d=e"), Target.readForwarded("/b/c?d=e"));
    assertEquals(new Target.Resource("/b", "c=d"), Target.readForwarded("https://other.example/b?c=d"));
    assertEquals(new Target.Resource("/", "c"), Target.readForwarded("http://other.example?c"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "//admin/q", "a", "::%zz", "%zz", "*", "ftp://a/b", "http://u@b/c", "http:///c",
    "https://a,b/c"})
  void whatIsNoForwardedUriIsRefused(String raw) {
    assertEquals(400, assertThrows(ResponseStatusException.class, () -> Target.readForwarded(raw)).status());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "closed/a", "*", "http://a.example:8080/", "%2Fa", "//public/admin", "//"})
  void originFormsBeginWithExactlyOneSlash(String raw) {
    assertThrows(ResponseStatusException.class, () -> Target.readOrigin(raw));
  }
}
