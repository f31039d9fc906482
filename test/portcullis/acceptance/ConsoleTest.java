package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.RunningImage;

/** The console of the built image, without a browser. */
final class ConsoleTest {
  @TempDir
  private Path folder;

  @Test
  void figuresAreThoseOfTheMetrics() throws IOException {
    try (ConsoleSite site = new ConsoleSite(folder)) {
      for (int i = 0; i < 20; i++) {
        assertEquals(200, site.request("/open/" + i));
        assertEquals(i < 7 ? 403 : 401, site.request(i < 7 ? "/admin/users" : "/elsewhere"));
      }
      String page = site.console("now/data").body();
      String metrics = site.metrics();
      assertEquals(sum(metrics, "portcullis_rule_decisions_total", "rule_decision=\"allowed\""),
          total(page, "allowed"));
      assertEquals(sum(metrics, "portcullis_rule_decisions_total", "rule_decision=\"denied\""), total(page, "denied"));
      assertEquals(sum(metrics, "http_server_request_duration_seconds_count", "service_subsystem=\"decision\""),
          total(page, "requests"));
      assertEquals(40, total(page, "requests"));
      String rule = "\"allowed\":0,\"denied\":7,\"per_second\":[0-9.e-]+,\"rule\":\"shop:admin\"";
      assertTrue(Pattern.compile(rule).matcher(page).find(), page);
    }
  }

  @Test
  void pagesShowRulesServicesAndChangesWithoutSecrets() throws IOException {
    try (ConsoleSite site = new ConsoleSite(folder)) {
      site.request("/admin/users");
      String rules = site.console("rules?url=http://app.example/open/1").body();
      assertTrue(rules.contains("rules.yaml:4</span>"), rules);
      assertTrue(rules.contains("<strong>shop:open</strong>"), rules);
      String services = site.console("services").body();
      assertTrue(services.contains("Caches"), services);
      String changes = site.console("changes").body();
      assertTrue(changes.contains(">start</td>"), changes);
      for (String page : List.of(rules, services, changes)) {
        assertFalse(page.contains("secret\""), page);
      }
    }
  }

  @Test
  void rulesShowWhichTestCasesCoverThem() throws IOException {
    try (ConsoleSite site = new ConsoleSite(folder)) {
      assertTrue(site.console("rules").body().contains("cannot read "), "not tested yet");
      Files.writeString(folder.resolve("rules_test.yaml"), """
          cases:
            - {name: open to all, request: GET http://app.example/open/1, expect: {status: 200}}
            - {name: not known, request: GET http://app.example/elsewhere, expect: {status: 401}}
          """);
      String tested = site.test();
      assertTrue(tested.contains("2 passed, 0 failed"), tested);
      String rules = site.console("rules").body();
      assertTrue(rules.contains("<td data-label=\"Test cases\">1 case, <span class=\"soft\">2 of 2 outcomes"), rules);
      assertTrue(rules.contains("<td data-label=\"Test cases\"><span class=\"warn\">none"), "shop:admin");
      Path file = folder.resolve("rules.yaml");
      Files.writeString(file, Files.readString(file).replace("[{authenticator: anon}]", "[{authenticator: staff}]"));
      site.test();
      rules = site.console("rules").body(); // the service has not read the new rules
      assertTrue(rules.contains("1 case of another version of this rule"), rules);
    }
  }

  private static long sum(String metrics, String name, String label) {
    return metrics.lines().filter(line -> line.startsWith(name + "{") && line.contains(label))
        .mapToLong(line -> Math.round(Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))).sum();
  }

  private static long total(String json, String name) {
    Matcher found = Pattern.compile("\"" + name + "\":\\{\"per_second\":[0-9.e-]+,\"total\":(\\d+)}").matcher(json);
    assertTrue(found.find(), json);
    return Long.parseLong(found.group(1));
  }

  @Test
  void consoleIsForItsIdentitiesAndItsOrigin() throws IOException {
    try (ConsoleSite site = new ConsoleSite(folder)) {
      String own = site.console().replace("/console/", "");
      assertEquals(200, site.console("now").statusCode());
      assertEquals(200, site.console("now", "Origin", own).statusCode());
      assertEquals(403, site.console("now", "Origin", "https://evil.example").statusCode());
      assertEquals(403, site.post("now", "https://evil.example").statusCode());
      assertEquals(405, site.post("now", own).statusCode(), "a page without a form");
      assertEquals(403, site.post("try", "https://evil.example").statusCode());
      assertEquals(400, site.post("try", own).statusCode(), "a form without a URL");
      for (String request : List.of("GET /console/now HTTP/1.1\r\nHost: 127.0.0.1",
          "GET /console/console.css HTTP/1.1\r\nHost: 127.0.0.1")) {
        assertTrue(raw(site, request).startsWith("HTTP/1.1 401 "), request);
      }
      String rebound = raw(site, "GET /console/now HTTP/1.1\r\nHost: rebound.example\r\nAuthorization: "
          + ConsoleSite.CREDENTIALS);
      assertTrue(rebound.startsWith("HTTP/1.1 403 "), rebound);
    }
  }

  private static String raw(ConsoleSite site, String head) throws IOException {
    URI uri = URI.create(site.console());
    try (Socket socket = new Socket(uri.getHost(), uri.getPort())) {
      socket.getOutputStream().write((head + "\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      {enabled: true}                                      | 127.0.0.1 | the console is enabled for everyone
      {enabled: true, execute: [{authenticator: staff}]}   | 0.0.0.0   | without TLS
      {enabled: true, execute: []}                         | 127.0.0.1 | must contain at least 1 item
      {enabled: true, execute: [{authorizer: no}]}         | 127.0.0.1 | there is no authenticator
      """)
  void unsafeConsolesAreRefusedAtStart(String console, String host, String problem) throws IOException {
    Path config = Files.writeString(folder.resolve("config.yaml"), """
        management: {host: %s, console: %s}
        mechanisms:
          authenticators: [{id: staff, type: basic_auth, config: {user_id: op, password: secret}}]
          authorizers: [{id: no, type: deny}]
        """.formatted(host, console));
    try (RunningImage image = RunningImage.startIn(folder, "serve", "decision", "-c", config.toString(),
        "--insecure")) {
      assertEquals(1, image.exitStatus());
      assertTrue(image.output().contains(problem), image.output());
    }
  }

  @Test
  void commandsShowTheSameOnATerminal() throws IOException {
    try (ConsoleSite site = new ConsoleSite(folder)) {
      site.request("/open/x");
      site.request("/admin/users?token=abc");
      String tail = site.command("tail", "--denied", "--rule", "shop:admin", "--count", "1");
      String expected = "\\d\\d:\\d\\d:\\d\\d 403 denied GET 127\\.0\\.0\\.1:\\d+/admin/users "
          + "rule=shop:admin step=admins subject=op client=127\\.0\\.0\\.1 request_id=\\w+: "
          + "authorization error: only root may do this\n";
      assertTrue(tail.matches(expected), tail);
      String top = site.command("top", "--count", "1");
      assertTrue(Pattern.compile("(?m)^ +\\S+ +1 +0  shop:open$").matcher(top).find(), top);
      Files.writeString(folder.resolve("op.txt"), "Authorization: Basic b3A6d3Jvbmc=\n");
      assertTrue(site.command("top", "--count", "1").contains("does not accept the credentials"));
    }
  }

  @Test
  void readersOfEventsAreBoundedAndHoldNothingUp() throws IOException {
    try (ConsoleSite site = new ConsoleSite(folder)) {
      List<Socket> readers = new ArrayList<>();
      try {
        for (int i = 0; i < 16; i++) { // none of which reads on
          readers.add(reader(site, "refusals/events?decision=all", "200"));
        }
        readers.add(reader(site, "now/events", "503"));
        for (int i = 0; i < 2_000; i++) {
          assertEquals(200, site.request("/open/" + i));
        }
        assertEquals(2_000, total(site.console("now/data").body(), "allowed"));
      } finally {
        for (Socket reader : readers) {
          reader.close();
        }
      }
    }
  }

  @Test
  void aLockEndsLivePagesAtOnce() throws IOException {
    try (ConsoleSite site = new ConsoleSite(folder);
        Socket figures = reader(site, "now/events", "200");
        Socket decisions = reader(site, "refusals/events?decision=all", "200")) {
      assertTrue(site.lock().startsWith("locked: "));
      for (Socket live : List.of(figures, decisions)) {
        live.setSoTimeout(10_000); // it is decided again every 15 s
        StringBuilder rest = new StringBuilder();
        for (int next = 0; next >= 0 && rest.indexOf("0\r\n\r\n") < 0;) {
          next = live.getInputStream().read();
          rest.append((char) next);
        }
        assertTrue(rest.toString().endsWith("0\r\n\r\n"), rest::toString);
      }
      assertEquals(401, site.console("now").statusCode());
    }
  }

  private static Socket reader(ConsoleSite site, String path, String status) throws IOException {
    URI uri = URI.create(site.console());
    Socket socket = new Socket(uri.getHost(), uri.getPort());
    socket.getOutputStream().write(("GET /console/" + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: "
        + ConsoleSite.CREDENTIALS + "\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
    BufferedReader in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
    assertEquals("HTTP/1.1 " + status, in.readLine().substring(0, 12));
    return socket;
  }
}
