package portcullis.http.server;

import portcullis.http.h2.Http2Error;
import portcullis.http.h2.Http2Exception;

/** How many frames of a kind that costs more than it brings a client may send: some at once, then so many a second. */
final class FrameBudget {
  private final int most;
  private final int perSecond;
  private double left;
  private long then = System.nanoTime();

  FrameBudget(int most, int perSecond) {
    this.most = most;
    this.perSecond = perSecond;
    this.left = most;
  }

  /** Ends the connection where there were too many. */
  void spend() throws Http2Exception {
    left--;
    if (left >= 0) {
      return;
    }
    long now = System.nanoTime();
    left = Math.min(most, left + (now - then) / 1e9 * perSecond);
    then = now;
    if (left < 0) {
      throw Http2Exception.connection(Http2Error.ENHANCE_YOUR_CALM, "too many frames that lead to nothing");
    }
  }
}
