package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;
import portcullis.http.server.Descriptors;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.observe.telemetry.RequestId;

/** What is logged of a bug. */
final class RecoveryTest {
  private interface Check {
    void sent(HttpClient client, HttpRequest request) throws Exception;
  }

  private static String logged(Layer.Handler handler, int status) throws Exception {
    return logged(handler,
        (client, request) -> assertEquals(status,
            client.send(request, HttpResponse.BodyHandlers.ofString()).statusCode()));
  }

  private static String logged(Layer.Handler handler, Class<? extends Exception> failure) throws Exception {
    return logged(handler,
        (client, request) -> assertThrows(failure, () -> client.send(request, HttpResponse.BodyHandlers.ofString())));
  }

  private static String logged(Layer.Handler handler, Check check) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LogWriter writer = new LogWriter(out); HttpClient client = HttpClient.newHttpClient()) {
      Log log = new Log(Level.ERROR, LogFormat.TEXT, writer, InstantSource.system(), "");
      Listener listener = Listener.start("test", ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), handler,
          new TelemetrySinks(Optional.empty(), Optional.empty()), log, InstantSource.system(), new Descriptors());
      HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + listener.port() + "/x")).build();
      check.sent(client, request);
      listener.stop(Duration.ofSeconds(10));
    }
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void bugIsLoggedWithAllCausesUnderTheIdOfItsRequest() throws Exception {
    String log = logged(_ -> {
      throw new IllegalStateException("top", new IOException("below", new IllegalArgumentException("deepest")));
    }, 500);
    Matcher bug = Pattern.compile("ERR runtime error occurred error=(.*) _request_id=(\\w{16})").matcher(log);
    assertTrue(bug.find(), log);
    assertTrue(bug.group(1).matches(".*IllegalStateException: top at .*IOException: below at .*deepest at .*"), log);
    assertTrue(
        log.lines().anyMatch(line -> line.contains("TX finished") && line.contains("_request_id=" + bug.group(2))),
        log);
  }

  @Test
  void linesOfARequestShareAnIdWithoutTracing() throws Exception {
    String log = logged(transaction -> transaction.answer(Response.of(204)), 204);
    Matcher lines = Pattern.compile("(?m)^\\d{4}-\\d\\d-\\d\\dT[\\d:]{8}\\.\\d{3}(?:Z|[+-]\\d\\d:\\d\\d) INF TX (\\w+) "
        + ".*_request_id=(\\w{16})").matcher(log);
    assertTrue(lines.find(), log);
    assertEquals("started", lines.group(1));
    String id = lines.group(2);
    assertTrue(lines.find(), log);
    assertEquals("finished", lines.group(1));
    assertEquals(id, lines.group(2));
    assertEquals(Optional.empty(), RequestId.text());
  }

  @ParameterizedTest
  @ValueSource(ints = {10, -1})
  void bugBehindTheHeadOfAResponseBreaksItOff(int length) throws Exception {
    CountDownLatch broken = new CountDownLatch(1);
    String log = logged(transaction -> {
      InputStream body = new InputStream() {
        private int left = 3;

        @Override
        public int read() {
          if (left-- == 0) {
            broken.countDown();
            throw new IllegalStateException("behind the head");
          }
          return 'a';
        }
      };
      try (HttpExchange _ = transaction.exchange()) { // closed on the way out, which does not make it whole
        transaction.reply().stream(200, Fields.NONE, length, body, () -> Fields.NONE);
      }
    }, IOException.class);
    assertEquals(0, broken.getCount());
    assertTrue(log.contains("IllegalStateException: behind the head"), log);
  }

  /** Takes all the memory that there is, and lets go of it. */
  private static void exhaust() {
    List<long[]> all = new ArrayList<>();
    while (true) {
      all.add(new long[Integer.MAX_VALUE - 8]);
    }
  }

  @Test
  void outOfMemoryIs503ForThisRequestAlone() throws Exception {
    String log = logged(_ -> exhaust(), 503);
    assertTrue(log.contains("OutOfMemoryError") && log.contains("_http_status_code=503"), log);
  }
}
