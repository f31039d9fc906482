package portcullis.http.client;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import portcullis.fixture.Needs;
import portcullis.fixture.RawUpstream;

/** The answers of llhttp's test suite, as far as it reads them in its strict mode. */
final class LlhttpAnswersTest {
  private record Case(String name, boolean head, String wire, String log) {}

  private static final Pattern CASE = Pattern.compile(
      "## ([^\n]+)\n(?:(?!\n## ).)*?<!-- meta=\\{\"type\": \"response\"([^}]*)\\} -->\n```http\n(.*?)```(?:(?!\n## "
          + ").)*?```log\n(.*?)```",
      Pattern.DOTALL);

  /**
   * What llhttp takes and we do not: other protocols, codings whose end only the connection tells, switches unasked.
   */
  private static final Set<String> STRICTER = Set.of("RTSP response", "ICE response", "HTTP version 0.9",
      "`chunked` before other transfer-encoding", "multiple transfer-encoding where chunked is not the last one",
      "`chunkedchunked` transfer-encoding does not enable chunked enconding", "Response starting with CRLF",
      "HTTP 100 first, then 400", "HTTP 101 response with Upgrade and Content-Length header",
      "HTTP 101 response with Upgrade and Transfer-Encoding header");

  /** What llhttp refuses and we take: what comes behind an answer is not read at all, and ends the connection. */
  private static final Set<String> LAXER = Set.of("HTTP/1.1 with keep-alive disabled and 204 status",
      "HTTP/1.1 with keep-alive disabled, content-length");

  private static List<Case> cases() throws IOException {
    Path folder = Needs.corpus("llhttp/response");
    List<Case> out = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.sorted().toList()) {
        Matcher each = CASE.matcher(Files.readString(file));
        while (each.find()) {
          out.add(
              new Case(each.group(1).strip(), each.group(2).contains("skipBody"), wire(each.group(3)), each.group(4)));
        }
      }
    }
    return out;
  }

  /** A line's end is CRLF, unless the line ends in a backslash; escapes stand for what they say. */
  private static String wire(String block) {
    String text = block.replace("\\\n", "").replace("\n", "\r\n");
    return text.replace("\\r", "\r").replace("\\n", "\n").replace("\\t", "\t").replace("\\f", "\f");
  }

  private static String outcome(Case each) throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.of(RawUpstream.once(each.wire())); WireClient client = Ask.client()) {
      return Ask.get(upstream, "/").method(each.head() ? "HEAD" : "GET").outcome(client);
    }
  }

  /** A body that ends with its input is whole where the input has no other end. */
  private static boolean expected(Case each) {
    boolean whole = each.log().contains("message complete") || each.log().contains("content_length=0");
    boolean refused = each.log().matches("(?s).*error code=(?!22).*") && !LAXER.contains(each.name());
    return whole && !refused && !STRICTER.contains(each.name());
  }

  @Test
  void agreesWithLlhttp() throws IOException {
    List<Case> all = cases();
    assertTrue(all.size() > 60, () -> "only " + all.size() + " cases found");
    assertAll(all.stream().map(each -> (Executable) () -> {
      String outcome = outcome(each);
      assertEquals(expected(each), outcome.matches("\\d{3} (?s).*"), () -> each.name() + ": " + outcome);
    }));
  }
}
