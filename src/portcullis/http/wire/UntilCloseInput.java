package portcullis.http.wire;

import java.io.IOException;

/** A body that ends with its connection (RFC 9112, 6.3); whether it is complete cannot be detected. */
final class UntilCloseInput extends BodyInput {
  private boolean ended;

  UntilCloseInput(WireInput in) {
    super(in);
  }

  @Override
  public boolean isComplete() {
    return ended;
  }

  @Override
  int next(byte[] into, int offset, int length) throws IOException {
    int n = ended ? -1 : in.read(into, offset, length);
    ended = n < 0;
    return n;
  }

  @Override
  public int available() throws IOException {
    return ended ? 0 : in.available();
  }
}
