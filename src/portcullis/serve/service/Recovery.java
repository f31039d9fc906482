package portcullis.serve.service;

import java.io.IOException;
import portcullis.http.message.Response;
import portcullis.http.message.UnreadableBodyException;
import portcullis.observe.telemetry.Causes;
import portcullis.observe.telemetry.Log;

/** Catches unexpected exceptions: a bug costs its own request a 500, is logged once, and affects no other request. */
final class Recovery implements Layer {
  private final Log log;

  Recovery(Log log) {
    this.log = log;
  }

  @Override
  public void handle(Transaction transaction, Handler next) throws IOException {
    try {
      next.handle(transaction);
    } catch (UnreadableBodyException e) {
      transaction.markDenied(e.getMessage());
      transaction.answer(Response.of(e.status()));
    } catch (OutOfMemoryError e) {
      logError(log, e);
      failed(transaction, 503, "out of memory");
    } catch (RuntimeException | StackOverflowError e) {
      logError(log, e);
      failed(transaction, 500, "internal error: runtime error occurred");
    }
  }

  private static void failed(Transaction transaction, int status, String why) throws IOException {
    transaction.markDenied(why);
    if (transaction.reply().status() == 0) {
      transaction.answer(Response.of(status));
    } else {
      transaction.reply().abort();
    }
  }

  /** Logs an exception with its causes. */
  static void logError(Log log, Throwable bug) {
    log.error("runtime error occurred", "_error", Causes.text(bug));
  }
}
