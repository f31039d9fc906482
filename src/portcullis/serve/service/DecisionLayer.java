package portcullis.serve.service;

import java.io.IOException;
import portcullis.observe.decisions.DecisionLog;
import portcullis.observe.decisions.RemoteAnswers;

/** Writes a line to the decision log for every request that was allowed or denied. Thread safe. */
final class DecisionLayer implements Layer {
  private final DecisionLog log;

  DecisionLayer(DecisionLog log) {
    this.log = log;
  }

  @Override
  public void handle(Transaction transaction, Handler next) throws IOException {
    RemoteAnswers answers = new RemoteAnswers();
    DecisionTrail trail = new DecisionTrail(transaction.observer(), answers);
    transaction.observeWith(trail);
    try {
      if (log.usesAnswers()) {
        answers.during(() -> next.handle(transaction));
      } else {
        next.handle(transaction);
      }
    } finally {
      boolean decided = transaction.allowed().isPresent() || transaction.decision().isPresent();
      if (decided && log.takes(transaction.allowed().orElse(false))) {
        log.offer(new DecisionLine(log, transaction, trail).text());
      }
    }
  }
}
