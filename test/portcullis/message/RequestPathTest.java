package portcullis.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
      "/%3b%3F%23%5B%5d%40  /%3B%3F%23%5B%5D%40  /%3b%3F%23%5B%5d%40",
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
  void isJudgedInOneSpellingAndSentInTheClients(String row) throws Refusal {
    String[] columns = row.split(" +");
    String judged = columns[1];
    String spelling = columns[2];
    RequestPath path = RequestPath.read(columns[0]);
    assertEquals(judged, path.judged());
    assertEquals(spelling, path.spelling());
    assertEquals(judged, RequestPath.read(judged).judged());
    assertEquals(spelling, RequestPath.read(spelling).spelling());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a/%2e%2e/b", "/a/.%2E/b", "/a/%2e./b", "/a/%2e", "/%2E%2E", "/a/..%2Fb", "/a/.%2e%2fb",
      "/a%2f..", "/a/..%5cb",
      "/a/..\\b", "/a/\\..\\b", "/a/%2e%2e%5cb", "/a/%5c%2e", "/a/..;/b", "/a/..;x=1/b", "/a/.;/b", "/a/..%3b/b",
      "/a/%2e%2e;/b",
      "/a/%2e%2e/../b"})
  void s1HiddenDotSegmentsAreRefused(String raw) {
    assertEquals("path contains dot segments, which are not allowed", refusal(raw));
  }

  private static String refusal(String raw) {
    Refusal refusal = assertThrows(Refusal.class, () -> RequestPath.read(raw), raw);
    assertEquals(400, refusal.status());
    return refusal.getMessage();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a\\b", "/a%5cb", "/a%5Cb"})
  void s13BackslashesAreRefused(String raw) {
    assertEquals("path contains a backslash, which is not allowed", refusal(raw));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a%00b", "/a\u0000b", "/a b", "/a\tb", "/a\r\nb", "/a\u007fb", "/a\u00e4b"})
  void s3NulsAndRawControlsAreRefused(String raw) {
    assertEquals("path contains a blank, a control or an 8-bit character, which is not allowed", refusal(raw));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/%", "/a%2", "/%zz", "/%2g", "/%%41", "/a/%4", "/%u0041"})
  void brokenEscapesAreRefused(String raw) {
    assertEquals("path contains a broken escape", refusal(raw));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a#b", "/#", "/a?b"})
  void s5FragmentsAreRefused(String raw) {
    assertEquals("path contains a fragment or query, which is not allowed", refusal(raw));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "*", "http://a/b", "%2Fa"})
  void s9PathsBeginWithASlash(String raw) {
    assertEquals("path does not begin with a slash", refusal(raw));
  }

  /** Every escape in its four spellings has one outcome. */
  @Test
  void s2VerdictDoesNotDependOnHexCase() {
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
      return RequestPath.read(raw).judged();
    } catch (Refusal refusal) {
      return refusal.getMessage();
    }
  }

  @Test
  void s3EscapedDelimitersStayDataOfTheirSegment() throws Refusal {
    RequestPath path = RequestPath.read("/a%3Bb/c%3fd/e%23f/g%25h/i%2Fj");
    assertEquals("/a%3Bb/c%3Fd/e%23f/g%25h/i%2Fj", path.judged());
    assertEquals("/a;b/c?d/e#f/g%h/i%2Fj", path.text());
  }

  @ParameterizedTest
  @CsvSource({"/a%20b, /a b", "/%C3%A9, /é", "/a%2Fb%20c, /a%2Fb c", "/a%252Fb, /a%2Fb", "/%F6, /\ufffd",
      "/%F0%9F%8F%99, /🏙"})
  void textIsDecodedButForSlashes(String raw, String text) throws Refusal {
    assertEquals(text, RequestPath.read(raw).text());
  }

  @Test
  void plainDotSegmentsAreRefusedWhereSomebodyElseForwardsThem() throws Refusal {
    for (String raw : new String[] {"/open/../closed", "/open/./a", "/open/..", "/..", "/."}) {
      assertThrows(Refusal.class, () -> RequestPath.readUnresolved(raw), raw);
    }
    assertEquals("/closed/a", RequestPath.readUnresolved("//closed//a").judged());
  }

  @Test
  void encodedSlashesAreToldAndDecodedOnDemand() throws Refusal {
    assertFalse(RequestPath.read("/a%252Fb").hasEncodedSlash());
    RequestPath path = RequestPath.read("/on/a%2fb%20c");
    assertTrue(path.hasEncodedSlash());
    RequestPath decoded = path.withSlashesDecoded();
    assertEquals("/on/a/b%20c", decoded.spelling());
    assertEquals("/on/a/b c", decoded.text());
    assertEquals("/on/a%252Fb/c", RequestPath.read("/on/a%252Fb%2Fc").withSlashesDecoded().spelling());
    assertEquals("/on/a/b/", RequestPath.read("/on/%2Fa%2F%2fb%2F").withSlashesDecoded().judged());
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
  void prefixesAreCutAndPut(String raw, String cut, String put, String sent) throws Refusal {
    assertEquals(sent, RequestPath.read(raw).rewritten(cut, put).spelling());
  }

  @Test
  void s7RewritesNeverSendDotSegments() {
    assertThrows(Refusal.class, () -> RequestPath.read("/a../b").rewritten("/a", ""));
    assertThrows(Refusal.class, () -> RequestPath.read("/a./b").rewritten("/a", "/x"));
    assertThrows(Refusal.class, () -> RequestPath.read("/a/b").rewritten("", "/x/.."));
    assertThrows(Refusal.class, () -> RequestPath.read("/a/b").rewritten("", "/%2e%2e"));
  }
}
