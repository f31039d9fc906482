package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.observe.telemetry.Level;

/** What a request goes through that is logged with its body: the body stays as it is, and nobody waits for it. */
class MessageDumpTest {
  private static final int LONGEST = 65_536;

  private final WireClient client = new WireClient(ClientLimits.DEFAULT);
  private DeciderSetup setup;

  @AfterEach
  void stop() {
    client.close();
  }

  /** Decides this request at level trace, by rules of which one reads the body. */
  private String decided(String request) throws IOException {
    setup = new DeciderSetup(client, """
        authenticators: [{id: anon, type: anonymous}]
        authorizers: [{id: reads, type: cel, config: {expressions: [{expression: 'size(Request.Body()) > 0'}]}}]
        """, """
        - {id: open, match: {routes: [{path: /open}]}, execute: [{authenticator: anon}]}
        - {id: reads, match: {routes: [{path: /reads}]}, execute: [{authenticator: anon}, {authorizer: reads}]}
        """, Level.TRACE);
    Listener listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
        .decision(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      if (request.endsWith("broken off")) {
        socket.shutdownOutput();
      }
      return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    } finally {
      listener.stop(Duration.ofSeconds(5));
    }
  }

  private static String post(String path, String length, String... lines) {
    return OneRequest.text("POST", path, lines) + "Content-Type: text/plain\r\n" + length + "\r\n\r\n";
  }

  private static String length(int bytes) {
    return "Content-Length: " + bytes;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, LONGEST, LONGEST + 1})
  void theUpstreamGetsTheBodyAsItIs(int length) throws IOException {
    String body = "a" + "b".repeat(length - 1);
    try (RawUpstream upstream = RawUpstream.of(peer -> {
      peer.head();
      peer.say(peer.read(length).equals(body) ? "HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"
          : "HTTP/1.1 500 Changed\r\nConnection: close\r\n\r\n");
    })) {
      setup = new DeciderSetup(client, "authenticators: [{id: anon, type: anonymous}]\n",
          "- {id: all, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}], forward_to: {host: '127.0.0.1:"
              + upstream.port() + "', rewrite: {scheme: http}}}\n",
          Level.TRACE);
      Listener proxy = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
          .proxy(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider(), client);
      try {
        assertEquals(204, OneRequest.status(OneRequest.answer(proxy.port(), post("/x", length(length)) + body)));
      } finally {
        proxy.stop(Duration.ofSeconds(5));
      }
    }
  }

  @Test
  void nobodyWaitsForALongBody() throws IOException {
    assertEquals(200, OneRequest.status(decided(post("/open", length(LONGEST + 1)))));
  }

  @Test
  void nobodyWaitsForABodyOfUnknownLength() throws IOException {
    assertEquals(200, OneRequest.status(decided(post("/open", "Transfer-Encoding: chunked"))));
  }

  @Test
  void aClientThatAsksFirstIsNotToldToSendWhatNobodyReads() throws IOException {
    String answer = decided(post("/open", length(5), "Expect: 100-continue"));
    assertEquals(200, OneRequest.status(answer), answer);
  }

  @Test
  void whatHasComeOfABrokenBodyIsLoggedAndItsReaderIsTold() throws IOException {
    assertEquals(400, OneRequest.status(decided(post("/reads", length(50)) + "this is broken off")));
    String log = setup.shown();
    assertTrue(log.contains("this is broken off"), log);
    assertTrue(log.contains("the body is broken"), log);
    assertFalse(log.contains("runtime error"), log);
  }
}
