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
  boolean endsWithConnection() {
    return true;
  }

  @Override
  int begin(int wanted) {
    return ended ? -1 : wanted;
  }

  @Override
  int received(int count) {
    ended = count < 0;
    return count;
  }

  @Override
  public int available() throws IOException {
    return ended ? 0 : in.available();
  }
}
