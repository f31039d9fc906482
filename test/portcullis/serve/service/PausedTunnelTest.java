package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
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

/** A WebSocket with TLS on which nothing passes for a while: no thread reads it, and nothing of it is lost. */
class PausedTunnelTest extends PausedResponses {
  private boolean isClear;

  @Override
  RawUpstream upstream(RawUpstream.Script script) {
    return TlsSides.upstream(script);
  }

  @Override
  Optional<ServerTls> tls() throws Exception {
    return isClear ? Optional.empty() : Optional.of(TlsSides.listener());
  }

  @Override
  Socket connection(int port) throws IOException {
    return isClear ? new Socket(InetAddress.getLoopbackAddress(), port) : TlsSides.connection(port);
  }

  @Override
  SSLContext trusting() {
    return TlsSides.trusting();
  }

  @Override
  String scheme() {
    return "https";
  }

  private Socket tunnel() throws Exception {
    Socket socket = connected();
    socket.getOutputStream().write(("GET /tunnel HTTP/1.1\r\nHost: a.test\r\nConnection: Upgrade\r\n"
        + "Upgrade: websocket\r\n\r\n").getBytes(ISO_8859_1));
    read(socket, "\r\n\r\n");
    return socket;
  }

  /** Returns a frame of a text that is not masked. */
  private static byte[] frame(String text) {
    byte[] out = new byte[2 + text.length()];
    out[0] = (byte) 0x81;
    out[1] = (byte) text.length();
    System.arraycopy(text.getBytes(ISO_8859_1), 0, out, 2, text.length());
    return out;
  }

  private static void passes(Socket socket, RawUpstream.Peer peer, String text) throws IOException {
    byte[] frame = frame(text);
    socket.getOutputStream().write(frame);
    assertEquals(new String(frame, ISO_8859_1), peer.read(frame.length));
    peer.say(frame);
    assertEquals(new String(frame, ISO_8859_1),
        new String(socket.getInputStream().readNBytes(frame.length), ISO_8859_1));
  }

  private static boolean hasEnded(InputStream in) {
    try {
      return in.readAllBytes().length == 0;
    } catch (IOException _) {
      return true;
    }
  }

  private static void awaitRest() throws InterruptedException {
    Await.until(() -> serving() == 0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void noThreadWaitsForAQuietTunnelWhichGoesOn(boolean clear) throws Exception {
    isClear = clear;
    listen("1m");
    try (Socket socket = tunnel()) {
      RawUpstream.Peer peer = peer();
      for (int i = 0; i < 3; i++) {
        passes(socket, peer, "text " + i);
        awaitRest();
      }
      peer.say(frame("first"));
      assertEquals(7, socket.getInputStream().readNBytes(7).length);
      awaitRest();
      passes(socket, peer, "x".repeat(100));
      assertTrue(finished().isEmpty());
      over.countDown();
      assertTrue(hasEnded(socket.getInputStream()));
    }
    Await.until(() -> finished().size() == 1 && client.connections() == 0);
    assertEquals(1, finished().size());
  }

  @Test
  void afterAPauseItIsEndedByCloseFramesAsBefore() throws Exception {
    listen("1m");
    try (Socket socket = tunnel()) {
      RawUpstream.Peer peer = peer();
      passes(socket, peer, "text");
      awaitRest();
      passes(socket, peer, "more");
      end(End.LOCKED, socket, peer);
      byte[] close = WebSocketFrames.close(1008, "access is locked", false);
      assertEquals(new String(close, ISO_8859_1),
          new String(socket.getInputStream().readNBytes(close.length), ISO_8859_1));
      assertEquals((char) 0x88, peer.read(close.length + 4).charAt(0));
    }
  }

  /** In one direction only, so that the other one has nothing that would wake it. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void bytesThatComeJustWhileItIsPausedAreNotLost(boolean up) throws Exception {
    listen("10m");
    try (Socket socket = tunnel()) {
      RawUpstream.Peer peer = peer();
      for (int i = 0; i < 12; i++) {
        byte[] frame = frame("text " + i);
        String sent = new String(frame, ISO_8859_1);
        long begin = System.nanoTime();
        if (up) {
          socket.getOutputStream().write(frame);
          assertEquals(sent, peer.read(frame.length));
        } else {
          peer.say(frame);
          assertEquals(sent, new String(socket.getInputStream().readNBytes(frame.length), ISO_8859_1));
        }
        long seconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
        assertTrue(seconds < 300, "it does not wait for the end of the tunnel");
        Await.pause(985 + 3 * i);
      }
    }
  }

  /** The other one is not told, or does not care. */
  @Test
  void aSideThatLeavesEndsTheOtherOneSoon() throws Exception {
    listen("10m");
    try (Socket socket = tunnel()) {
      RawUpstream.Peer peer = peer();
      passes(socket, peer, "text");
      awaitRest();
      peer.endOutput();
      assertTrue(hasEnded(socket.getInputStream()));
      Await.until(() -> !finished().isEmpty() && client.connections() == 0);
    }
    assertTrue(finished().getFirst().contains("\"_ended_by\":\"upstream\",\"_close_status\":1006,"),
        finished().toString());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void trafficOneWayGoesOnWhileTheOtherIsSilent(boolean up) throws Exception {
    listen("5s");
    try (Socket socket = tunnel()) {
      RawUpstream.Peer peer = peer();
      byte[] frame = frame("x".repeat(50));
      for (int i = 0; i < 25; i++) {
        if (up) {
          socket.getOutputStream().write(frame);
          assertEquals(frame.length, peer.read(frame.length).length());
        } else {
          peer.say(frame);
          assertEquals(frame.length, socket.getInputStream().readNBytes(frame.length).length);
        }
        Await.pause(300);
      }
      passes(socket, peer, "both");
    }
  }

  @ParameterizedTest
  @EnumSource(value = End.class, names = {"CLIENT_LEAVES", "CLIENT_RESETS", "UPSTREAM_LEAVES", "UPSTREAM_RESETS",
    "LOCKED", "STOPPED", "IDLE", "MAX_AGE"})
  void everyEndIsRecordedOnceAndReleasesWhatItHad(End how) throws Exception {
    listen(how == End.IDLE ? "4s" : "1m",
        new StreamSettings(how == End.MAX_AGE ? Optional.of(java.time.Duration.ofSeconds(4)) : Optional.empty()));
    try (Socket socket = tunnel()) {
      RawUpstream.Peer peer = peer();
      passes(socket, peer, "text");
      awaitRest();
      assertTrue(finished().isEmpty(), how + " " + finished());
      long begin = System.nanoTime();
      end(how, socket, peer);
      if (how == End.LOCKED || how == End.MAX_AGE || how == End.STOPPED) {
        String reason = how == End.LOCKED ? "access is locked"
            : how == End.STOPPED ? "the service stops" : "the maximum age is reached";
        byte[] close = WebSocketFrames.close(how == End.STOPPED ? 1001 : 1008, reason, false);
        assertEquals(new String(close, ISO_8859_1),
            new String(Arrays.copyOf(socket.getInputStream().readNBytes(close.length), close.length), ISO_8859_1));
        assertEquals((char) 0x88, peer.read(close.length + 4).charAt(0));
      }
      if (how == End.UPSTREAM_LEAVES || how == End.UPSTREAM_RESETS) {
        assertTrue(hasEnded(socket.getInputStream()), "the client is told at once");
        end(End.CLIENT_LEAVES, socket, peer);
      } else if (how != End.IDLE) {
        assertTrue(hasEnded(peer.input()), "the upstream is told at once");
        over.countDown();
      }
      Await.until(() -> !finished().isEmpty() && client.connections() == 0
          && String.join(" ", observing.measured("http.server.active_requests").values()).equals("0"));
      assertTrue(System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(40), "long before it has been idle for a minute");
    } catch (SocketException _) {
      // the socket of a client whose connection has been reset cannot be closed properly
    }
    assertEquals(1, finished().size());
    assertEquals(0, streams.active().values().stream().mapToInt(n -> n).sum());
    assertEquals(how == End.LOCKED, finished().getFirst().contains("\"_error\":\"ended: access is locked\""),
        finished().toString());
    assertEquals(how == End.IDLE ? 1 : 0, streams.ended(EndReason.IDLE));
    String by = switch (how) {
      case CLIENT_LEAVES, CLIENT_RESETS -> "client";
      case UPSTREAM_LEAVES, UPSTREAM_RESETS -> "upstream";
      case STOPPED, LOCKED, MAX_AGE, REFUSED, EXPIRED, IDLE -> "portcullis";
    };
    int status = how == End.STOPPED ? 1001 : how == End.LOCKED || how == End.MAX_AGE ? 1008 : 1006;
    assertTrue(finished().getFirst().contains("\"_ended_by\":\"" + by + "\",\"_close_status\":" + status + ","),
        finished().toString());
  }
}
