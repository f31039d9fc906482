package portcullis.serve.service;

import java.io.IOException;
import java.time.Duration;
import portcullis.http.message.Response;

/** Counts the requests in progress, so that a shutdown can wait for them. Thread safe. */
final class InFlight implements Layer {
  private int count;
  private boolean draining;

  @Override
  public void handle(Transaction transaction, Handler next) throws IOException {
    if (!enter()) {
      transaction.markDenied("the service is shutting down");
      transaction.answer(Response.of(503).with("Connection", "close"));
      return;
    }
    try {
      next.handle(transaction);
    } finally {
      leave();
    }
  }

  private synchronized boolean enter() {
    if (draining) {
      return false;
    }
    count++;
    return true;
  }

  private synchronized void leave() {
    count--;
    notifyAll();
  }

  /** Refuses new requests, waits for those in progress, and returns whether all have ended in time. */
  synchronized boolean drain(Duration time) throws InterruptedException {
    draining = true;
    long end = System.nanoTime() + time.toNanos();
    while (count > 0 && System.nanoTime() < end) {
      wait(Math.max(1, (end - System.nanoTime()) / 1_000_000));
    }
    return count == 0;
  }
}
