package portcullis.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.http.h2.FrameOutput;
import portcullis.http.h2.Http2Error;
import portcullis.http.message.Fields;
import portcullis.http.wire.WireOutput;

/**
 * Frames that somebody has spoiled, and connections of HTTP/2 that break off anywhere: the server stands, and nothing
 * stays.
 */
class Http2FuzzTest {
  private static final int COUNT = Integer.getInteger("portcullis.fuzz", 5000) / 10;

  private static byte[] script() throws IOException {
    ByteArrayOutputStream sent = new ByteArrayOutputStream();
    WireOutput raw = new WireOutput(sent);
    raw.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    FrameOutput out = new FrameOutput(raw);
    out.write(() -> {
      out.settings(4, 100_000, 5, 20_000);
      out.windowUpdate(0, 1000);
      out.headers(1, Http2Client.head("GET", "/a"), Fields.of("x-a", "b", "cookie", "c=d"), true);
      out.headers(3, Http2Client.head("POST", "/b"), Fields.of("content-length", "5"), false);
      out.data(3, "hello".getBytes(ISO_8859_1), 0, 5, true);
      out.ping(new byte[8], false);
      out.headers(5, Http2Client.head("POST", "/c"), Fields.of("te", "trailers"), false);
      out.data(5, "hello".getBytes(ISO_8859_1), 0, 5, false);
      out.headers(5, Fields.NONE, Fields.of("x-sum", "1"), true);
      out.goAway(0, Http2Error.NO_ERROR);
    });
    return sent.toByteArray();
  }

  private static void spoil(byte[] bytes, Random random) {
    for (int n = 1 + random.nextInt(3); n > 0; n--) {
      int at = 24 + random.nextInt(bytes.length - 24);
      bytes[at] = (byte) (random.nextBoolean() ? random.nextInt(256) : bytes[at] ^ 1 << random.nextInt(8));
    }
  }

  private static void say(TestServer server, byte[] bytes, int length, boolean reset) throws IOException {
    try (Socket socket = new Socket(server.address().getAddress(), server.address().getPort())) {
      socket.setSoLinger(reset, 0);
      socket.getOutputStream().write(bytes, 0, length);
      if (!reset) {
        socket.shutdownOutput();
        socket.setSoTimeout(20_000);
        socket.getInputStream().readAllBytes();
      }
    } catch (SocketException e) {
      // the server has ended it first
    }
  }

  @Test
  void survivesArbitraryBytes() throws Exception {
    List<Throwable> uncaught = new CopyOnWriteArrayList<>();
    Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
    Thread.setDefaultUncaughtExceptionHandler((_, e) -> uncaught.add(e));
    try (TestServer server = new TestServer()) {
      byte[] script = script();
      for (int cut = 0; cut <= script.length; cut++) {
        say(server, script, cut, true);
        say(server, script, cut, false);
      }
      Random random = new Random(51);
      for (int i = 0; i < COUNT; i++) {
        byte[] spoiled = script.clone();
        spoil(spoiled, random);
        say(server, spoiled, spoiled.length, false);
      }
      WireServer wire = (WireServer) server.server();
      Await.until(() -> wire.connections() == 0);
      assertEquals(List.of(), uncaught);
      try (Http2Client client = Http2Client.of(server)) {
        client.get(1, "/");
        assertEquals("200", client.answer(1));
      }
    } finally {
      Thread.setDefaultUncaughtExceptionHandler(before);
    }
  }
}
