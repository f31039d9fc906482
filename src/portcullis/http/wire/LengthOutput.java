package portcullis.http.wire;

import java.io.IOException;
import java.nio.ByteBuffer;

/** A body of an announced length; more bytes are rejected. */
final class LengthOutput extends BodyOutput {
  private long left;
  private boolean closed;

  LengthOutput(WireOutput out, long length) {
    super(out);
    this.left = length;
  }

  @Override
  public boolean isComplete() {
    return left == 0;
  }

  @Override
  public Framing rest() {
    return new Framing.Length(left);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    take(length);
    out.write(bytes, offset, length);
  }

  @Override
  public void write(ByteBuffer bytes, Runnable progress) throws IOException {
    take(bytes.remaining());
    out.write(bytes, NOTHING, progress);
  }

  private void take(int length) throws IOException {
    if (closed && length > 0) {
      throw new IOException("the body has ended");
    }
    if (length > left) {
      throw new IOException("more bytes than were announced");
    }
    left -= length;
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      closed = true;
      out.flush();
      if (left > 0) {
        throw new IOException("fewer bytes than were announced");
      }
    }
  }
}
