package portcullis.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.sun.net.httpserver.HttpExchange;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.http.message.DirectInput;
import portcullis.http.message.HasStatus;

/** Bodies of requests that are read into buffers outside the heap. */
class DirectBodyTest {
  /** Answers with the body as it was read into a buffer of seven bytes, or with the error. */
  private static void read(HttpExchange exchange) throws IOException {
    DirectInput body = assertInstanceOf(DirectInput.class, exchange.getRequestBody());
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    ByteBuffer room = ByteBuffer.allocateDirect(7);
    String end = "end";
    try {
      for (int n = body.read(room); n >= 0; n = body.read(room.clear())) {
        assertEquals(n, room.position());
        byte[] some = new byte[n];
        room.flip().get(some);
        all.write(some);
      }
    } catch (IOException e) {
      end = e instanceof HasStatus failure ? String.valueOf(failure.status()) : "broken";
    }
    TestServer.answer(exchange, 200, body.isDirect() + " " + all.toString(ISO_8859_1) + " " + end);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      Content-Length: 5~~hello | true hello end
      Content-Length: 30~~012345678901234567890123456789 | true 012345678901234567890123456789 end
      Transfer-Encoding: chunked~~1f~0123456789012345678901234567890~1~1~0~~ | true 0123456789012345678901234567 413
      Transfer-Encoding: chunked~~3;a=b~hel~a~lo, worlds~0~Trailer: x~~ | true hello, worlds end
      Transfer-Encoding: chunked~~3~hello~0~~ | true hel 400
      Transfer-Encoding: chunked~~x~hello~0~~ | true  400
      """)
  void areReadAsByArrays(String request, String expected) throws Exception {
    try (TestServer server = new TestServer(ServerLimits.DEFAULT.withMaxBodyBytes(31), DirectBodyTest::read);
        RawClient client = RawClient.of(server)) {
      client.say("POST / HTTP/1.1\r\nHost: h\r\n" + request.replace("~", "\r\n"));
      assertEquals(expected, client.answer().body());
    }
  }

  @ParameterizedTest
  @CsvSource({"1000000", "100"})
  void comeFromTheConnectionOnceWhatCameWithTheHeadIsUsed(int length) throws Exception {
    String content = "0123456789".repeat(length / 10);
    try (TestServer server = new TestServer(DirectBodyTest::read); RawClient client = RawClient.of(server)) {
      String head = "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + length + "\r\n\r\n";
      for (int i = 0; i < 2; i++) {
        client.say(head + content.substring(0, 50)).say(content.substring(50));
        assertEquals("true " + content + " end", client.answer().body());
      }
    }
  }
}
