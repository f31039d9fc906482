package portcullis.observe.telemetry;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import portcullis.lang.source.FileFailure;

/**
 * The output of the log. It counts how many lines are complete after a partial write, as on a full disk, and ends a
 * truncated line before the next one. For one thread.
 */
final class LogOutput {
  private static final ByteBuffer LINE_END = ByteBuffer.wrap(new byte[] {'\n'});
  private static final long PAUSE_NANOS = 1_000_000;
  private static final int MAX_PAUSES = 10_000;

  private final OutputStream out;
  /** The channel of a file, which reports partial writes. */
  private final Optional<FileChannel> channel;
  private Optional<String> error = Optional.empty();
  private boolean away;
  private boolean truncated;

  LogOutput(OutputStream out) {
    this.out = out;
    this.channel = out instanceof FileOutputStream file ? Optional.of(file.getChannel()) : Optional.empty();
  }

  /** Returns why the last write failed; empty if it succeeded. */
  Optional<String> error() {
    return error;
  }

  /** Returns whether the last write failed because the output is away, and has taken nothing. */
  boolean isAway() {
    return away;
  }

  /**
   * Writes the first bytes of a buffer, which end with a line end; returns how many lines were written completely.
   *
   * @param lines how many lines they are
   */
  int write(ByteBuffer bytes, int length, int lines) {
    ByteBuffer rest = bytes.duplicate().position(0).limit(length);
    away = false;
    try {
      if (channel.isPresent()) {
        write(channel.get(), rest);
      } else if (out instanceof BufferOutput taking) {
        taking.write(rest.duplicate());
        rest.position(length);
      } else {
        byte[] array = new byte[length];
        bytes.get(0, array);
        out.write(array, 0, length);
        out.flush();
        rest.position(length);
      }
      error = Optional.empty();
    } catch (IOException | RuntimeException e) {
      error = Optional.of(FileFailure.reason(e));
      away = e instanceof OutputAwayException;
    }
    int written = rest.position();
    truncated = written > 0 ? bytes.get(written - 1) != '\n' : truncated;
    return written == length ? lines : lines(bytes, written);
  }

  private void write(FileChannel file, ByteBuffer bytes) throws IOException {
    if (truncated) {
      writeAll(file, LINE_END.duplicate());
      truncated = false;
    }
    writeAll(file, bytes);
  }

  private static void writeAll(FileChannel file, ByteBuffer bytes) throws IOException {
    for (int pauses = 0; bytes.hasRemaining();) {
      if (file.write(bytes) == 0) { // another process that shares the file has made it non-blocking
        if (++pauses > MAX_PAUSES) {
          throw new IOException("the reader does not read");
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static int lines(ByteBuffer bytes, int end) {
    int out = 0;
    for (int i = 0; i < end; i++) {
      out += bytes.get(i) == '\n' ? 1 : 0;
    }
    return out;
  }
}
