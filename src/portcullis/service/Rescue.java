package portcullis.service;

import java.io.IOException;
import portcullis.message.Answer;
import portcullis.message.UnreadableBody;
import portcullis.telemetry.Log;

/** Catches what nobody foresaw: a bug costs its request a 500, told once, and nobody else anything. */
final class Rescue implements Layer {
  private final Log log;

  Rescue(Log log) {
    this.log = log;
  }

  @Override
  public void handle(Transaction transaction, Handler next) throws IOException {
    try {
      next.handle(transaction);
    } catch (UnreadableBody e) {
      transaction.denied(e.getMessage());
      transaction.answer(Answer.of(e.status()));
    } catch (RuntimeException | StackOverflowError e) {
      tell(log, e);
      transaction.denied("internal error: runtime error occurred");
      if (transaction.reply().status() == 0) {
        transaction.answer(Answer.of(500));
      } else {
        transaction.reply().abort();
      }
    }
  }

  static void tell(Log log, Throwable bug) {
    StackTraceElement[] trace = bug.getStackTrace();
    log.error("runtime error occurred", "_error", bug.toString(), "_at", trace.length == 0 ? "" : trace[0].toString());
  }
}
