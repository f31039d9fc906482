package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.ChangedProgram;
import portcullis.fixture.FreePort;

/** A new field of the access events is one line: here one is added to the program. */
final class AddedFieldTest {
  private static final String PLACE = "      event.add(\"_http_host\", first(incoming, \"Host\"));\n";
  private static final String LINE = "      event.add(\"_http_accept\", first(incoming, \"Accept\"));\n";
  private static final String CONFIG = """
      log: {format: gelf, level: info}
      tracing: {enabled: false}
      metrics: {enabled: false}
      serve: {host: 127.0.0.1, port: %d}
      management: {host: 127.0.0.1, port: %d}
      mechanisms:
        authenticators: [{id: anon, type: anonymous}]
        finalizers: [{id: nothing, type: noop}]
      default_rule: {execute: [{authenticator: anon}, {finalizer: nothing}]}
      """;

  @TempDir
  private Path folder;

  @Test
  void aFieldIsOneLine() throws Exception {
    ChangedProgram program = new ChangedProgram(folder).edit("serve/service/RequestFields.java", PLACE, PLACE + LINE)
        .compile();
    int port = FreePort.next();
    Path file = Files.writeString(folder.resolve("config.yaml"), CONFIG.formatted(port, FreePort.next()));
    Process process = program.start("serve", "decision", "--insecure", "-c", file.toString());
    try (BufferedReader lines = process.inputReader()) {
      String started = line(lines, "\"_service\":\"decision\"");
      request(port);
      List<String> events = List.of(line(lines, "\"short_message\":\"TX "), line(lines, "\"short_message\":\"TX "));
      assertEquals(2, events.stream().filter(event -> event.contains("\"_http_accept\":\"text/odd\"")).count(),
          () -> started + events);
    } finally {
      process.destroy();
      process.waitFor();
    }
  }

  private static void request(int port) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/x")).header("Accept", "text/odd")
          .build(), BodyHandlers.discarding());
    }
  }

  /** The next line with this in it. */
  private static String line(BufferedReader lines, String part) throws IOException {
    StringBuilder all = new StringBuilder();
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      all.append(line).append('\n');
      if (line.contains(part)) {
        return line;
      }
    }
    throw new AssertionError("ended before " + part + ": " + all);
  }
}
