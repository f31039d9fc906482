package portcullis.observe.telemetry;

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

  /** Returns a stream that copies what is read from it and runs {@code end} once, when it ends, fails or is closed. */
  public InputStream of(InputStream in, Runnable end) {
    return ObservedBody.of(in, this::body, _ -> end.run());
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
