package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;

/** Bodies that fail while they are sent on: what the client gets, and what is logged. */
class BrokenBodiesTest {
  private static final Duration LONG = Duration.ofMinutes(2);
  private static final String HEAD = "POST /a HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n";

  @Test
  void aBodyThatItsRuleCannotReadIsDenied() throws Exception {
    DeciderSetup setup = new DeciderSetup(null, """
        authenticators: [{id: anon, type: anonymous}]
        authorizers: [{id: reads, type: cel, config: {expressions: [{expression: 'size(Request.Body()) > 0'}]}}]
        """, "- {id: all, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}, {authorizer: reads}]}\n");
    Listener listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
        .decision(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider());
    String answer;
    try {
      answer = OneRequest.answer(listener.port(), "POST /a HTTP/1.1\r\nHost: a.test\r\nContent-Type: text/plain\r\n"
          + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\nzz\r\n");
    } finally {
      listener.stop(Duration.ofSeconds(10));
    }
    assertEquals(400, OneRequest.status(answer));
    String log = setup.shown();
    assertTrue(log.contains("\"_access_granted\":false") && log.contains("\"_error\":\"the body is broken\""), log);
  }

  @Test
  void aBodyWhoseClientResetsItIsNamedInTheLog() throws Exception {
    CountDownLatch received = new CountDownLatch(1);
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      peer.head();
      received.countDown();
      peer.awaitEnd();
    }); WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault())) {
      DeciderSetup setup = forwarding(client, upstream);
      Listener listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
          .proxy(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider(), client);
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
        socket.getOutputStream().write((HEAD + "2\r\nhi\r\n").getBytes(ISO_8859_1));
        assertTrue(received.await(30, TimeUnit.SECONDS));
        socket.setSoLinger(true, 0);
      } finally {
        listener.stop(Duration.ofSeconds(30));
      }
      String log = setup.shown();
      assertTrue(log.contains("\"_http_status_code\":400")
          && log.contains("\"_error\":\"the body of the request is broken\""), log);
    }
  }

  private static DeciderSetup forwarding(WireClient client, RawUpstream upstream) {
    return new DeciderSetup(client, "authenticators: [{id: anon, type: anonymous}]\n",
        "- {id: all, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}], forward_to: {host: '127.0.0.1:"
            + upstream.port() + "', rewrite: {scheme: http}}}\n");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"2;hi;zz; | 400 | the body of the request is broken",
    "9;123456789; | 413 | the body of the request is longer than allowed",
    "2;hi; | 408 | the request was not complete in time"})
  void failedBodiesAreNamedInTheLog(String chunks, int status, String error) throws Exception {
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      peer.head();
      peer.awaitEnd();
    }); WireClient client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault())) {
      DeciderSetup setup = forwarding(client, upstream);
      ListenerSettings settings = ListenerSettings.plain("127.0.0.1", 0)
          .with(ListenerSettings.TIMEOUT,
              new ListenerSettings.Timeouts(Duration.ofSeconds(status == 408 ? 1 : 60), LONG,
                  LONG, Optional.empty(), Optional.empty(), Optional.empty()))
          .with(ListenerSettings.LIMITS, new RequestLimits(128, 5, 1 << 20, 0, 100, 100, 0, 0));
      Listener listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
          .proxy(settings, Optional.empty(), setup.decider(), client);
      String answer;
      try {
        answer = OneRequest.answer(listener.port(), HEAD + chunks.replace(";", "\r\n"));
      } finally {
        listener.stop(Duration.ofSeconds(10));
      }
      assertEquals(status + " close", OneRequest.status(answer) + " " + OneRequest.field(answer, "Connection"));
      String log = setup.shown();
      assertTrue(log.contains("\"_error\":\"" + error + "\""), log);
    }
  }
}
