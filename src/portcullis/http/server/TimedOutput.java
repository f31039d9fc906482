package portcullis.http.server;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import portcullis.http.wire.DeadlineTimer;

/** Writes to a connection, each piece of it no longer than a limit. */
final class TimedOutput extends OutputStream {
  private static final int PIECE = 65536;

  private final OutputStream out;
  private final DeadlineTimer.Deadline deadline;
  private final long nanos;

  TimedOutput(OutputStream out, DeadlineTimer.Deadline deadline, Duration limit) {
    this.out = out;
    this.deadline = deadline;
    this.nanos = limit.toNanos();
  }

  @Override
  public void write(int octet) throws IOException {
    write(new byte[] {(byte) octet}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    for (int done = 0; done < length; done += PIECE) {
      if (!deadline.set(nanos)) {
        throw new IOException("the client did not read in time");
      }
      try {
        out.write(bytes, offset + done, Math.min(PIECE, length - done));
      } finally {
        deadline.clear();
      }
    }
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }
}
