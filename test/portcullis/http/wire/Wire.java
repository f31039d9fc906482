package portcullis.http.wire;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Inputs for these tests, of strings whose characters are bytes. */
final class Wire {
  static final HeadLimits LIMITS = new HeadLimits(4096, 50);

  private Wire() {}

  static WireInput input(String text) {
    return new WireInput(new ByteArrayInputStream(text.getBytes(ISO_8859_1)));
  }

  /** One that comes in pieces of that many bytes. */
  static WireInput trickled(String text, int piece) {
    InputStream whole = new ByteArrayInputStream(text.getBytes(ISO_8859_1));
    return new WireInput(new InputStream() {
      @Override
      public int read() throws IOException {
        return whole.read();
      }

      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        return whole.read(into, offset, Math.min(piece, length));
      }
    });
  }

  static String text(byte[] bytes) {
    return new String(bytes, ISO_8859_1);
  }
}
