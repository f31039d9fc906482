package portcullis.serve.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.serve.feed.DecidedStep;
import portcullis.serve.feed.DecisionFeed;
import portcullis.serve.feed.FeedEntry;

final class RefusalsPageTest {
  private final DecisionFeed feed = new DecisionFeed();
  private final RefusalsPage page = new RefusalsPage(feed);

  private void refuse(String path, String subject, String rule) {
    feed.add(entry(false, path, subject, rule));
  }

  private static FeedEntry entry(boolean allowed, String path, String subject, String rule) {
    return new FeedEntry(0, Instant.EPOCH, allowed, allowed ? "200" : "403", "GET", "shop.example", path, "192.0.2.1",
        subject, rule, "file_system:rules", "rules.yaml:3", "admins", "authorization_error", "only <root> may", "id-1",
        "", 1_500_000, List.of(new DecidedStep("staff", "authenticator", "jwt", "passed", 1000, "", ""),
            new DecidedStep("admins", "authorizer", "cel", "failed", 1000, "authorization_error", "only <root> may")));
  }

  private ConsoleContent render(String rest, Map<String, List<String>> parameters) {
    return page.render(new ConsoleVisit(null, rest, parameters, false, ""));
  }

  private String html(String rest, String... parameter) {
    Map<String, List<String>> parameters = parameter.length == 0 ? Map.of()
        : Map.of(parameter[0], List.of(parameter[1]));
    return ((ConsoleContent.Page) render(rest, parameters)).main().markup();
  }

  @Test
  void listLeadsToTheReason() {
    refuse("/admin/<x>", "alice", "shop:admin");
    String list = html("");
    assertTrue(list.contains("<a href=\"/console/refusals/1\">GET shop.example/admin/&lt;x&gt;</a>"), list);
    String detail = html("1");
    for (String part : List.of("only &lt;root&gt; may", "<code>rules.yaml:3</code>", "<code>id-1</code>", "alice",
        "authenticator, jwt", "<td class=\"brief bad\">failed</td>")) {
      assertTrue(detail.contains(part), () -> part + " is missing: " + detail);
    }
  }

  @Test
  void charactersThatReorderTextAreShownAsEscapes() {
    refuse("/a\u202e\u001b[2J", "\u2066eve\u009b", "r\u200f");
    for (String page : List.of(html(""), html("1"), html("", "subject", "\u2066eve\u009b"))) {
      assertTrue(page.contains("/a\\u202e\\u001b[2J") && page.contains("\\u2066eve\\u009b")
          && page.contains("r\\u200f"), page);
      assertTrue(page.codePoints().noneMatch(c -> Character.getType(c) == Character.FORMAT
          || Character.isISOControl(c) && c != '\n'), page);
    }
  }

  @ParameterizedTest
  @CsvSource({"subject, alice", "path, /a", "rule, r1"})
  void listIsFiltered(String parameter, String value) {
    refuse("/a", "alice", "r1");
    refuse("/b", "bob", "r2");
    String list = html("", parameter, value);
    assertTrue(list.contains("shop.example/a<"), list);
    assertFalse(list.contains("shop.example/b<"), list);
    assertTrue(list.contains("name=\"" + parameter + "\" value=\"" + value + "\""), list);
    assertTrue(html("", parameter, "none").contains("fits the filter"));
  }

  @ParameterizedTest
  @CsvSource({"1, 200", "2, 404", "0, 404", "-1, 404", "x, 404", "99999999999999999999, 404"})
  void numbersThatAreNotKeptAreMissing(String number, int status) {
    refuse("/a", "", "");
    assertEquals(status, ((ConsoleContent.Page) render(number, Map.of())).status());
  }

  private static String text(Optional<byte[]> event) {
    return event.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse("");
  }

  @Test
  void followersGetDecisionsAsTheyAreMade() throws Exception {
    try (EventSource denied = ((ConsoleContent.Events) render("events", Map.of())).source().get();
        EventSource all = ((ConsoleContent.Events) render("events", Map.of("decision", List.of("all")))).source()
            .get()) {
      feed.add(entry(true, "/open", "", "r"));
      assertTrue(text(all.next(Duration.ZERO)).startsWith("data: {\"answer\":\"200\""));
      assertEquals("", text(denied.next(Duration.ZERO)));
      for (int i = 0; i < 300; i++) {
        refuse("/" + i, "", "r");
      }
      String first = text(denied.next(Duration.ZERO));
      assertTrue(first.startsWith("data: {\"missed\":44}\n\ndata: {") && first.contains("\"path\":\"/0\""), first);
    }
    assertFalse(feed.takes(true), "nobody follows any more");
  }
}
