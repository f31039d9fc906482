package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Await;
import portcullis.http.client.BaseClient;
import portcullis.http.message.Fields;
import portcullis.policy.decision.ErrorResponses;
import portcullis.policy.decision.ResponseSettings;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockTable;
import portcullis.serve.stream.EndReason;

/** The response to a request that is ended while its upstream has not begun to answer. */
class EndedRequestTest {
  private static final int HTTP_1 = 1;

  private final LockTable locks = new LockTable(InstantSource.system());
  private SlowUpstreams proxy;

  private void start(Optional<Duration> maxAge) throws Exception {
    proxy = new SlowUpstreams(locks, maxAge);
  }

  @AfterEach
  void stop() {
    proxy.close();
  }

  private void lock() {
    locks.add(new Lock(Lock.Target.SUBJECT, "anonymous", "", Optional.empty(), "test", "command", Instant.now(),
        Optional.empty()));
  }

  private int status(String path, int version, Runnable ending) throws Exception {
    if (version == HTTP_1) {
      try (Socket socket = proxy.asking("GET /" + path + " HTTP/1.1\r\nHost: a.test")) {
        ending.run();
        return Integer.parseInt(new String(socket.getInputStream().readNBytes(12), ISO_8859_1).substring(9));
      }
    }
    BlockingQueue<HttpResponse<?>> response = new LinkedBlockingQueue<>();
    Thread.ofVirtual().start(() -> {
      try {
        response.add(proxy.over2("/" + path));
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    proxy.awaitReceived();
    ending.run();
    return response.poll(20, TimeUnit.SECONDS).statusCode();
  }

  @ParameterizedTest
  @CsvSource({"silent,1", "silent,2", "two,1", "two,2"})
  void aLockBeforeTheResponseIsAnsweredLikeANewRequest(String path, int version) throws Exception {
    start(Optional.empty());
    assertEquals(401, status(path, version, this::lock));
    proxy.awaitEnded();
    String line = proxy.finished();
    assertTrue(line.contains("\"_error\":\"ended: access is locked\""), line);
    assertTrue(line.contains("\"_http_status_code\":401"), line);
  }

  @ParameterizedTest
  @CsvSource({"silent,1", "silent,2"})
  void theMaximumAgeBeforeTheResponseIsATimeoutOfTheUpstream(String path, int version) throws Exception {
    start(Optional.of(Duration.ofMillis(500)));
    assertEquals(504, status(path, version, () -> {}));
    String line = proxy.finished();
    assertTrue(line.contains("\"_error\":\"ended: the maximum age is reached\""), line);
  }

  @Test
  void theConnectionOfAnEndedRequestGoesOn() throws Exception {
    start(Optional.empty());
    try (Socket socket = proxy.asking("GET /silent HTTP/1.1\r\nHost: a.test")) {
      lock();
      socket.getOutputStream()
          .write("GET /x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n".getBytes(ISO_8859_1));
      String all = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      assertTrue(all.startsWith("HTTP/1.1 401 ") && all.contains("HTTP/1.1 404 "), all);
    }
  }

  @Test
  void whatIsEndedWhileItsRequestIsSentIsAnsweredToo() throws Exception {
    start(Optional.empty());
    try (Socket socket = proxy.asking("POST /silent HTTP/1.1\r\nHost: a.test\r\nContent-Length: 10")) {
      lock();
      assertEquals("HTTP/1.1 401", new String(socket.getInputStream().readNBytes(12), ISO_8859_1));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET /silent", "GET /begins", "GET /two", "POST /silent"})
  void whatAStopBreaksOffIsLoggedAsThat(String request) throws Exception {
    start(Optional.empty());
    try (Socket _ = proxy.asking(request + " HTTP/1.1\r\nHost: a.test"
        + (request.startsWith("POST") ? "\r\nContent-Length: 10" : ""))) {
      proxy.breakOff();
      String line = proxy.finished();
      assertTrue(line.contains("\"_error\":\"ended: the service stops\""), line);
    }
  }

  @ParameterizedTest
  @CsvSource({"silent,1", "silent,2", "two,1", "two,2"})
  void whatAStopEndsBeforeTheResponseIsAnswered(String path, int version) throws Exception {
    start(Optional.empty());
    assertEquals(503, status(path, version, proxy::breakOff));
    proxy.awaitEnded();
    String line = proxy.finished();
    assertTrue(line.contains("\"_error\":\"ended: the service stops\""), line);
    assertTrue(line.contains("\"_http_status_code\":503"), line);
  }

  @Test
  void aResponseThatHasBegunBreaksOff() throws Exception {
    start(Optional.empty());
    try (Socket socket = proxy.asking("GET /begins HTTP/1.1\r\nHost: a.test")) {
      String begin = new String(socket.getInputStream().readNBytes(12), ISO_8859_1);
      assertEquals("HTTP/1.1 200", begin);
      lock();
      String rest = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      assertTrue(rest.endsWith("\r\n\r\nhello"), rest);
    }
  }

  @Test
  void aResponseThatItsClientDoesNotReadBreaksOff() throws Exception {
    start(Optional.empty());
    try (Socket _ = proxy.asking("GET /endless HTTP/1.1\r\nHost: a.test")) {
      proxy.awaitStall();
      lock();
      proxy.awaitEnded();
      String line = proxy.finished();
      assertTrue(line.contains("\"_error\":\"ended: access is locked\""), line);
    }
  }

  /** Has a response, or fails, just when its request is ended, too late for the interrupt. */
  private final class LateClient extends BaseClient {
    private final HttpClient inner;
    private final boolean fails;

    LateClient(HttpClient inner, boolean fails) {
      this.inner = inner;
      this.fails = fails;
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
        throws IOException, InterruptedException {
      HttpResponse<T> response = inner.send(request, handler);
      lock();
      while (!Thread.currentThread().isInterrupted()) {
        Thread.onSpinWait();
      }
      if (fails) {
        ((InputStream) response.body()).close();
        throw new IOException("the upstream broke");
      }
      return response;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void whatComesWhenItsRequestHasBeenEndedIsNotPassedOn(boolean fails) throws Exception {
    proxy = new SlowUpstreams(locks, Optional.empty(), client -> new LateClient(client, fails));
    try (Socket socket = proxy.asking("GET /begins HTTP/1.1\r\nHost: a.test\r\nConnection: close")) {
      String all = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      assertTrue(all.startsWith("HTTP/1.1 401 ") && !all.contains("hello"), all);
    }
    proxy.awaitEnded();
    String line = proxy.finished();
    assertTrue(line.contains("\"_error\":\"ended: access is locked\""), line);
  }

  /** A body whose request is ended once its response has begun, while nothing of that has been sent. */
  private final class LockingBody extends FilterInputStream {
    private boolean read;

    LockingBody(InputStream body) {
      super(body);
    }

    @Override
    public int available() {
      return 1;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      if (!read) {
        read = true;
        lock();
        try {
          Await.pause(300); // an interrupt would be the end
        } catch (InterruptedException e) {
          throw new IOException(e);
        }
      }
      return super.read(into, offset, length);
    }
  }

  private final class LockingClient extends BaseClient {
    private final HttpClient inner;

    LockingClient(HttpClient inner) {
      this.inner = inner;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
        throws IOException, InterruptedException {
      HttpResponse<T> response = inner.send(request, handler);
      InputStream body = new LockingBody((InputStream) response.body());
      return (HttpResponse<T>) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {HttpResponse.class},
          (_, method, values) -> method.getName().equals("body") ? body : method.invoke(response, values));
    }
  }

  @Test
  void aLockWhileTheHeadGoesOutEndsItBehindTheHead() throws Exception {
    proxy = new SlowUpstreams(locks, Optional.empty(), LockingClient::new);
    try (Socket socket = proxy.asking("GET /begins HTTP/1.1\r\nHost: a.test\r\nConnection: close")) {
      String all = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      assertTrue(all.startsWith("HTTP/1.1 200 ") && all.endsWith("\r\n\r\nhello"), all);
    }
    proxy.awaitEnded();
    String line = proxy.finished();
    assertTrue(line.contains("\"_error\":\"ended: access is locked\""), line);
  }

  @ParameterizedTest
  @CsvSource({"EXPIRED,401", "LOCKED,401", "RULES,403", "MAX_AGE,504", "IDLE,504", "STOPPED,503"})
  void eachReasonHasItsResponse(EndReason reason, int status) throws Exception {
    start(Optional.empty());
    ErrorResponses errors = new ErrorResponses(ResponseSettings.DEFAULT, proxy.log());
    assertEquals(status, ForwardedRequest.refusal(reason, errors, Fields.NONE).status());
  }
}
