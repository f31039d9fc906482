package portcullis.http.wire;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A body that ends with the connection, for a peer of HTTP/1.0; the connection is not closed here. */
final class UntilCloseOutput extends BodyOutput {
  private boolean closed;

  UntilCloseOutput(WireOutput out) {
    super(out);
  }

  @Override
  public boolean isComplete() {
    return closed;
  }

  @Override
  public Framing rest() {
    return Framing.UNTIL_CLOSE;
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    check(length);
    out.write(bytes, offset, length);
  }

  @Override
  public void write(ByteBuffer bytes, Runnable progress) throws IOException {
    check(bytes.remaining());
    out.write(bytes, NOTHING, progress);
  }

  private void check(int length) throws IOException {
    if (closed && length > 0) {
      throw new IOException("the body has ended");
    }
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      out.flush();
    }
  }
}
