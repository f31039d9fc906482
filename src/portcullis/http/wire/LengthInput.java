package portcullis.http.wire;

import java.io.IOException;

/** A body of a known length (RFC 9112, 6.2). */
final class LengthInput extends BodyInput {
  private long left;

  LengthInput(WireInput in, long length) {
    super(in);
    this.left = length;
  }

  @Override
  public boolean isComplete() {
    return left == 0;
  }

  @Override
  int next(byte[] into, int offset, int length) throws IOException {
    if (left == 0) {
      return -1;
    }
    int n = data(into, offset, (int) Math.min(length, left));
    left -= n;
    return n;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(in.available(), left);
  }
}
