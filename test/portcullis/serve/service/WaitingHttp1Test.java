package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Await;
import portcullis.serve.service.WaitingSite.Held;

/** The same with HTTP/1.1 on both sides. */
class WaitingHttp1Test extends WaitingRequestTest {
  private static final String GET = "GET /1 HTTP/1.1\r\nHost: a.test\r\n\r\n";

  @Override
  WaitingSite.Sides sides() {
    return WaitingSite.Sides.NEITHER;
  }

  /** Each has two sockets of its own. */
  @Override
  int many() {
    return 300;
  }

  private Socket asked(String request) throws IOException {
    Socket socket = new Socket(InetAddress.getLoopbackAddress(), site.listener.port());
    socket.setSoTimeout(60_000);
    send(socket, request);
    return socket;
  }

  private static void send(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(ISO_8859_1));
  }

  /** Returns what comes up to that text, which is the end of a response. */
  private static String read(Socket socket, String end) throws IOException {
    StringBuilder text = new StringBuilder();
    while (text.indexOf(end) < 0) {
      int c = socket.getInputStream().read();
      assertTrue(c >= 0, "the connection ends after " + text);
      text.append((char) c);
    }
    return text.toString();
  }

  /** Answers one that has come. */
  private static void answer(Held held, String body) {
    held.answer().complete(exchange -> {
      exchange.sendResponseHeaders(200, body.length());
      exchange.getResponseBody().write(body.getBytes(ISO_8859_1));
      exchange.close();
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {GET, "GET /1 HTTP/1.0\r\nHost: a.test\r\nConnection: keep-alive\r\n\r\n",
    "POST /1 HTTP/1.1\r\nHost: a.test\r\nContent-Length: 2\r\n\r\nhi",
    "POST /1 HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n"})
  void itsConnectionsGoOnBehindIt(String request) throws Exception {
    start();
    try (Socket socket = asked(request)) {
      for (int i = 1; i < 3; i++) {
        Held held = site.held();
        site.awaitNoThread(i);
        answer(held, "body" + i);
        String response = read(socket, "body" + i);
        assertTrue(response.startsWith("HTTP/1.1 200 "), response);
        send(socket, request);
      }
      answer(site.held(), "last");
      read(socket, "last");
      assertEquals(1, site.client.connections());
    }
  }

  @Test
  void aRequestThatComesDuringTheWaitIsServedAfterIt() throws Exception {
    start();
    try (Socket socket = asked(GET)) {
      Held first = site.held();
      site.awaitNoThread(1);
      send(socket, GET.replace(" /1", " /2"));
      Await.until(() -> site.resumed() == 1);
      answer(first, "first");
      read(socket, "first");
      Held second = site.held();
      assertEquals("/2", second.exchange().getRequestURI().getPath());
      answer(second, "second");
      read(socket, "second");
    }
  }

  @Test
  void oneThatHasSentTheNextRequestKeepsItsThread() throws Exception {
    start();
    try (Socket socket = asked(GET + GET.replace(" /1", " /2"))) {
      Held first = site.held();
      Await.pause(2500); // it would be left to no thread by now
      site.awaitNoThread(0);
      answer(first, "first");
      read(socket, "first");
      answer(site.held(), "second");
      read(socket, "second");
    }
  }

  @Test
  void aClientThatIsToContinueSendsItsBodyBeforeTheWait() throws Exception {
    start();
    try (Socket socket = asked("POST /1 HTTP/1.1\r\nHost: a.test\r\nContent-Length: 2\r\n"
        + "Expect: 100-continue\r\n\r\n")) {
      read(socket, "HTTP/1.1 100 Continue\r\n\r\n");
      Await.pause(1500);
      send(socket, "hi");
      Held held = site.held();
      assertEquals("hi", held.body());
      site.awaitNoThread(1);
      answer(held, "body");
      read(socket, "body");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"closes", "resets", "closes behind the next request"})
  void aClientThatLeavesIsNoticed(String how) throws Exception {
    start();
    Socket socket = asked(GET);
    Held held = site.held();
    site.awaitNoThread(1);
    if (how.equals("closes behind the next request")) {
      send(socket, GET);
      Await.until(() -> site.resumed() == 1);
    } else if (how.equals("resets")) {
      socket.setSoLinger(true, 0);
    }
    socket.close();
    assertTrue(held.left().await(60, TimeUnit.SECONDS), "the request to the upstream ends, too");
    assertTrue(site.line().contains("\"_error\":\"the client has gone\""), site.finished().toString());
    Await.until(() -> site.client.connections() == 0);
  }

  @Test
  void theLastResponseOfAStopSaysSo() throws Exception {
    start();
    try (Socket socket = asked(GET)) {
      Held held = site.held();
      site.awaitNoThread(1);
      Thread stopping = Thread.ofVirtual().start(() -> site.listener.stop(java.time.Duration.ofMinutes(1)));
      Await.until(() -> !stopping.isAlive() || site.isShut());
      answer(held, "last");
      String response = read(socket, "last");
      assertTrue(response.contains("Connection: close"), response);
      assertEquals(-1, socket.getInputStream().read());
      stopping.join();
    }
  }
}
