package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;

/** Shadow rules of a service whose rules have to be signed: only signed ones are compared and promoted. */
final class ShadowBundleTest {
  private static final String CANARY = "c4narY-s3cret-7f19";

  @TempDir
  private Path folder;
  private final HttpClient client = HttpClient.newHttpClient();
  private final int port = FreePort.next();
  private final int management = FreePort.next();

  private String at(String name) {
    return folder.resolve(name).toString();
  }

  private Release.Outcome run(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of(RunningImage.PROGRAM.toString()));
    command.addAll(List.of(words));
    return Release.run(Map.of(), command.toArray(String[]::new));
  }

  private void sign(String out, int counter, String authorizer, String... keys) throws IOException {
    Files.writeString(folder.resolve("shop.yaml"), "version: 1alpha4\nrules:\n"
        + "  - {id: shop, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}, {authorizer: " + authorizer
        + "}]}\n");
    List<String> words = new ArrayList<>(List.of("bundle", "sign", "--force", "--counter", "" + counter, "--not-after",
        "2999-01-01T00:00:00Z", "--out", at(out)));
    for (String key : keys) {
      words.addAll(List.of("--key", at(key + ".pem")));
    }
    words.add(at("shop.yaml"));
    run(words.toArray(String[]::new)).assertStatus(0);
  }

  private String get(int at, String path) throws Exception {
    HttpResponse<String> answer = client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + at + path))
        .header("Authorization", "Bearer " + CANARY).build(), HttpResponse.BodyHandlers.ofString());
    return at == port ? "" + answer.statusCode() : answer.body();
  }

  private void awaitStatus(String text) throws Exception {
    Await.until(Duration.ofMinutes(2), () -> get(management, "/status").contains(text),
        () -> "never `" + text + "`: " + get(management, "/status"));
  }

  @Test
  void onlySignedShadowRulesAreComparedAndPromoted() throws Exception {
    Release.assumeTool("openssl");
    for (String name : List.of("ann", "bob")) {
      run0("openssl", "genpkey", "-algorithm", "ed25519", "-out", at(name + ".pem"));
      run0("openssl", "pkey", "-in", at(name + ".pem"), "-pubout", "-out", at(name + ".pub"));
    }
    Files.writeString(folder.resolve("config.yaml"), """
        log: { level: info }
        tracing: { enabled: false }
        metrics: { enabled: false }
        serve: { host: 127.0.0.1, port: %d }
        management: { host: 127.0.0.1, port: %d }
        mechanisms:
          authenticators: [ { id: anon, type: anonymous } ]
          authorizers: [ { id: may, type: allow }, { id: never, type: deny } ]
        providers:
          file_system:
            src: "%s"
            shadow: "%s"
            watch: true
            require_signature: { keys: [ "%s", "%s" ], threshold: 2, state: "%s" }
        """.formatted(port, management, at("rules.bundle"), at("shadow.bundle"), at("ann.pub"), at("bob.pub"),
        at("state")));
    sign("rules.bundle", 1, "may", "ann", "bob");
    sign("shadow.bundle", 2, "never", "ann");
    try (RunningImage service = RunningImage.start("serve", "decision", "-c", at("config.yaml"), "--insecure")) {
      service.await("Portcullis started");
      awaitStatus("too few signatures");
      assertEquals("200", get(port, "/a"));
      assertFalse(get(management, "/status").contains("\"compared\":true"));

      sign("shadow.bundle", 2, "never", "ann", "bob");
      awaitStatus("\"compared\":true");
      assertEquals("200", get(port, "/a"));
      awaitStatus("\"newly_denied\":1");
      String before = Files.readString(folder.resolve("state"));
      run("promote", "-c", at("config.yaml"), "--insecure").assertStatus(0).assertSays("the service has applied them");
      assertEquals("403", get(port, "/a"));
      assertFalse(before.equals(Files.readString(folder.resolve("state"))), "its counter is recorded once it is live");

      sign("rules.bundle", 1, "may", "ann", "bob"); // the old rules are not taken back
      awaitStatus("counter");
      assertEquals("403", get(port, "/a"));
      for (String name : List.of("rules.bundle", "state")) {
        assertFalse(Files.readString(folder.resolve(name)).contains(CANARY), name);
      }
      service.stop();
      assertFalse(service.output().contains(CANARY), service.output());
    }
  }

  private static void run0(String... command) throws IOException {
    assertEquals(0, Release.run(Map.of(), command).status());
  }
}
