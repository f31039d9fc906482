package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;

/** What telemetry that is off costs in the image: not one class of it. */
final class TelemetryOffTest {
  private static final String CONFIG = """
      log: {level: info}
      tracing: {enabled: %s}
      metrics: {enabled: %s}
      serve: {host: 127.0.0.1, port: %d}
      management: {host: 127.0.0.1, port: %d}
      mechanisms:
        authenticators: [{id: anon, type: anonymous}, {id: none, type: unauthorized}]
        finalizers: [{id: noop, type: noop}]
      default_rule: {execute: [{authenticator: anon}, {finalizer: noop}]}
      """;

  @TempDir
  private Path folder;

  /**
   * From its start to its end, a request between; without the AOT cache, which loads what it has in it whoever wants
   * it.
   */
  @ParameterizedTest
  @CsvSource({"false, false, false", "true, false, true", "false, true, true"})
  void openTelemetryIsLoadedWhereItIsWanted(boolean tracing, boolean metrics, boolean loaded) throws Exception {
    int port = FreePort.next();
    Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(tracing, metrics, port, FreePort.next()));
    Map<String, String> variables = Map.of("PORTCULLIS_JAVA_OPTIONS", "-XX:AOTMode=off "
        + "-Xlog:class+load=info:file=classes.log",
        "OTEL_TRACES_EXPORTER", "none", "OTEL_METRICS_EXPORTER", "otlp", "OTEL_EXPORTER_OTLP_ENDPOINT",
        "http://127.0.0.1:9");
    try (
        RunningImage image = RunningImage.startIn(folder, variables, "serve", "decision", "-c", "config.yaml",
            "--insecure");
        HttpClient client = HttpClient.newHttpClient()) {
      image.await("Starting listening .*_service=decision");
      HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/x")).build();
      assertEquals(200, client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
      assertEquals(0, image.stop(), image.output());
    }
    List<String> classes = classes();
    assertTrue(classes.stream().anyMatch(line -> line.contains(" portcullis.cli.")),
        "no class of the program is logged");
    assertEquals(loaded, classes.stream().anyMatch(line -> line.contains(" io.opentelemetry.")),
        () -> classes.stream().filter(line -> line.contains(" io.opentelemetry.")).findFirst()
            .orElse("none is loaded"));
  }

  /** Checked before a restart rather than by it. */
  @Test
  void decisionLogByADisabledSdkIsInvalid() throws Exception {
    String config = CONFIG.formatted(false, false, FreePort.next(), FreePort.next()) + "decision_log: {otlp: true}\n";
    Files.writeString(folder.resolve("config.yaml"), config);
    for (List<String> words : List.of(List.of("validate", "config"), List.of("serve", "decision"))) {
      try (RunningImage image = RunningImage.startIn(folder, Map.of("OTEL_SDK_DISABLED", "true"), words.get(0),
          words.get(1), "-c", "config.yaml", "--insecure")) {
        assertEquals(1, image.exitStatus(), image.output());
        image.await("decision_log.otlp: OpenTelemetry is disabled by OTEL_SDK_DISABLED");
      }
    }
  }

  private List<String> classes() throws IOException {
    return Files.readAllLines(folder.resolve("classes.log"));
  }
}
