package portcullis.http.server;

/**
 * The deadline of the next read, which depends on what is being read; the reading thread reports that. The first byte
 * of a request begins its head.
 */
final class ReadDeadline {
  private enum Part {
    FIRST_BYTE, HEAD, BODY, ENDLESS
  }

  private static final long NEVER = Long.MAX_VALUE / 4;

  private ServerLimits.Waits waits;
  private Part part = Part.FIRST_BYTE;
  private long begun;
  private boolean timed;
  private long end;
  private long received;
  private long since = System.nanoTime();

  ReadDeadline(ServerLimits.Waits waits) {
    this.waits = waits;
    this.end = System.nanoTime() + waits.firstByte().toNanos();
  }

  /** Starts waiting for another request on this connection. */
  void another() {
    part = Part.FIRST_BYTE;
    since = System.nanoTime();
    end = since + waits.idle().toNanos();
  }

  /** Starts the time of a head whose first bytes have been read. */
  void head() {
    part = Part.HEAD;
    timed = false;
  }

  void body() {
    long now = System.nanoTime();
    end = waits.request().isZero() ? now + NEVER : (timed ? begun : now) + waits.request().toNanos();
    begun = now;
    received = 0;
    part = Part.BODY;
  }

  /**
   * Replaces the limits, for the body too that is under way; for the thread that reads, or one that hands over to it.
   */
  void change(ServerLimits.Waits other) {
    waits = other;
    if (part == Part.BODY) {
      body();
    }
  }

  /** Removes all deadlines. */
  void endless() {
    part = Part.ENDLESS;
  }

  boolean isEndless() {
    return part == Part.ENDLESS;
  }

  /** Returns whether no byte of a request has come yet. */
  boolean isBefore() {
    return part == Part.FIRST_BYTE;
  }

  /** Returns whether more of a body is awaited. */
  boolean isBody() {
    return part == Part.BODY;
  }

  /** Returns since when what is read now keeps one waiting: an idle connection, a head, the next bytes of a body. */
  long since() {
    return since;
  }

  /** Returns whether a body is awaited that has taken a second or more and brought less than its rate. */
  boolean isSlow() {
    long nanos = System.nanoTime() - begun;
    int rate = waits.minBodyRate() == 0 ? ServerLimits.Waits.DEFAULT.minBodyRate() : waits.minBodyRate();
    return part == Part.BODY && nanos >= nanos(1, 1) && nanos(received, rate) < nanos;
  }

  /** Returns when the next read has to have ended, by {@link System#nanoTime}. */
  long end() {
    return switch (part) {
      case FIRST_BYTE -> end;
      case HEAD -> headEnd();
      case BODY -> bodyEnd();
      case ENDLESS -> System.nanoTime() + NEVER;
    };
  }

  // Most heads come as a whole with their first byte: only where one does not, the clock is looked at.
  private long headEnd() {
    if (!timed) {
      timed = true;
      begun = System.nanoTime();
      since = begun;
      end = begun + waits.head().toNanos();
    }
    return end;
  }

  private long bodyEnd() {
    long now = System.nanoTime();
    since = now;
    long stall = now + waits.body().toNanos();
    long rate = waits.minBodyRate();
    long mean = rate == 0 ? stall : begun + waits.body().toNanos() + nanos(received, rate);
    return Math.min(Math.min(stall, mean), end);
  }

  private static long nanos(long bytes, long rate) {
    return Math.min(bytes / rate, 1L << 32) * 1_000_000_000L;
  }

  void received(int bytes) {
    received += Math.max(bytes, 0);
    if (part == Part.FIRST_BYTE && bytes > 0) {
      head();
    }
  }
}
