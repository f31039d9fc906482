package portcullis.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import portcullis.fixture.RawUpstream;

/** Everything that waits ends, everything that is kept has a bound. */
@Timeout(60)
final class LimitsTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private static ClientLimits limits(Duration connect, Duration bodyIdle, int headBytes, long buffered) {
    ClientLimits d = ClientLimits.DEFAULT;
    return new ClientLimits(9, 9, 9, d.idle(), connect, d.head(), headBytes, 20, bodyIdle, buffered);
  }

  @Test
  void endsWaitForLateHead() throws IOException, InterruptedException {
    RawUpstream.Script mute = peer -> {
      peer.head();
      peer.awaitEnd();
    };
    RawUpstream.Script half = peer -> {
      peer.head();
      peer.say("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 O");
      peer.awaitEnd();
    };
    for (RawUpstream.Script script : List.of(mute, half)) {
      try (RawUpstream upstream = RawUpstream.of(script); WireClient client = Ask.client()) {
        assertEquals("ResponseTimeoutException", Ask.get(upstream, "/").head(Ask.SHORT).outcome(client));
        assertEquals("ResponseTimeoutException",
            Ask.get(upstream, "/").body(new byte[20_000]).head(Ask.SHORT).outcome(client));
        assertEquals(0, client.connections());
        assertTrue(Ask.within(() -> upstream.open() == 0));
      }
    }
  }

  @Test
  void endsSlowHead() throws IOException, InterruptedException {
    RawUpstream.Script dripping = peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nX: ");
      while (true) {
        peer.say("x");
        Ask.pause();
      }
    };
    try (RawUpstream upstream = RawUpstream.of(dripping); WireClient client = Ask.client()) {
      assertEquals("ResponseTimeoutException", Ask.get(upstream, "/").head(Ask.SHORT).outcome(client));
    }
  }

  @Test
  void timeForHeadStartsWhenRequestIsSent() throws IOException, InterruptedException {
    RawUpstream.Script script = peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n" + peer.read(2));
    };
    InputStream slow = new InputStream() {
      private int left = 2;

      @Override
      public int read() {
        for (int i = 0; i < 6; i++) {
          Ask.pause();
        }
        return left-- > 0 ? 'x' : -1;
      }

      @Override
      public int read(byte[] into, int offset, int length) {
        into[offset] = (byte) read();
        return 1;
      }
    };
    try (RawUpstream upstream = RawUpstream.of(script); WireClient client = Ask.client()) {
      assertEquals("200 xx", Ask.get(upstream, "/").body(slow, 2).head(Ask.SHORT).answer(client));
    }
  }

  @Test
  void endsStalledBodyButNotSlowReader() throws IOException, InterruptedException {
    RawUpstream.Script stalling = peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok");
      peer.awaitEnd();
    };
    try (RawUpstream upstream = RawUpstream.of(stalling, RawUpstream.always(OK)); WireClient client = Ask.client()) {
      assertEquals("ResponseBodyException", Ask.get(upstream, "/").idle(Ask.SHORT).outcome(client));
      ClientResponse<InputStream> answer = Ask.get(upstream, "/").idle(Duration.ofMillis(20)).send(client);
      assertEquals('o', answer.body().read());
      Ask.pause();
      assertEquals('k', answer.body().read());
    }
  }

  @Test
  void endsRequestThatUpstreamDoesNotRead() throws IOException, InterruptedException {
    RawUpstream.Script deaf = peer -> {
      peer.head();
      Ask.within(() -> false);
    };
    ClientLimits limits = limits(Ask.LONG, Ask.SHORT, 4096, 100);
    try (RawUpstream upstream = RawUpstream.of(deaf); WireClient client = Ask.client(limits)) {
      byte[] body = new byte[30_000_000];
      assertEquals("ResponseTimeoutException", Ask.get(upstream, "/").body(body).outcome(client));
    }
  }

  @Test
  void refusesHeadsBeyondLimits() throws IOException, InterruptedException {
    try (WireClient client = Ask.client(limits(Ask.LONG, Ask.LONG, 4096, 100))) {
      String[] heads = {"X: " + "x".repeat(4096), "X: y\r\n".repeat(21), "X: " + "x".repeat(12_000_000)};
      for (String head : heads) {
        try (RawUpstream upstream = RawUpstream.answering("HTTP/1.1 200 OK\r\n" + head + "\r\nContent-Length: "
            + "0\r\n\r\n")) {
          assertEquals("InvalidResponseException", Ask.get(upstream, "/").outcome(client));
        }
      }
      String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n";
      try (RawUpstream upstream = RawUpstream.answering(chunked + heads[1] + "\r\n")) {
        assertEquals("ResponseBodyException", Ask.get(upstream, "/").outcome(client));
      }
      try (RawUpstream upstream = RawUpstream
          .answering("HTTP/1.1 200 OK\r\nX: " + "x".repeat(4000) + "\r\nContent-Length: 2\r\n\r\nok")) {
        assertEquals("200 ok", Ask.get(upstream, "/").answer(client));
      }
    }
  }

  /** Says a head and then a gibibyte, as far as anybody listens. */
  private static RawUpstream.Script gibibyte(String framing, String piece) {
    return peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\n" + framing + "\r\n\r\n");
      for (int i = 0; i < 1 << 14; i++) {
        peer.say(piece);
      }
    };
  }

  @Test
  void boundsCollectedBody() throws IOException, InterruptedException {
    String chunk = "x".repeat(1 << 16);
    List<RawUpstream.Script> scripts = List.of(gibibyte("Content-Length: " + (1L << 30), chunk),
        gibibyte("Transfer-Encoding: chunked", "10000\r\n" + chunk + "\r\n"), gibibyte("X: y", chunk));
    for (RawUpstream.Script script : scripts) {
      try (RawUpstream upstream = RawUpstream.of(script);
          WireClient client = Ask.client(limits(Ask.LONG, Ask.LONG, 4096, 100_000))) {
        IOException error = assertThrows(InvalidResponseException.class,
            () -> client.send(Ask.plain(upstream, "/").build(), BodyHandlers.ofByteArray()));
        assertEquals("the answer's body is longer than allowed", error.getMessage());
        assertEquals(0, client.connections());
        assertTrue(Ask.within(() -> upstream.open() == 0));
      }
    }
  }

  @Test
  void takesBodyOfExactlyTheLimit() throws IOException, InterruptedException {
    try (
        RawUpstream upstream = RawUpstream
            .answering("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n" + "x".repeat(100));
        WireClient client = Ask.client(limits(Ask.LONG, Ask.LONG, 4096, 100))) {
      assertEquals("x".repeat(100), client.send(Ask.plain(upstream, "/").build(), BodyHandlers.ofString()).body());
    }
  }

  @Test
  void timeoutOfRequestBoundsWholeResponse() throws IOException, InterruptedException {
    RawUpstream.Script dripping = peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n");
      for (int i = 0; i < 1000; i++) {
        peer.say("x");
        Ask.pause();
      }
    };
    try (RawUpstream upstream = RawUpstream.of(dripping); WireClient client = Ask.client()) {
      var request = Ask.plain(upstream, "/").timeout(Duration.ofMillis(300)).build();
      assertInstanceOf(ResponseTimeoutException.class,
          assertThrows(HttpTimeoutException.class, () -> client.send(request, BodyHandlers.ofString())));
      assertEquals(0, client.connections());
    }
  }

  @Test
  void reportsWhyThereIsNoConnection() throws IOException, InterruptedException {
    int dead;
    try (ServerSocket unused = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      dead = unused.getLocalPort();
    }
    try (WireClient client = Ask.client(limits(Duration.ofSeconds(5), Ask.LONG, 4096, 100));
        RawUpstream any = RawUpstream.answering(OK)) {
      assertEquals("UnreachableException",
          Ask.get(any, "/").to(URI.create("http://127.0.0.1:" + dead)).outcome(client));
      assertEquals("UnreachableException",
          Ask.get(any, "/").to(URI.create("http://no-such-host.invalid:80")).outcome(client));
      assertEquals(0, client.connections());
    }
  }

  @Test
  void endsConnectThatIsNeverAccepted() throws IOException, InterruptedException {
    List<Socket> fill = new ArrayList<>();
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        WireClient client = Ask.client(limits(Ask.SHORT, Ask.LONG, 4096, 100));
        RawUpstream any = RawUpstream.answering(OK)) {
      for (int i = 0; i < 3; i++) {
        Socket socket = new Socket();
        socket.setSoTimeout(1);
        fill.add(socket);
        Thread.ofVirtual().start(() -> connect(socket, full.getLocalPort()));
      }
      Ask.pause();
      URI place = URI.create("http://127.0.0.1:" + full.getLocalPort());
      assertEquals("ConnectTimeoutException", Ask.get(any, "/").to(place).outcome(client));
    } finally {
      for (Socket socket : fill) {
        socket.close();
      }
    }
  }

  private static void connect(Socket socket, int port) {
    try {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    } catch (IOException e) {
      // closed at the end of the test
    }
  }

  @Test
  void leavesNoThreadBehind() throws IOException, InterruptedException {
    Set<Thread> others = Thread.getAllStackTraces().keySet(); // of tests before this one, too
    try (RawUpstream upstream = RawUpstream.answering(OK)) {
      try (WireClient client = Ask.client()) {
        assertEquals("200 ok", Ask.get(upstream, "/").answer(client));
      }
      assertTrue(Ask.within(() -> upstream.open() == 0));
      assertTrue(Ask.within(() -> Thread.getAllStackTraces().keySet().stream()
          .noneMatch(t -> t.getName().startsWith("client-watch") && !others.contains(t))));
    }
  }
}
