package portcullis.http.server;

import java.io.IOException;
import java.io.InputStream;
import portcullis.http.wire.Malformed;
import portcullis.http.wire.Watch;

/** Reads from a connection no longer than its pace allows. */
final class TimedInput extends InputStream {
  private final InputStream in;
  private final Watch.Deadline deadline;
  private final Pace pace;

  TimedInput(InputStream in, Watch.Deadline deadline, Pace pace) {
    this.in = in;
    this.deadline = deadline;
    this.pace = pace;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (pace.isEndless()) {
      return in.read(into, offset, length);
    }
    boolean inTime = deadline.until(pace.end());
    int n = inTime ? readInTime(into, offset, length) : -1;
    if (n < 0 && deadline.hasPassed()) {
      throw new Malformed(408, "the request did not come in time");
    }
    pace.received(n);
    return n;
  }

  private int readInTime(byte[] into, int offset, int length) throws IOException {
    try {
      return in.read(into, offset, length);
    } catch (IOException e) {
      if (deadline.hasPassed()) {
        return -1;
      }
      throw e;
    } finally {
      deadline.clear();
    }
  }

  @Override
  public int available() throws IOException {
    return in.available();
  }
}
