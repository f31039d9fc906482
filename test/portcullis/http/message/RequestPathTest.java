package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestPathTest {
  @ParameterizedTest
  @ValueSource(strings = {
    "/                 /                    /",
    "/a                /a                   /a",
    "/a/b/             /a/b/                /a/b/",
    "/%41%42c          /ABc                 /%41%42c",
    "/%61dmin          /admin               /%61dmin",
    "/%c3%a4/%C3%A4    /%C3%A4/%C3%A4       /%c3%a4/%C3%A4",
    "/a;b=c,d/e:f@g/!$&*()+=~-._  /a;b=c,d/e:f@g/!$&*()+=~-._  /a;b=c,d/e:f@g/!$&*()+=~-._",
    "/%3b%3F%23%5B%5d%40  /%3B%3F%23%5B%5D@  /%3b%3F%23%5B%5d%40",
    "/100%25/%2541     /100%25/%2541        /100%25/%2541",
    "/a%2fb            /a%2Fb               /a%2fb",
    "/[x]{y}|^`        /%5Bx%5D%7By%7D%7C%5E%60  /[x]{y}|^`",
    "/a//b///c         /a/b/c               /a/b/c",
    "//a/b             /a/b                 /a/b",
    "///               /                    /",
    "/a/./b/../c       /a/c                 /a/c",
    "/../../a          /a                   /a",
    "/a/x/..           /a                   /a",
    "/a/x/.            /a/x                 /a/x",
    "/a/x/../          /a/                  /a/",
    "/..               /                    /",
    "/a../..b/.c/d.    /a../..b/.c/d.       /a../..b/.c/d.",
    "/...              /...                 /...",
    "/.%61/..%62       /.a/..b              /.%61/..%62",
    "/%252e%252e/a     /%252e%252e/a        /%252e%252e/a",
    "/a;../b           /a;../b              /a;../b"})
  void decidesCanonicalPathAndSendsOriginal(String row) throws ResponseStatusException {
    String[] columns = row.split(" +");
    String canonical = columns[1];
    String spelling = columns[2];
    RequestPath path = RequestPath.read(columns[0]);
    assertEquals(canonical, path.canonical());
    assertEquals(spelling, path.spelling());
    assertEquals(canonical, RequestPath.read(canonical).canonical());
    assertEquals(spelling, RequestPath.read(spelling).spelling());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a/%2e%2e/b", "/a/.%2E/b", "/a/%2e./b", "/a/%2e", "/%2E%2E", "/a/..%2Fb", "/a/.%2e%2fb",
    "/a%2f..", "/a/..%5cb",
    "/a/..\\b", "/a/\\..\\b", "/a/%2e%2e%5cb", "/a/%5c%2e", "/a/..;/b", "/a/..;x=1/b", "/a/.;/b", "/a/..%3b/b",
    "/a/%2e%2e;/b",
    "/a/%2e%2e/../b"})
  void hiddenDotSegmentsAreRefused(String raw) {
    assertEquals("path contains dot segments, which are not allowed", refusal(raw));
  }

  private static String refusal(String raw) {
    ResponseStatusException refusal = assertThrows(ResponseStatusException.class, () -> RequestPath.read(raw), raw);
    assertEquals(400, refusal.status());
    return refusal.getMessage();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a\\b", "/\\", "/a%2fb\\"})
  void plainBackslashesAreRefused(String raw) {
    assertEquals("path contains a backslash, which is not allowed", refusal(raw));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a%5cb", "/a%5Cb"})
  void rejectsEncodedBackslashesUnlessARuleAllowsThem(String raw) throws ResponseStatusException {
    ResponseStatusException refusal = assertThrows(ResponseStatusException.class,
        RequestPath.read(raw)::refuseBackslashes);
    assertEquals("path contains a backslash, which is not allowed", refusal.getMessage());
    assertEquals(400, refusal.status());
    RequestPath.read("/a%5b").refuseBackslashes();
  }

  @Test
  void decodesEscapesOfUnreservedCharacters() throws ResponseStatusException {
    for (char c : "!$&'()*+,=:@-._~aZ0".toCharArray()) {
      RequestPath path = RequestPath.read("/x/a%" + Integer.toHexString(c) + "b");
      assertEquals("/x/a" + c + "b", path.canonical());
      assertEquals("/x/a%" + Integer.toHexString(c) + "b", path.spelling());
    }
    assertEquals("/x/a%3Bb", RequestPath.read("/x/a%3bb").canonical(), "an escaped semicolon begins no parameters");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      /                | ''
      /a/..            | ''
      /a/b             | TRAILING_SLASH
      /a.b/.c          | TRAILING_SLASH
      /a;x=1/b         | TRAILING_SLASH,PARAMETERS
      /a%3Bx           | TRAILING_SLASH,PARAMETERS,SEMICOLONS
      /a./b            | TRAILING_SLASH,TRAILING_DOT
      /a.              | TRAILING_SLASH,TRAILING_DOT
      /a.;x            | TRAILING_SLASH,TRAILING_DOT,PARAMETERS
      /a%2e            | TRAILING_SLASH,TRAILING_DOT
      /a%20            | TRAILING_SLASH,TRAILING_DOT
      /a%20b           | TRAILING_SLASH
      /A               | TRAILING_SLASH,CASE
      /%41             | TRAILING_SLASH,CASE
      /%c3%a9          | TRAILING_SLASH,CASE
      /a%2fb%5cc       | TRAILING_SLASH,SLASHES,BACKSLASHES
      """)
  void knowsWhichOtherReadingsAPathHas(String raw, String readings) throws ResponseStatusException {
    Set<Reading> expected = EnumSet.noneOf(Reading.class);
    Stream.of((readings == null ? "" : readings).split(",")).filter(name -> !name.isEmpty()).map(Reading::valueOf)
        .forEach(expected::add);
    assertEquals(expected, Reading.of(RequestPath.read(raw).otherReadings()));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      /a;x=1/b;y       | PARAMETERS                    | /a/b
      /;x/a            | PARAMETERS                    | /a
      /a/;x            | PARAMETERS                    | /a/
      /a%3Bx           | PARAMETERS                    | /a%3Bx
      /a%3Bx           | SEMICOLONS                    | /a;x
      /a%3Bx           | SEMICOLONS,PARAMETERS         | /a
      /a./b../c...     | TRAILING_DOT                  | /a/b/c
      /a%20./b.%20     | TRAILING_DOT                  | /a/b
      /a/..%20/b       | TRAILING_DOT                  | /b
      /a/.../b         | TRAILING_DOT                  | /a/.../b
      /a/.../          | TRAILING_DOT                  | /a/.../
      /a/...           | TRAILING_DOT                  | /a/...
      /a/....;x        | TRAILING_DOT,PARAMETERS       | /a/....
      /a.;x            | TRAILING_DOT,PARAMETERS       | /a
      /a               | TRAILING_SLASH                | /a/
      /a/              | TRAILING_SLASH                | /a
      /a%2Fb%5Cc       | SLASHES                       | /a/b%5Cc
      /a%2Fb%5Cc       | SLASHES,BACKSLASHES           | /a/b/c
      /a%2F            | SLASHES,TRAILING_SLASH        | /a
      /A;x/            | PARAMETERS,TRAILING_SLASH,CASE | /A
      /a/b/c;x/d/e     | PARAMETERS                    | /a/b/c/d/e
      /a/b/..%20/d/e/  | TRAILING_DOT                  | /a/d/e/
      /a;/b/c;/..%20;  | PARAMETERS,TRAILING_DOT       | /a/b/
      /a/b/c%2F%2Fd/e  | SLASHES                       | /a/b/c/d/e
      /a/b%2F/c%2F     | SLASHES                       | /a/b/c/
      /a/b;x%2Fc;y/d   | SLASHES,PARAMETERS            | /a/b/c/d
      /%252Fa%3B/b     | SLASHES,SEMICOLONS            | /%252Fa;/b
      /a/%20.%20/b     | TRAILING_DOT                  | /a/b
      /a/..%20%0A/..%20 | TRAILING_DOT                 | /
      /                | TRAILING_SLASH                | /
      /;x              | PARAMETERS,TRAILING_SLASH     | /
      """)
  void readsAPathAsUpstreamsDo(String raw, String readings, String seen) throws ResponseStatusException {
    Set<Reading> set = EnumSet.noneOf(Reading.class);
    Stream.of(readings.split(",")).map(Reading::valueOf).forEach(set::add);
    assertEquals(seen, RequestPath.read(raw).read(set, 0));
  }

  @Test
  void readingsLeaveAloneWhatARuleSpellsOut() throws ResponseStatusException {
    RequestPath path = RequestPath.read("/a;x/b;y/c");
    assertEquals("/a;x/b/c", path.read(EnumSet.of(Reading.PARAMETERS), "/a;x/".length()));
    assertEquals("/a;x/b;y/c", path.read(EnumSet.of(Reading.PARAMETERS), "/a;x/b;y/c".length()));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a%00b", "/a\u0000b", "/a b", "/a\tb", "/a\r\nb", "/a\u007fb", "/a\u00e4b"})
  void nulsAndRawControlsAreRefused(String raw) {
    assertEquals("path contains a blank, a control or an 8-bit character, which is not allowed", refusal(raw));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%", "/a%2", "/%zz", "/%2g", "/%%41", "/a/%4", "/%u0041"})
  void brokenEscapesAreRefused(String raw) {
    assertEquals("path contains a broken escape", refusal(raw));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a#b", "/#", "/a?b"})
  void fragmentsAreRefused(String raw) {
    assertEquals("path contains a fragment or query, which is not allowed", refusal(raw));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "*", "http://a/b", "%2Fa"})
  void pathsBeginWithASlash(String raw) {
    assertEquals("path does not begin with a slash", refusal(raw));
  }

  /** It needs no escape in a string of JSON, in a log, or anywhere. */
  @ParameterizedTest
  @CsvSource({"/,true", "/a-b.c_~!$&'()*+;=:@9/Z/,true", "/%41,false", "/a\",false", "/a<,false", "/a|b,false",
    "//a,false"})
  void knowsWhetherAPathHasOnlyWhatMayStandInOne(String raw, boolean expected) throws ResponseStatusException {
    assertEquals(expected, RequestPath.read(raw).isPlain());
  }

  /** Every escape in its four spellings has one outcome. */
  @Test
  void decisionDoesNotDependOnHexCase() {
    for (int octet = 0; octet < 256; octet++) {
      String low = String.format("%02x", octet);
      String up = String.format("%02X", octet);
      String[] spellings = {low, up, "" + low.charAt(0) + up.charAt(1), "" + up.charAt(0) + low.charAt(1)};
      for (String place : new String[] {"/a%sb/c", "/%s/c", "/a/..%s", "/%s%s/x"}) {
        String expected = outcome(place.replace("%s", "%" + spellings[0]));
        for (String spelling : spellings) {
          assertEquals(expected, outcome(place.replace("%s", "%" + spelling)), place + " with " + spelling);
        }
      }
    }
  }

  private static String outcome(String raw) {
    try {
      return RequestPath.read(raw).canonical();
    } catch (ResponseStatusException refusal) {
      return refusal.getMessage();
    }
  }

  @Test
  void escapedDelimitersStayDataOfTheirSegment() throws ResponseStatusException {
    RequestPath path = RequestPath.read("/a%3Bb/c%3fd/e%23f/g%25h/i%2Fj");
    assertEquals("/a%3Bb/c%3Fd/e%23f/g%25h/i%2Fj", path.canonical());
    assertEquals("/a;b/c?d/e#f/g%h/i/j", path.text());
  }

  @ParameterizedTest
  @CsvSource({"/a%20b, /a b", "/%C3%A9, /é", "/a%2Fb%20c, /a/b c", "/a%252Fb, /a%2Fb", "/%F6, /\ufffd",
    "/%F0%9F%8F%99, /🏙"})
  void textIsDecodedButForSlashes(String raw, String text) throws ResponseStatusException {
    assertEquals(text, RequestPath.read(raw).text());
  }

  @Test
  void rejectsDotSegmentsOfRequestsForwardedByOthers() throws ResponseStatusException {
    for (String raw : new String[] {"/open/../closed", "/open/./a", "/open/..", "/..", "/."}) {
      assertThrows(ResponseStatusException.class, () -> RequestPath.readUnresolved(raw), raw);
    }
    assertEquals("/closed/a", RequestPath.readUnresolved("//closed//a").canonical());
  }

  @Test
  void reportsAndDecodesEncodedSlashes() throws ResponseStatusException {
    assertFalse(RequestPath.read("/a%252Fb").hasEncodedSlash());
    RequestPath path = RequestPath.read("/on/a%2fb%20c");
    assertTrue(path.hasEncodedSlash());
    RequestPath decoded = path.withSlashesDecoded();
    assertEquals("/on/a/b%20c", decoded.spelling());
    assertEquals("/on/a/b c", decoded.text());
    assertEquals("/on/a%252Fb/c", RequestPath.read("/on/a%252Fb%2Fc").withSlashesDecoded().spelling());
    assertEquals("/on/a/b/", RequestPath.read("/on/%2Fa%2F%2fb%2F").withSlashesDecoded().canonical());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "/api/users/1 |/api     |''     |/users/1",
    "/api/api/x   |/api     |''     |/api/x",
    "/api/x/      |/api     |''     |/x/",
    "/api         |/api     |''     |/",
    "/api         |/api     |/v2    |/v2",
    "/add/x       |''       |/v2    |/v2/add/x",
    "/old/a/b     |/old     |/new   |/new/a/b",
    "/other/x     |/api     |/p     |/p/other/x",
    "/a%20b/c%20d |/a%20b   |''     |/c%20d",
    "/a%20b/c     |/a b     |''     |/c",
    "/api/%41%5b%7e/%c3%a4|/api|''  |/%41%5b%7e/%c3%a4",
    "/deep/er/x/y |/deep/er/|/base/ |/base/x/y",
    "/apix        |/api     |''     |/x",
    "/%61pi/x     |/api     |''     |/x",
    "/caf%c3%a9/x |/café    |/tee   |/tee/x",
    "/x           |''       |base   |/base/x",
    "/a%2Fb       |/a%2     |''     |/a%2Fb"})
  void prefixesAreCutAndPut(String raw, String cut, String put, String sent) throws ResponseStatusException {
    assertEquals(sent, RequestPath.read(raw).rewritten(cut, put).spelling());
  }

  @Test
  void rewritesNeverSendDotSegments() throws ResponseStatusException {
    assertThrows(ResponseStatusException.class, () -> RequestPath.read("/a../b").rewritten("/a", ""));
    assertEquals(RequestPath.read("/").otherReadings(), RequestPath.read("/a").rewritten("/a", "").otherReadings());
    assertThrows(ResponseStatusException.class, () -> RequestPath.read("/a./b").rewritten("/a", "/x"));
    assertThrows(ResponseStatusException.class, () -> RequestPath.read("/a/b").rewritten("", "/x/.."));
    assertThrows(ResponseStatusException.class, () -> RequestPath.read("/a/b").rewritten("", "/%2e%2e"));
  }
}
