package portcullis.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import portcullis.http.message.DirectInput;
import portcullis.http.message.Fields;
import portcullis.http.wire.BodyInput;
import portcullis.http.wire.MalformedMessageException;

/** The body of a request for its handler, within the limit for all bodies. */
final class RequestBody extends InputStream implements DirectInput {
  interface Begin {
    void begin() throws IOException;
  }

  /** The body of a request without one. */
  static final RequestBody NONE = new RequestBody(BodyInput.none(), 0, () -> {});

  private final BodyInput in;
  private final long limit;
  private final Begin begin;
  private boolean begun;
  private long count;
  private volatile boolean whole;

  /** @param begin run before the first byte is waited for */
  RequestBody(BodyInput in, long limit, Begin begin) {
    this.in = in;
    this.limit = limit;
    this.begin = begin;
    this.whole = in.isComplete();
  }

  boolean isComplete() {
    return in.isComplete();
  }

  /** Returns whether all of it has been read, for any thread to ask. */
  boolean isWhole() {
    return whole;
  }

  Fields trailers() {
    return in.trailers();
  }

  /** Returns how many bytes have been read. */
  long count() {
    return count;
  }

  /** Returns whether it has failed, so that the position of the next request is unknown. */
  boolean isBroken() {
    return in.isBroken() || count > limit;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    begin();
    return received(in.read(into, offset, length));
  }

  @Override
  public boolean isDirect() {
    return in.isDirect();
  }

  @Override
  public int read(ByteBuffer into) throws IOException {
    begin();
    return received(in.read(into));
  }

  private void begin() throws IOException {
    if (!begun && !in.isComplete()) {
      begun = true;
      begin.begin();
    }
  }

  private int received(int n) throws MalformedMessageException {
    count += Math.max(n, 0);
    if (!whole && in.isComplete()) {
      whole = true;
    }
    if (count > limit) {
      throw new MalformedMessageException(413, "a body longer than allowed");
    }
    return n;
  }

  @Override
  public int available() throws IOException {
    return in.available();
  }
}
