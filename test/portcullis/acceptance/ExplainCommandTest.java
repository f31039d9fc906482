package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.RunningImage;

/** {@code portcullis explain} as an operator calls it. */
class ExplainCommandTest {
  @TempDir
  private Path folder;

  private Release.Outcome run(String... words) throws IOException {
    List<String> line = new ArrayList<>(List.of(RunningImage.PROGRAM.toString()));
    line.addAll(List.of(words));
    return Release.run(Map.of(), line.toArray(String[]::new));
  }

  @Test
  void savedCaseNeedsNoRemoteService() throws IOException {
    HttpServer sessions = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    sessions.createContext("/", exchange -> {
      byte[] body = "{\"sub\":\"ann\",\"role\":\"guest\"}".getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    sessions.start();
    Path cases = folder.resolve("mine_test.yaml");
    Path rules = Files.writeString(folder.resolve("rules.yaml"), """
        version: 1alpha4
        rules:
        - id: my page
          match: { routes: [ { path: /me } ], methods: [ GET, HEAD ] }
          execute: [ { authenticator: session }, { authorizer: admin } ]
        """);
    Path config = Files.writeString(folder.resolve("config.yaml"), """
        mechanisms:
          authenticators:
          - id: session
            type: generic
            config:
              identity_info_endpoint: http://127.0.0.1:%d/whoami
              authentication_data_source: [ { cookie: sid } ]
              forward_cookies: [ sid ]
              principal: { id: sub }
              subject: { id: sub }
          authorizers:
          - { id: admin, type: cel, config: { expressions: [ { expression: 'Subject.Attributes.role == "admin"' } ] } }
        providers: { file_system: { src: %s } }
        """.formatted(sessions.getAddress().getPort(), rules).replace("      principal: { id: sub }\n", ""));
    try {
      Release.Outcome outcome = run("explain", "--insecure", "-c", config.toString(), "https://app.example/me", "-b",
          "sid=abcdef", "--expect", "403", "--save", cases.toString());
      assertEquals(0, outcome.status(), outcome.output());
      assertTrue(outcome.output().contains("`my page` of " + rules + ":3:3"), outcome.output());
      assertTrue(outcome.output().contains("Subject.Attributes.role = \"guest\""), outcome.output());
      assertEquals(1, run("explain", "--insecure", "-c", config.toString(), "https://app.example/me", "-b",
          "sid=abcdef", "--expect", "allow").status());
    } finally {
      sessions.stop(0);
    }
    Release.Outcome missed = run("explain", "--insecure", "-c", config.toString(), "POST", "https://app.example/me");
    assertTrue(missed.output().contains("`my page` would for GET and HEAD"), missed.output());
    Release.Outcome tested = run("test", "--insecure", cases.toString());
    assertEquals(0, tested.status(), tested.output() + Files.readString(cases));
  }
}
