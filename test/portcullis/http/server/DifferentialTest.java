package portcullis.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import portcullis.http.wire.BodyInput;
import portcullis.http.wire.HeadLimits;
import portcullis.http.wire.MalformedMessageException;
import portcullis.http.wire.RequestHead;
import portcullis.http.wire.WireInput;

/** Our reader and {@link StrictReader} on messages that somebody has spoiled: the same requests, or both refuse. */
class DifferentialTest {
  private static final int COUNT = Integer.getInteger("portcullis.fuzz", 100_000);
  private static final HeadLimits LIMITS = new HeadLimits(1 << 20, 1000);
  private static final List<String> SEEDS = List.of(
      "GET /a?b HTTP/1.1\r\nHost: h\r\nAccept: */*\r\n\r\n",
      "POST /b HTTP/1.1\r\nHost: a.example:80\r\nContent-Length: 5\r\n\r\nhello",
      "POST /c HTTP/1.1\r\nhost: h-1_x.y\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1a;x=\"y\\\"\" ; z = "
          + "1\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\nX-T: 1\r\n\r\n",
      "PUT /d HTTP/1.0\r\nContent-Length: 3\r\nConnection: keep-alive\r\n\r\nabc",
      "OPTIONS * HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 0\r\n\r\n",
      "\r\nDELETE /e HTTP/1.1\r\nHost:\th \r\nX: \u00e4 b\tc\r\nCookie: a=b\r\n\r\n");
  private static final List<String> PIECES = List.of("\r\n", "\r", "\n", " ", "\t", ":", ";", ",", "0", "1", "\0",
      "\u000b", "\u007f", "\u0085", "\u00a0", "\u00ff",
      "Content-Length: 5\r\n", "Content-Length: 0\r\n", "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: "
          + "identity\r\n",
      "Host: h\r\n", "X: y\r\n",
      "chunked", "gzip, ", "+", "-", "0x", "\"", "\\", "=", "/", "#", "%", "?", "HTTP/1.1", "HTTP/1.0", "\r\n\r\n",
      "0\r\n\r\n", "5\r\nhello\r\n", "Expect: x\r\n");

  @Test
  void twoReadersOfOneGrammarReadTheSame() throws IOException {
    Random random = new Random(Long.getLong("portcullis.fuzz.seed", 44));
    int refused = 0;
    for (int i = 0; i < COUNT; i++) {
      String raw = spoiled(random);
      List<StrictReader.Found> expected = StrictReader.read(raw);
      int piece = random.nextInt(4) == 0 ? 1 + random.nextInt(9) : raw.length() + 1;
      assertEquals(expected, read(raw, piece), () -> "message " + raw.replace("\r", "\\r").replace("\n", "\\n\n"));
      refused += expected.contains(new StrictReader.Found.Refused()) ? 1 : 0;
    }
    assertTrue(refused > COUNT / 5 && refused < COUNT * 4 / 5, refused + " of " + COUNT + " refused");
  }

  private static String spoiled(Random random) {
    StringBuilder out = new StringBuilder();
    for (int n = 1 + random.nextInt(3); n > 0; n--) {
      out.append(SEEDS.get(random.nextInt(SEEDS.size())));
    }
    for (int n = random.nextInt(3); n > 0; n--) {
      int at = random.nextInt(out.length());
      switch (random.nextInt(6)) {
        case 0 -> out.deleteCharAt(at);
        case 1 -> out.setCharAt(at, (char) random.nextInt(256));
        case 2 -> out.insert(at, out.charAt(random.nextInt(out.length())));
        case 3 -> out.insert(lineStart(out, at), PIECES.get(random.nextInt(PIECES.size())));
        case 4 -> out.delete(at, Math.min(out.length(), at + random.nextInt(6)));
        default -> out.insert(at, PIECES.get(random.nextInt(PIECES.size())));
      }
    }
    return out.toString();
  }

  private static int lineStart(StringBuilder text, int at) {
    int line = text.lastIndexOf("\n", at);
    return line < 0 ? 0 : line + 1;
  }

  private static List<StrictReader.Found> read(String raw, int piece) throws IOException {
    WireInput in = new WireInput(new Pieces(raw.getBytes(ISO_8859_1), piece));
    List<StrictReader.Found> out = new ArrayList<>();
    try {
      for (Optional<RequestHead> head = RequestHead.read(in, LIMITS); head
          .isPresent(); head = RequestHead.read(in, LIMITS)) {
        RequestCheck check = RequestCheck.of(head.get(), Long.MAX_VALUE);
        String body = new String(BodyInput.of(check.framing(), in, LIMITS).readAllBytes(), ISO_8859_1);
        out.add(new StrictReader.Found.Request(head.get().method(), head.get().target(), body));
      }
    } catch (MalformedMessageException e) {
      out.add(new StrictReader.Found.Refused());
    }
    return out;
  }

  private static final class Pieces extends ByteArrayInputStream {
    private final int piece;

    Pieces(byte[] bytes, int piece) {
      super(bytes);
      this.piece = piece;
    }

    @Override
    public synchronized int read(byte[] into, int offset, int length) {
      return super.read(into, offset, Math.min(piece, length));
    }
  }
}
