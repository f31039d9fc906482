package portcullis.http.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import portcullis.lang.value.Value;

/** What holds for every path that is taken, over random ones made of troublesome pieces. */
class PathPropertiesTest {
  private static final List<String> PIECES = List.of("/", "/", "/", "//", ".", "..", "a", "B", "~", ";", ":", "%2f",
      "%2F", "%2e", "%2E", "%5c",
      "\\", "%00", "%41", "%61", "%c3%a9", "%C3%A9", "%25", "%3b", "%3F", "%", "[", "|", "+", "%20", "%ff", "x=1", "@",
      "'");

  private final Random random = new Random(20_260_722);

  @Test
  void whatIsMatchedSeenAndSentIsOnePath() throws ResponseStatusException {
    int taken = 0;
    for (int i = 0; i < 20_000; i++) {
      String raw = raw();
      Optional<RequestPath> read = read(raw);
      if (read.isPresent()) {
        taken++;
        check(raw, read.get());
      }
    }
    assertTrue(taken > 4_000, "only " + taken + " paths were taken");
  }

  private String raw() {
    StringBuilder out = new StringBuilder("/");
    for (int n = random.nextInt(12); n > 0; n--) {
      out.append(PIECES.get(random.nextInt(PIECES.size())));
    }
    return out.toString();
  }

  private static Optional<RequestPath> read(String raw) {
    try {
      return Optional.of(RequestPath.read(raw));
    } catch (ResponseStatusException _) {
      return Optional.empty();
    }
  }

  private static void check(String raw, RequestPath path) throws ResponseStatusException {
    Request request = new Request("GET", "http", Authority.parse("a").orElseThrow(), path, "", Fields.NONE, List.of(),
        Body.none());
    assertEquals(Optional.of(Value.of(path.canonical())), request.url().member("RawPath"), raw);
    assertEquals(Optional.of(Value.of(path.text())), request.url().member("Path"), raw);

    RequestPath upstream = RequestPath.readUnresolved(path.spelling());
    assertEquals(path.spelling(), upstream.spelling(), raw);
    assertEquals(path.canonical(), upstream.canonical(), raw);
    assertEquals(path.canonical(), RequestPath.readUnresolved(path.canonical()).canonical(), raw);

    int segments = segments(path.canonical());
    assertEquals(segments, segments(path.spelling()), raw);
    assertFalse(path.canonical().contains("//"), raw);
    assertFalse((path.canonical() + "/").contains("/../") || (path.canonical() + "/").contains("/./"), raw);
    assertEquals(raw.endsWith("/") || path.canonical().equals("/"), path.canonical().endsWith("/"), raw);
  }

  /** S4: slashes are merged, but nothing else makes or takes a segment. */
  @Test
  void doubledSlashesNeverChangeWhatIsMatched() throws ResponseStatusException {
    for (int i = 0; i < 5_000; i++) {
      String raw = raw();
      Optional<RequestPath> once = read(raw);
      Optional<RequestPath> doubled = read(raw.replace("/", "//"));
      assertEquals(once.map(RequestPath::canonical), doubled.map(RequestPath::canonical), raw);
    }
  }

  private static int segments(String path) {
    return (int) path.chars().filter(c -> c == '/').count();
  }

  /** A prefix cut off and put back gives the same path; what is sent has no dot segment whatever is cut. */
  @Test
  void rewritingKeepsToThePath() throws ResponseStatusException {
    for (int i = 0; i < 5_000; i++) {
      Optional<RequestPath> path = read(raw());
      if (path.isPresent()) {
        String decided = path.get().canonical();
        String cut = decided.substring(0, random.nextInt(decided.length() + 1));
        Optional<RequestPath> rewritten = rewritten(path.get(), cut);
        rewritten.ifPresent(p -> assertFalse((p.spelling() + "/").contains("/../"), decided));
        assertEquals(path.get().spelling(), path.get().rewritten("", "").spelling());
      }
    }
  }

  private static Optional<RequestPath> rewritten(RequestPath path, String cut) {
    try {
      return Optional.of(path.rewritten(cut, ""));
    } catch (ResponseStatusException _) {
      return Optional.empty();
    }
  }
}
