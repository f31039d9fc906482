package portcullis.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;
import portcullis.http.wire.MalformedMessageException;

/** The body of a request on a stream of HTTP/2, as the handler reads it: within the limits of its pace. */
final class Http2RequestBody extends InputStream {
  private final Http2Stream stream;
  private final ReadDeadline pace;
  private boolean begun;
  private volatile OptionalLong waitsSince = OptionalLong.empty();

  Http2RequestBody(Http2Stream stream, ReadDeadline pace) {
    this.stream = stream;
    this.pace = pace;
  }

  static MalformedMessageException late() {
    return new MalformedMessageException(408, "the request did not come in time");
  }

  /** Returns since when a read waits for the client, by {@link System#nanoTime}; empty where none does. */
  OptionalLong waitsSince() {
    return waitsSince;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!begun) {
      begun = true;
      pace.body();
      stream.begin();
    }
    int n = take(into, offset, length);
    if (n == 0) {
      stream.fail(late());
      n = take(into, offset, length);
    }
    pace.received(n);
    return n;
  }

  private int take(byte[] into, int offset, int length) throws IOException {
    boolean waits = stream.available() == 0;
    try {
      if (waits) {
        waitsSince = OptionalLong.of(System.nanoTime());
      }
      return stream.take(into, offset, length, waits ? pace.end() : 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      if (waits) {
        waitsSince = OptionalLong.empty();
      }
    }
  }

  @Override
  public int available() {
    return stream.available();
  }
}
