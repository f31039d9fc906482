package portcullis.http.server;

import portcullis.background.VirtualThreadPool;

/**
 * The wait of an exchange without an answer that no thread handles for now. It goes on, on a fresh thread, once its
 * handler has returned and it has been woken. For any threads.
 */
final class Suspension {
  private static final Runnable NOTHING = () -> {};

  private Runnable next = NOTHING;
  private boolean woken;

  /** Lets it go on; without effect once it has. */
  synchronized void wake() {
    woken = true;
    goOn();
  }

  /** Records that the handler has returned. @param rest with what it goes on */
  synchronized void returned(Runnable rest) {
    next = rest;
    goOn();
  }

  private void goOn() {
    if (woken && next != NOTHING) {
      try {
        VirtualThreadPool.SHARED.execute(next);
        next = NOTHING;
      } catch (OutOfMemoryError _) {
        // no thread can be started: its deadline, or its client that leaves, wakes it again
      }
    }
  }
}
