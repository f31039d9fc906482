package portcullis.http.h2;

/** Limits how many frames of a kind that costs more than it brings a peer may send: a burst, then a rate. */
public final class FrameBudget {
  private final int burst;
  private final int perSecond;
  private double left;
  private long then = System.nanoTime();

  public FrameBudget(int burst, int perSecond) {
    this.burst = burst;
    this.perSecond = perSecond;
    this.left = burst;
  }

  /** Takes one frame off the budget, and ends the connection where there were too many. */
  public void spend() throws Http2Exception {
    left--;
    if (left >= 0) {
      return;
    }
    long now = System.nanoTime();
    left = Math.min(burst, left + (now - then) / 1e9 * perSecond);
    then = now;
    if (left < 0) {
      throw Http2Exception.connection(Http2Error.ENHANCE_YOUR_CALM, "too many frames without effect");
    }
  }
}
