package portcullis.observe.decisions;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/** A buffer of lines of an audit chain that hashes them in place. For one thread. */
final class ChainBatch extends ByteArrayOutputStream {
  private static final int LARGEST = 1 << 20;

  void ascii(String text) {
    writeBytes(text.getBytes(StandardCharsets.US_ASCII));
  }

  byte[] from(int begin) {
    return Arrays.copyOfRange(buf, begin, count);
  }

  String hash(int begin, MessageDigest digest) {
    digest.update(buf, begin, count - begin);
    return HexFormat.of().formatHex(digest.digest());
  }

  void writeTo(RotatingFile file) throws IOException {
    file.write(buf, 0, count);
  }

  /** Returns whether it takes more memory than is to be kept for the next lines. */
  boolean isLarge() {
    return buf.length > LARGEST;
  }
}
