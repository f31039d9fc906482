package portcullis.observe.telemetry;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/**
 * Where the lines of the log are written. It knows how many lines are there in full after a write that failed halfway,
 * as on a full disk; the line that was cut is ended before the next one begins. For one thread.
 */
final class LogOutput {
  private static final ByteBuffer LINE_END = ByteBuffer.wrap(new byte[] {'\n'});
  private static final long PAUSE_NANOS = 1_000_000;
  private static final int MOST_PAUSES = 10_000;

  private final OutputStream out;
  /** Of a file, which reports how much of a write was done. */
  private final Optional<FileChannel> channel;
  private Optional<String> fault = Optional.empty();
  private boolean cut;

  LogOutput(OutputStream out) {
    this.out = out;
    this.channel = out instanceof FileOutputStream file ? Optional.of(file.getChannel()) : Optional.empty();
  }

  /** Why the last write failed; empty where it did not. */
  Optional<String> fault() {
    return fault;
  }

  /** Writes the first bytes, which end with a line; returns how many lines are there in full. */
  int write(byte[] bytes, int length) {
    ByteBuffer rest = ByteBuffer.wrap(bytes, 0, length);
    try {
      if (channel.isPresent()) {
        write(channel.get(), rest);
      } else {
        out.write(bytes, 0, length);
        out.flush();
        rest.position(length);
      }
      fault = Optional.empty();
    } catch (IOException | RuntimeException e) {
      fault = Optional.of(String.valueOf(e.getMessage()));
    }
    int written = rest.position();
    cut = written > 0 ? bytes[written - 1] != '\n' : cut;
    return lines(bytes, written);
  }

  private void write(FileChannel file, ByteBuffer bytes) throws IOException {
    if (cut) {
      writeAll(file, LINE_END.duplicate());
      cut = false;
    }
    writeAll(file, bytes);
  }

  private static void writeAll(FileChannel file, ByteBuffer bytes) throws IOException {
    for (int pauses = 0; bytes.hasRemaining();) {
      if (file.write(bytes) == 0) { // it is shared with a process that does not want to wait for it
        if (++pauses > MOST_PAUSES) {
          throw new IOException("the reader takes nothing");
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private static int lines(byte[] bytes, int end) {
    int out = 0;
    for (int i = 0; i < end; i++) {
      out += bytes[i] == '\n' ? 1 : 0;
    }
    return out;
  }
}
