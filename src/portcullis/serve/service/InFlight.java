package portcullis.serve.service;

import java.io.IOException;
import java.time.Duration;
import portcullis.http.message.Answer;

/** Counts the requests that are being served, so that shutting down can wait for them. Thread safe. */
final class InFlight implements Layer {
  private int count;
  private boolean draining;

  @Override
  public void handle(Transaction transaction, Handler next) throws IOException {
    if (!enter()) {
      transaction.markDenied("the service is shutting down");
      transaction.answer(Answer.of(503).with("Connection", "close"));
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

  /** Takes no more requests and waits for those that are being served, for that long at most; whether all are done. */
  synchronized boolean drain(Duration time) throws InterruptedException {
    draining = true;
    long end = System.nanoTime() + time.toNanos();
    while (count > 0 && System.nanoTime() < end) {
      wait(Math.max(1, (end - System.nanoTime()) / 1_000_000));
    }
    return count == 0;
  }
}
