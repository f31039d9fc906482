package portcullis.serve.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;

/**
 * Server-sent events as the body of a response. It takes the next event once the one before it has been sent, so that a
 * slow reader needs no memory. For one thread, but for {@link #end}.
 */
final class EventStream extends InputStream {
  /** How long after the last event a comment is sent, by which a reader that is gone is noticed. */
  private static final Duration QUIET = Duration.ofSeconds(15);
  private static final Duration WAIT = Duration.ofMillis(500);
  private static final byte[] COMMENT = ":\n\n".getBytes(StandardCharsets.UTF_8);

  private final EventSource source;
  private final InstantSource clock;
  private final Runnable closed;
  private byte[] event = "retry: 2000\n\n".getBytes(StandardCharsets.UTF_8);
  private int sent;
  private long spoke;
  private boolean isClosed;
  private volatile boolean ended;

  /** @param closed called when this is closed */
  EventStream(EventSource source, InstantSource clock, Runnable closed) {
    this.source = source;
    this.clock = clock;
    this.closed = closed;
    this.spoke = clock.millis();
  }

  /** Ends it within half a second, unless its reader does not read what has been sent. */
  void end() {
    ended = true;
  }

  @Override
  public int available() {
    return event.length - sent;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] room, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, room.length);
    if (length == 0) {
      return 0;
    }
    while (sent == event.length) {
      if (ended || !advance()) {
        return -1;
      }
    }
    int count = Math.min(length, event.length - sent);
    System.arraycopy(event, sent, room, from, count);
    sent += count;
    return count;
  }

  private boolean advance() throws IOException {
    try {
      Optional<byte[]> next = source.next(WAIT);
      long now = clock.millis();
      boolean speaks = next.isPresent() || now - spoke >= QUIET.toMillis();
      if (speaks) {
        event = next.orElse(COMMENT);
        sent = 0;
        spoke = now;
      }
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  @Override
  public void close() {
    if (!isClosed) {
      isClosed = true;
      source.close();
      closed.run();
    }
  }
}
