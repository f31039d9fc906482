package portcullis.serve.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.http.message.Response;
import portcullis.lang.markup.Html;

final class ConsoleTest {
  private final ConsoleSetup console = new ConsoleSetup("[{authenticator: staff}]", List.of(page("first", false),
      page("echo", true)));

  /** A page that shows what it gets. */
  private static ConsolePage page(String name, boolean takesForms) {
    return new ConsolePage() {
      @Override
      public String name() {
        return name;
      }

      @Override
      public String title() {
        return "Page " + name;
      }

      @Override
      public boolean takesForms() {
        return takesForms;
      }

      @Override
      public ConsoleContent render(ConsoleVisit visit) {
        return ConsoleContent.page(title(), Html.of("<h1>{}</h1><p>{}|{}|{}</p>", title(), visit.rest(),
            visit.parameter("q").orElse("-"), visit.submitted()));
      }
    };
  }

  private Response get(String path, String... more) {
    String[] fields = new String[more.length + 2];
    fields[0] = "Authorization";
    fields[1] = ConsoleSetup.CREDENTIALS;
    System.arraycopy(more, 0, fields, 2, more.length);
    return console.get(path, fields);
  }

  private Response post(String... fields) {
    return console.send("POST", "http://localhost:4457/console/echo", "q=a%20b", fields);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/console/first", "/console/echo", "/console/console.css", "/console/none", "/console"})
  void nothingIsShownWithoutCredentials(String path) {
    Response refused = console.get(path);
    assertEquals(401, refused.status());
    assertFalse(ConsoleSetup.text(refused).contains("Page echo"), "names no page");
    assertTrue(get(path).status() != 401);
  }

  @Test
  void browsersAskForThePassword() {
    assertEquals("Basic realm=\"Portcullis console\", charset=\"UTF-8\"",
        console.get("/console/first").fields().joined("WWW-Authenticate").orElse(""));
    assertFalse(get("/console/first").fields().has("WWW-Authenticate"));
  }

  @Test
  void credentialsAreNotEnoughIfAStepDenies() {
    ConsoleSetup closed = new ConsoleSetup("[{authenticator: staff}, {authorizer: nobody}]",
        List.of(page("first", false)));
    assertEquals(403, closed.get("/console/first", "Authorization", ConsoleSetup.CREDENTIALS).status());
    assertEquals(200, get("/console/first").status());
  }

  @Test
  void pagesStandInTheLayout() {
    String text = ConsoleSetup.text(get("/console/echo/some/rest?q=%3Cb%3E"));
    assertTrue(text.contains("<title>Page echo · Portcullis</title>"), text);
    assertTrue(text.contains("<a href=\"/console/echo\" aria-current=\"page\">Page echo</a>"), text);
    assertTrue(text.contains("<p>some/rest|&lt;b&gt;|false</p>"), text);
    assertTrue(text.contains("Signed in as <strong>op</strong>"), text);
  }

  @ParameterizedTest
  @CsvSource({"/console, 302", "/console/, 302", "/console/first, 200", "/console/none, 404",
    "/console/console.js, 200",
    "/console/console.txt, 404"})
  void pathsLeadToPagesAndFiles(String path, int status) {
    assertEquals(status, get(path).status());
  }

  @Test
  void everyResponseForbidsWhatPagesDoNotNeed() {
    for (String path : List.of("/console/first", "/console/console.js", "/console/none", "/console")) {
      Response response = get(path);
      String policy = response.fields().joined("Content-Security-Policy").orElse("");
      assertTrue(policy.startsWith("default-src 'none';"), path);
      assertFalse(policy.contains("unsafe"), path);
      assertEquals("no-store", response.fields().joined("Cache-Control").orElse(""), path);
      assertEquals("nosniff", response.fields().joined("X-Content-Type-Options").orElse(""), path);
    }
  }

  @ParameterizedTest
  @CsvSource({"localhost, 200", "LOCALHOST, 200", "127.0.0.1, 200", "rebound.evil.test, 403",
    "localhost.evil.test, 403"})
  void otherHostNamesAreRefused(String host, int status) {
    assertEquals(status, console.send("GET", "http://" + host + ":4457/console/first", "", "Authorization",
        ConsoleSetup.CREDENTIALS).status());
  }

  @ParameterizedTest
  @CsvSource({"http://localhost:4457, 200", "http://localhost:3000, 403", "https://localhost:4457, 403",
    "https://evil.test, 403", "null, 403"})
  void formsOfOtherOriginsAreRefused(String origin, int status) {
    assertEquals(status, post("Authorization", ConsoleSetup.CREDENTIALS, "Origin", origin).status());
    assertEquals(status, get("/console/first", "Origin", origin).status());
  }

  @Test
  void formsWithoutOriginAreRefused() {
    assertEquals(403, post("Authorization", ConsoleSetup.CREDENTIALS).status());
    Response taken = post("Authorization", ConsoleSetup.CREDENTIALS, "Origin", "http://localhost:4457");
    assertTrue(ConsoleSetup.text(taken).contains("|a b|true"));
  }

  @ParameterizedTest
  @CsvSource({"same-origin, 200", "same-site, 403", "cross-site, 403", "none, 403"})
  void formsThatABrowserAttributesToOthersAreRefused(String site, int status) {
    assertEquals(status, post("Authorization", ConsoleSetup.CREDENTIALS, "Origin", "http://localhost:4457",
        "Sec-Fetch-Site", site, "Sec-Fetch-Mode", "navigate").status());
  }

  @ParameterizedTest
  @CsvSource({"none, navigate, 200", "same-origin, cors, 200", "cross-site, navigate, 200", "cross-site, no-cors, 403",
    "same-site, cors, 403"})
  void otherOriginsCanLinkButNotEmbed(String site, String mode, int status) {
    assertEquals(status, get("/console/first", "Sec-Fetch-Site", site, "Sec-Fetch-Mode", mode).status());
  }

  @Test
  void onlyPagesWithFormsTakeThem() {
    String[] fields = {"Authorization", ConsoleSetup.CREDENTIALS, "Origin", "http://localhost:4457"};
    assertEquals(405, console.send("POST", "http://localhost:4457/console/first", "", fields).status());
    assertEquals(405, console.send("PUT", "http://localhost:4457/console/echo", "", fields).status());
    assertEquals(200, console.send("POST", "http://localhost:4457/console/echo", "", fields).status());
    String large = "q=" + "a".repeat(300_000);
    assertEquals(413, console.send("POST", "http://localhost:4457/console/echo", large, fields).status());
  }
}
