package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
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
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;

/** Classes that a start needs are in the AOT cache: each that is not takes a millisecond of it or more. */
final class CachedClassesTest {
  private static final String CONFIG = """
      log: {level: info}
      tracing: {enabled: false}
      metrics: {enabled: false}
      serve: {host: 127.0.0.1, port: %d}
      management: {host: 127.0.0.1, port: %d}
      mechanisms:
        authenticators: [{id: anon, type: anonymous}]
        finalizers: [{id: noop, type: noop}]
      default_rule: {execute: [{authenticator: anon}, {finalizer: noop}]}
      """;

  @TempDir
  private Path folder;

  /** Neither from its jar nor, as the switch over types of javac does, made when it is first reached. */
  @Test
  void aServiceThatDecidesTakesItsClassesFromTheCache() throws Exception {
    assumeTrue(Files.readString(Path.of("build/image.stamp")).strip().equals("classes"),
        "a cache with profiles has what the service of the training used");
    List<String> other = loaded().stream().filter(line -> !line.contains("source: shared objects file")).toList();
    assertEquals(List.of(), other.stream().filter(line -> line.contains("portcullis."))
        .filter(line -> line.contains("portcullis.jar") || line.contains("$$TypeSwitch")).toList());
    assertEquals(List.of(), other.stream().filter(line -> line.contains(" java.time.zone.")).toList());
    assertTrue(other.size() < 60, String.join("\n", other));
  }

  private List<String> loaded() throws Exception {
    int port = FreePort.next();
    Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(port, FreePort.next()));
    Map<String, String> variables = Map.of("PORTCULLIS_JAVA_OPTIONS", "-Xlog:class+load=info:file=classes.log", "TZ",
        "America/New_York");
    try (
        RunningImage image = RunningImage.startIn(folder, variables, "serve", "decision", "-c", "config.yaml",
            "--insecure");
        HttpClient client = HttpClient.newHttpClient()) {
      image.await("Portcullis started .*_service=decision");
      HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/x")).build();
      assertEquals(200, client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
      assertEquals("lib/app", cachedFolder(image.pid()), "where the cache looks for its jars");
      assertEquals(0, image.stop(), image.output());
    }
    return Files.readAllLines(folder.resolve("classes.log"));
  }

  private static String cachedFolder(long pid) throws IOException {
    Path image = RunningImage.PROGRAM.getParent().getParent().toRealPath();
    return image.relativize(Path.of("/proc/" + pid + "/fd/8").toRealPath()).toString();
  }
}
