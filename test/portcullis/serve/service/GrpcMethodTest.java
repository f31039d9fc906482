package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.grpc.Code;
import portcullis.http.grpc.GrpcException;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.http.message.WireResponse;
import portcullis.http.server.Descriptors;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

/** How a call of a method is answered and logged, line by line of its response. */
class GrpcMethodTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final byte[] EMPTY = new byte[5];

  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(written);
  private final Log log = new Log(Level.ERROR, LogFormat.GELF, writer, InstantSource.system(), "test");
  private final CountDownLatch end = new CountDownLatch(1);
  private final WireClient client = new WireClient(ClientLimits.DEFAULT);
  private final GrpcHandler calls = new GrpcHandler(Map.of("/t/Echo", (message, _, _) -> message, "/t/Fails",
      (_, _, _) -> {
        throw new GrpcException(Code.FAILED_PRECONDITION, "not today");
      }, "/t/Denies", (message, transaction, _) -> {
        transaction.setCode(Code.PERMISSION_DENIED);
        return message;
      }));
  private Optional<Listener> listener = Optional.empty();

  @AfterEach
  void stop() {
    end.countDown();
    listener.ifPresent(one -> one.stop(Duration.ofSeconds(1)));
    client.close();
    writer.close();
  }

  private int started(Duration read) throws IOException {
    ListenerSettings settings = ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.TIMEOUT,
        new ListenerSettings.Timeouts(read, LONG, LONG, Optional.of(LONG), Optional.of(LONG), Optional.of(LONG)));
    listener = Optional.of(Listener.startCalls("decision", settings, Optional.empty(), calls, TelemetrySinks.NONE, log,
        InstantSource.system(), new Descriptors()));
    return listener.get().port();
  }

  private HttpResponse<InputStream> called(int port, String path, InputStream message) throws Exception {
    return client.send(
        new WireRequest(new WireRequest.Parts("POST", URI.create("h2c://127.0.0.1:" + port), path,
            Fields.of("Host", "a.test", "Content-Type", "application/grpc", "TE", "trailers"), message, -1,
            () -> Fields.NONE, (_, _) -> {}, LONG, LONG)),
        HttpResponse.BodyHandlers.ofInputStream());
  }

  /** Stops the service; the line of its one request. */
  private String finished() {
    listener.orElseThrow().stop(Duration.ofSeconds(5));
    writer.close();
    return written.toString(UTF_8).lines().filter(line -> line.contains("TX finished")).findFirst().orElse("");
  }

  @Test
  void anAnswerHasItsStatusBehindIt() throws Exception {
    HttpResponse<InputStream> response = called(started(LONG), "/t/Echo", new ByteArrayInputStream(EMPTY));
    try (InputStream body = response.body()) {
      assertEquals(5, body.readAllBytes().length);
    }
    WireResponse wire = WireResponse.of(response);
    assertEquals("200 application/grpc 0", response.statusCode() + " " + wire.fields().first("Content-Type").orElse("")
        + " " + wire.trailers().first("grpc-status").orElse(""));
    assertEquals(Optional.empty(), wire.fields().first("grpc-status"));
    String line = finished();
    assertTrue(line.contains("\"_grpc_status_code\":0") && !line.contains("_error"), line);
  }

  @Test
  void aMethodThatFailsIsAnsweredByFieldsAlone() throws Exception {
    HttpResponse<InputStream> response = called(started(LONG), "/t/Fails", new ByteArrayInputStream(EMPTY));
    try (InputStream body = response.body()) {
      assertEquals(0, body.readAllBytes().length);
    }
    Fields fields = WireResponse.of(response).fields();
    assertEquals("200 application/grpc identity 9 not today", String.join(" ", Integer.toString(response.statusCode()),
        fields.first("Content-Type").orElse(""), fields.first("grpc-accept-encoding").orElse(""),
        fields.first("grpc-status").orElse(""), fields.first("grpc-message").orElse("")));
    String line = finished();
    assertTrue(line.contains("\"_grpc_status_code\":9") && line.contains("\"_error\":\"not today\""), line);
  }

  @Test
  void theCodeThatAMethodReportsIsLogged() throws Exception {
    called(started(LONG), "/t/Denies", new ByteArrayInputStream(EMPTY)).body().close();
    String line = finished();
    assertTrue(line.contains("\"_grpc_status_code\":7"), line);
  }

  /** Yields nothing before the latch is open. */
  private final class Silence extends InputStream {
    @Override
    public int read() throws IOException {
      try {
        end.await();
        return -1;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException(e);
      }
    }
  }

  @Test
  void aMessageThatDoesNotComeInTimeIs408() throws Exception {
    HttpResponse<InputStream> response = called(started(Duration.ofMillis(300)), "/t/Echo", new Silence());
    response.body().close();
    assertEquals(408, response.statusCode());
    String line = finished();
    assertTrue(line.contains("\"_http_status_code\":408") || line.contains("\"_error\":"), line);
    assertFalse(written.toString(UTF_8).contains("runtime error"), line);
  }

  /** Here behind a listener that serves listed hosts only. */
  @Test
  void whatIsNoRequestEndsItsConnection() throws Exception {
    listener = Optional.of(Listener.start("test", ListenerSettings.plain("127.0.0.1", 0), Optional.empty(),
        calls::handle, TelemetrySinks.NONE, log, InstantSource.system(), new Descriptors()));
    String answer = OneRequest.answer(listener.get().port(),
        "POST /t/Echo HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    assertEquals("400 close", OneRequest.status(answer) + " " + OneRequest.field(answer, "Connection"));
    String line = finished();
    assertTrue(line.contains("\"_error\":\"there is no valid Host\""), line);
  }
}
