package portcullis.http.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.RawUpstream;
import portcullis.http.message.Tunnel;

/** Connections that leave HTTP, in tables with {@code ~} for CRLF. */
final class TunnelTest {
  private static final String SWITCH = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: "
      + "Upgrade\r\nX: y\r\n\r\n";

  /** Switches, says hello at once, then echoes until the other side ends its direction. */
  private static final RawUpstream.Script ECHO = peer -> {
    peer.head();
    peer.say(SWITCH + "hello");
    for (int c = peer.input().read(); c >= 0; c = peer.input().read()) {
      peer.say(String.valueOf((char) c));
    }
    peer.say("bye");
  };

  @Test
  void becomesTunnelInBothDirections() throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.of(ECHO); WireClient client = Ask.client()) {
      ClientResponse<InputStream> answer = Ask.get(upstream, "/").field("Upgrade", "chat, WebSocket").send(client);
      assertEquals(101, answer.statusCode());
      assertEquals("y", answer.fields().first("X").orElseThrow());
      assertEquals(-1, answer.body().read());
      try (Tunnel tunnel = answer.tunnel().orElseThrow()) {
        assertEquals("hello", new String(tunnel.input().readNBytes(5), ISO_8859_1));
        tunnel.output().write("ping".getBytes(ISO_8859_1));
        assertEquals("ping", new String(tunnel.input().readNBytes(4), ISO_8859_1));
        tunnel.endOutput();
        assertEquals("bye", new String(tunnel.input().readAllBytes(), ISO_8859_1));
        assertEquals(1, client.connections());
      }
      assertEquals(0, client.connections());
      assertTrue(Ask.within(() -> upstream.open() == 0));
    }
  }

  @Test
  void lateReadDoesNotEndTunnel() throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.of(ECHO);
        WireClient client = Ask.client();
        Tunnel tunnel = Ask.get(upstream, "/").field("Upgrade", "websocket").send(client).tunnel().orElseThrow()) {
      InputStream in = tunnel.input();
      in.readNBytes(5);
      tunnel.idleLimit(Ask.SHORT);
      assertThrows(SocketTimeoutException.class, in::read);
      tunnel.output().write('x');
      assertEquals('x', in.read());
    }
  }

  @Test
  @Timeout(8)
  void endsBlockedWrite() throws IOException, InterruptedException {
    RawUpstream.Script deaf = peer -> {
      peer.head();
      peer.say(SWITCH);
      Ask.within(() -> false);
    };
    try (RawUpstream upstream = RawUpstream.of(deaf);
        WireClient client = Ask.client();
        Tunnel tunnel = Ask.get(upstream, "/").field("Upgrade", "websocket").send(client).tunnel().orElseThrow()) {
      tunnel.idleLimit(Ask.SHORT);
      byte[] much = new byte[30_000_000];
      assertThrows(IOException.class, () -> tunnel.output().write(much));
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', nullValues = "none", value = {
    "none | HTTP/1.1 101 S~Upgrade: websocket~Connection: Upgrade~~",
    "websocket | HTTP/1.1 101 S~Upgrade: chat~Connection: Upgrade~~",
    "websocket | HTTP/1.1 101 S~Upgrade: websocket~~",
    "websocket | HTTP/1.1 101 S~Connection: Upgrade~~",
    "websocket | HTTP/1.1 101 S~Upgrade: websocket, chat~Connection: Upgrade~~",
    "websocket | HTTP/1.1 101 S~Upgrade:~Connection: Upgrade~~",
  })
  void refusesUpgradeThatWasNotRequested(String receivedCalls, String answer) throws InterruptedException {
    try (RawUpstream upstream = RawUpstream.answering(answer.replace("~", "\r\n")); WireClient client = Ask.client()) {
      Ask ask = Ask.get(upstream, "/");
      assertEquals("InvalidResponseException",
          (receivedCalls == null ? ask : ask.field("Upgrade", receivedCalls)).outcome(client));
      assertEquals(0, client.connections());
    }
  }

  @Test
  void takes200ToUpgradeAsOrdinaryResponse() throws IOException, InterruptedException {
    String answer = "HTTP/1.1 200 OK\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 2\r\n\r\nno";
    try (RawUpstream upstream = RawUpstream.answering(answer); WireClient client = Ask.client()) {
      ClientResponse<InputStream> declined = Ask.get(upstream, "/").field("Upgrade", "websocket").send(client);
      assertTrue(declined.tunnel().isEmpty());
      assertEquals("200 no", Ask.text(declined));
      assertEquals("200 no", Ask.get(upstream, "/").answer(client));
      assertEquals(1, upstream.connections());
    }
  }

  @Test
  void refusesUpgradeBeforeRequestIsWhole() throws InterruptedException {
    RawUpstream.Script hasty = peer -> {
      peer.head();
      peer.say(SWITCH);
      peer.awaitEnd();
    };
    InputStream silent = new InputStream() {
      @Override
      public int read() {
        Ask.within(() -> false);
        return -1;
      }
    };
    try (RawUpstream upstream = RawUpstream.of(hasty); WireClient client = Ask.client()) {
      assertEquals("InvalidResponseException",
          Ask.get(upstream, "/").body(silent, 5).field("Upgrade", "websocket").outcome(client));
    }
  }
}
