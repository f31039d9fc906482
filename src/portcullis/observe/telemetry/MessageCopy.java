package portcullis.observe.telemetry;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import portcullis.http.message.Fields;

/** A copy of an HTTP message for the log, with up to 64 KiB of its body. For one thread at a time. */
public final class MessageCopy {
  /** The maximum number of bytes that are copied of a body. */
  public static final int LONGEST = 64 << 10;

  private final StringBuilder text = new StringBuilder();
  private int left = LONGEST;

  /** @param first the start line */
  public MessageCopy(String first, Fields fields) {
    text.append(first).append("\r\n");
    fields.forEach(field -> text.append(field.name()).append(": ").append(field.value()).append("\r\n"));
    text.append("\r\n");
  }

  public void body(byte[] bytes, int from, int length) {
    int taken = Math.min(left, length);
    text.append(new String(bytes, from, taken, StandardCharsets.UTF_8));
    left -= taken;
    if (taken < length && text.charAt(text.length() - 1) != '…') {
      text.append('…');
    }
  }

  /**
   * Returns a stream that copies what is read from this one and runs {@code end} once, at its end or when it is
   * closed.
   */
  public InputStream of(InputStream in, Runnable end) {
    return new Copied(in, this, end);
  }

  @Override
  public String toString() {
    return text.toString();
  }

  private static final class Copied extends FilterInputStream {
    private final MessageCopy copy;
    private final Runnable end;
    private boolean ended;

    Copied(InputStream in, MessageCopy copy, Runnable end) {
      super(in);
      this.copy = copy;
      this.end = end;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 255;
    }

    @Override
    public int read(byte[] bytes, int from, int length) throws IOException {
      int n = in.read(bytes, from, length);
      if (n < 0) {
        end();
      } else {
        copy.body(bytes, from, n);
      }
      return n;
    }

    @Override
    public boolean markSupported() {
      return false;
    }

    @Override
    public void close() throws IOException {
      end();
      in.close();
    }

    private void end() {
      if (!ended) {
        ended = true;
        end.run();
      }
    }
  }
}
