package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Needs;

/** Clients that others wrote, through the built image; a test whose program is not installed is skipped. */
class ClientsTest {
  @TempDir
  private Path folder;
  private GuardedSite site;

  @BeforeEach
  void start() throws IOException {
    site = GuardedSite.start(folder, ClientsTest::count);
  }

  @AfterEach
  void stop() {
    site.close();
  }

  /** Answers with the method and how many bytes came. */
  private static void count(HttpExchange exchange) throws IOException {
    long bytes = exchange.getRequestBody().transferTo(OutputStream.nullOutputStream());
    byte[] text = (exchange.getRequestMethod() + " " + bytes).getBytes(StandardCharsets.US_ASCII);
    exchange.sendResponseHeaders(200, exchange.getRequestMethod().equals("HEAD") ? -1 : text.length);
    exchange.getResponseBody().write(text);
    exchange.close();
  }

  private String output(String program, String... words) throws IOException, InterruptedException {
    Needs.program(program);
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(List.of(words));
    Path out = folder.resolve("output");
    Process run = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    assertTrue(run.waitFor(60, TimeUnit.SECONDS), program + " does not end");
    return Files.readString(out);
  }

  private String url(String path) {
    return "http://127.0.0.1:" + site.port() + path;
  }

  @ParameterizedTest
  @ValueSource(strings = {"--http1.0", "--http1.1", "--http2", "--http2-prior-knowledge"})
  void curlWorksInEveryHttpVersion(String version) throws Exception {
    Path body = Files.write(folder.resolve("body"), new byte[2_000_000]);
    assertEquals("GET 0", output("curl", "-sS", version, url("/open/x")));
    assertEquals("POST 2000000", output("curl", "-sS", version, "--data-binary", "@" + body, url("/open/x")));
    assertEquals("PUT 2000000",
        output("curl", "-sS", version, "-H", "Expect: 100-continue", "-T", body.toString(), url("/open/x")));
    if (!version.equals("--http1.0")) {
      assertEquals("POST 2000000",
          output("curl", "-sS", version, "-H", "Transfer-Encoding: chunked", "--data-binary", "@" + body,
              url("/open/x")));
    }
    assertTrue(output("curl", "-sS", version, "-I", url("/open/x")).contains(" 200"));
    assertEquals("401", output("curl", "-sS", version, "-o", "/dev/null", "-w", "%{http_code}", url("/closed")));
  }

  @Test
  void nghttpWorks() throws Exception {
    String text = output("nghttp", "-v", "-H", "x-a: b", url("/open/x"), url("/open/y"));
    assertEquals(2, text.split(":status: 200", -1).length - 1, text);
    assertTrue(text.contains("GET 0"), text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "--h1"})
  void h2loadWorksWithManyRequests(String version) throws Exception {
    List<String> words = new ArrayList<>(List.of("-n", "3000", "-c", "10", "-m", "10"));
    words.addAll(version.isEmpty() ? List.of() : List.of(version));
    words.add(url("/open/x"));
    String text = output("h2load", words.toArray(String[]::new));
    assertTrue(text.contains("3000 succeeded, 0 failed, 0 errored, 0 timeout"), text);
    assertTrue(text.contains("status codes: 3000 2xx, 0 3xx, 0 4xx, 0 5xx"), text);
  }
}
