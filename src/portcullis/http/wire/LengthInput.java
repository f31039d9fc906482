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
  int begin(int wanted) {
    return left == 0 ? -1 : (int) Math.min(wanted, left);
  }

  @Override
  int received(int count) throws IOException {
    left -= within(count);
    return count;
  }

  @Override
  public int available() throws IOException {
    return (int) Math.min(in.available(), left);
  }
}
