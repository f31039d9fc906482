package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;
import portcullis.fixture.StubService;

/** {@code portcullis init}, and the commands that it names, as an operator calls them. */
final class InitCommandTest {
  private static final String PROGRAM = RunningImage.PROGRAM.toString();
  private static final List<String> FLAGS = List.of("--insecure-skip-ingress-tls-enforcement",
      "--insecure-skip-upstream-tls-enforcement", "--insecure-skip-egress-tls-enforcement");

  @TempDir
  private Path folder;

  private static Release.Outcome run(Object... words) throws Exception {
    return Release.run(Map.of(), List.of(words).stream().map(Object::toString).toArray(String[]::new));
  }

  private RunningImage serve(String mode, int port) {
    Map<String, String> ports = Map.of("PORTCULLISCFG_SERVE_PORT", Integer.toString(port),
        "PORTCULLISCFG_MANAGEMENT_PORT", Integer.toString(FreePort.next()));
    return RunningImage.startIn(folder, ports, "serve", mode, FLAGS.get(0), FLAGS.get(1), FLAGS.get(2), "-c",
        "app/portcullis.yaml");
  }

  private static HttpResponse<String> get(HttpClient client, String url, String... fields) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    if (fields.length > 0) {
      request.headers(fields);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @ParameterizedTest
  @CsvSource({"oidc, proxy, /assets/logo.svg, /", "oidc, decision, /assets/logo.svg, /",
    "api, proxy, /health, /api/orders", "api, decision, /health, /api/orders",
    "session, decision, /assets/logo.svg, /"})
  void eachKindIsServedAsWritten(String kind, String mode, String open, String closed) throws Exception {
    int port = FreePort.next();
    try (StubService application = new StubService(_ -> StubService.ok("hello"));
        HttpClient client = HttpClient.newHttpClient()) {
      run(PROGRAM, "init", "--kind", kind, "--mode", mode, "--upstream", application.url(""), folder.resolve("app"))
          .assertStatus(0).assertSays("portcullis serve " + mode);
      run(PROGRAM, "validate", "config", "--insecure", "-c", folder.resolve("app/portcullis.yaml")).assertStatus(0);
      run(PROGRAM, "test", "--insecure", folder.resolve("app")).assertStatus(0).assertSays(", 0 failed");
      try (RunningImage image = serve(mode, port)) {
        image.await("_service=" + mode);
        assertEquals(200, get(client, "http://127.0.0.1:" + port + open).statusCode(), image.output());
        assertEquals(401, get(client, "http://127.0.0.1:" + port + closed).statusCode(), image.output());
      }
      assertEquals(mode.equals("proxy") ? 1 : 0, application.receivedCalls().size());
    }
  }

  @Test
  void sessionsAreCheckedAndBrowsersSentToTheLoginPage() throws Exception {
    int port = FreePort.next();
    try (StubService application = new StubService(_ -> StubService.ok("hello"));
        StubService sessions = new StubService(request -> request.field("Cookie").equals("sid=s1")
            ? StubService.ok("{\"identity\":{\"id\":\"ann\"},\"groups\":[\"staff\"]}", "Content-Type: application/json")
            : StubService.answer(401, ""));
        HttpClient client = HttpClient.newHttpClient()) {
      run(PROGRAM, "init", "--kind=session", "--upstream", application.url(""), "--session", sessions.url("/session"),
          "--cookie=sid", "--login=https://login.example/in", folder.resolve("app")).assertStatus(0)
          .assertSays("--insecure-skip-egress-tls-enforcement");
      run(PROGRAM, "test", "--insecure", folder.resolve("app")).assertStatus(0);
      try (RunningImage image = serve("proxy", port)) {
        image.await("_service=proxy");
        String site = "http://127.0.0.1:" + port;
        assertEquals(200, get(client, site + "/orders", "Cookie", "sid=s1").statusCode(), image.output());
        assertEquals("ann", application.last().field("X-User"));
        assertEquals(403, get(client, site + "/admin", "Cookie", "sid=s1").statusCode());
        assertEquals(401, get(client, site + "/orders", "Cookie", "sid=s2").statusCode());
        HttpResponse<String> browser = get(client, site + "/orders", "Accept", "text/html");
        assertEquals(302, browser.statusCode());
        assertTrue(
            browser.headers().firstValue("Location").orElse("").startsWith("https://login.example/in?return_to="),
            browser.toString());
      }
    }
  }

  @Test
  void anExistingFolderIsNotOverwritten() throws Exception {
    run(PROGRAM, "init", "--kind", "oidc", folder).assertStatus(0);
    String before = Files.readString(folder.resolve("portcullis.yaml"));
    run(PROGRAM, "init", "--kind", "api", folder).assertStatus(1).assertSays("nothing was written, as ");
    assertEquals(before, Files.readString(folder.resolve("portcullis.yaml")));
  }
}
