package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.crypto.keys.ServerTls;
import portcullis.fixture.Await;
import portcullis.fixture.RawUpstream;
import portcullis.serve.stream.EndReason;
import portcullis.serve.stream.StreamSettings;

/** A response whose upstream says nothing for a while: no thread waits for it, and nothing of it is lost. */
class PausedResponseTest extends PausedResponses {
  @Override
  RawUpstream upstream(RawUpstream.Script script) {
    return RawUpstream.of(script);
  }

  @Override
  Optional<ServerTls> tls() throws Exception {
    return Optional.empty();
  }

  @Override
  Socket connection(int port) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), port);
  }

  @Override
  SSLContext trusting() throws Exception {
    return SSLContext.getDefault();
  }

  @Override
  String scheme() {
    return "http";
  }

  @ParameterizedTest
  @ValueSource(strings = {"/x", "/late", "/until-close", "/length"})
  void noThreadWaitsForAQuietResponseWhichGoesOn(String path) throws Exception {
    listen("1m");
    try (Socket socket = opened(path)) {
      RawUpstream.Peer peer = peer();
      boolean chunked = !path.equals("/until-close") && !path.equals("/length");
      boolean counted = path.equals("/length");
      for (int i = 0; i < 2; i++) {
        String text = "data: " + i + "\n\n";
        if (chunked) {
          event(peer, text);
        } else {
          peer.say(text);
        }
        read(socket, text);
        Observing.await(() -> {
          try {
            return serving() == 0;
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
        assertEquals(List.of(), finished());
        assertEquals(Map.of(), observing.measured("http.client.request.duration"));
      }
      peer.say(chunked ? "0\r\nX-End: 1\r\n\r\n" : "end");
      if (!chunked && !counted) {
        peer.endOutput();
      }
      read(socket, chunked ? "0\r\nX-End: 1\r\n\r\n" : counted ? "end" : "0\r\n\r\n");
      Observing.await(() -> !finished().isEmpty());
      assertTrue(finished().getFirst().contains("\"_body_bytes_sent\":" + (chunked ? 18 : 21)), finished().toString());
      assertFalse(finished().getFirst().contains("_error"), finished().toString());
      assertCallEnded("");
    }
  }

  /** Asserts that the call to the upstream was measured once, with its end instead of its pause. */
  private void assertCallEnded(String error) {
    Map<String, String> calls = observing.measured("http.client.request.duration");
    assertEquals(List.of("1 of time"), List.copyOf(calls.values()));
    String attributes = calls.keySet().iterator().next();
    assertEquals(error.isEmpty(), !attributes.contains("error.type="), attributes);
    assertTrue(attributes.contains(error), attributes);
  }

  @Test
  void aConnectionGoesOnBehindAQuietResponseOfAKnownLength() throws Exception {
    listen("1m");
    try (Socket socket = opened("/length-again")) {
      RawUpstream.Peer peer = peer();
      peer.say("0123456789");
      read(socket, "0123456789");
      Await.pause(PAUSE);
      ask(socket, "/short");
      Await.pause(300);
      peer.say("0123456789.");
      over.countDown();
      read(socket, "0123456789.");
      read(socket, "short");
      assertEquals(1, upstream.connections());
    }
  }

  @Test
  void aQuietResponseOfAKnownLengthThatIsNotWholeIsBrokenOff() throws Exception {
    listen("1m");
    try (Socket socket = opened("/length")) {
      RawUpstream.Peer peer = peer();
      peer.say("0123456789");
      read(socket, "0123456789");
      Await.pause(PAUSE);
      peer.say("01234");
      over.countDown();
      read(socket, "01234");
      assertEquals(-1, socket.getInputStream().read());
    }
    Observing.await(() -> !finished().isEmpty());
    assertTrue(finished().getFirst().contains("broke off"), finished().toString());
  }

  @Test
  void theHeadIsSentBeforeThePause() throws Exception {
    listen("1m");
    try (Socket socket = opened("/x")) {
      read(socket, "\r\n\r\n");
    }
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void everyEndIsRecordedOnceAndReleasesWhatItHad(End how) throws Exception {
    listen(how == End.IDLE ? "3s" : "1m",
        new StreamSettings(how == End.MAX_AGE ? Optional.of(Duration.ofSeconds(4)) : Optional.empty()));
    sessionSeconds = how == End.EXPIRED ? 5 : 600;
    try (Socket socket = opened(how.path())) {
      RawUpstream.Peer peer = peer();
      event(peer, "data: 1\n\n");
      read(socket, "data: 1\n\n");
      Await.pause(PAUSE);
      assertEquals(List.of(), finished());
      end(how, socket, peer);
      Observing.await(() -> !finished().isEmpty() && client.connections() == 0
          && String.join(" ", observing.measured("http.server.active_requests").values()).equals("0"));
      if (!socket.isClosed()) {
        String rest = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        assertFalse(rest.endsWith("0\r\n\r\n"), "the client sees that it is not whole");
      }
    } catch (java.net.SocketException _) {
      // a reset, from which it sees that, too
    }
    assertEquals(1, finished().size());
    String expected = switch (how) {
      case CLIENT_LEAVES, CLIENT_RESETS -> "the client has gone";
      case STOPPED -> "ended: the service stops";
      case UPSTREAM_LEAVES, UPSTREAM_RESETS -> "the answer of the upstream broke off";
      case IDLE -> "the upstream has sent nothing for longer than `timeout.idle`";
      case LOCKED -> "ended: access is locked";
      case EXPIRED -> "ended: the credential has expired";
      case MAX_AGE -> "ended: the maximum age is reached";
      case REFUSED -> "ended: the rules no longer allow it";
    };
    assertTrue(finished().getFirst().contains("\"_error\":\"" + expected + "\""), finished().toString());
    assertCallEnded("broken_body");
    assertEquals(how == End.IDLE ? 1 : 0, streams.ended(EndReason.IDLE));
    assertEquals(0, streams.active().values().stream().mapToInt(n -> n).sum());
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET /again HTTP/1.1\r\nHost: a.test\r\n\r\n",
    "POST /again HTTP/1.1\r\nHost: a.test\r\nContent-Length: 4\r\n\r\nbody",
    "POST /again HTTP/1.1\r\nHost: a.test\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n"})
  void connectionsGoOnAfterAPausedResponse(String request) throws Exception {
    listen("1m");
    try (Socket socket = connected()) {
      socket.getOutputStream().write(request.getBytes(ISO_8859_1));
      RawUpstream.Peer peer = peer();
      event(peer, "data: 1\n\n");
      read(socket, "data: 1\n\n");
      Await.pause(PAUSE);
      peer.say("0\r\n\r\n");
      over.countDown();
      read(socket, "0\r\n\r\n");
      ask(socket, "/short");
      read(socket, "short");
      assertEquals(1, upstream.connections());
    }
  }

  @Test
  void oneWithoutChunksGoesOnWithoutThem() throws Exception {
    listen("1m");
    try (Socket socket = connected()) {
      socket.getOutputStream().write("GET /x HTTP/1.0\r\nHost: a.test\r\n\r\n".getBytes(ISO_8859_1));
      RawUpstream.Peer peer = peer();
      event(peer, "data: 1\n\n");
      read(socket, "data: 1\n\n");
      Await.pause(PAUSE);
      event(peer, "data: 2\n\n");
      peer.say("0\r\n\r\n");
      assertEquals("data: 2\n\n", new String(socket.getInputStream().readAllBytes(), ISO_8859_1));
    }
  }

  @Test
  void aRequestBehindAPausedOneIsServedAfterIt() throws Exception {
    listen("1m");
    try (Socket socket = opened("/again")) {
      RawUpstream.Peer peer = peer();
      event(peer, "data: 1\n\n");
      read(socket, "data: 1\n\n");
      Await.pause(PAUSE);
      ask(socket, "/short");
      Await.pause(300);
      event(peer, "data: 2\n\n");
      read(socket, "data: 2\n\n");
      peer.say("0\r\n\r\n");
      over.countDown();
      read(socket, "0\r\n\r\n");
      read(socket, "short");
    }
  }

  @Test
  void bytesThatComeJustWhileItIsPausedAreNotLost() throws Exception {
    listen("1m");
    try (Socket socket = opened("/x")) {
      RawUpstream.Peer peer = peer();
      for (int i = 0; i < 12; i++) {
        event(peer, "data: " + i + "\n\n");
        read(socket, "data: " + i + "\n\n");
        Await.pause(985 + 3 * i);
      }
      peer.say("0\r\n\r\n");
      read(socket, "0\r\n\r\n");
    }
  }
}
