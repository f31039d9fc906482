package portcullis.policy.pipeline;

import java.util.Optional;
import portcullis.policy.cache.CacheHits;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Subject;

/** Notifies an observer of the steps of a run; for its thread. Without an observer it does nothing. */
final class StepReporter {
  private final Observer observer;
  private final boolean watched;
  private final CacheHits hits = CacheHits.here();
  private Optional<Step<?>> current = Optional.empty();
  private long mark;
  private int hitsBefore;

  StepReporter(Observer observer) {
    this.observer = observer;
    watched = observer != Observer.NONE;
    mark = watched ? System.nanoTime() : 0;
  }

  /** Executes the run; a step that a bug ends is reported as broken. */
  PipelineResult of(PipelineRun run) {
    try {
      return run.run();
    } finally {
      end(StepReport.Outcome.BROKEN, Optional.empty());
    }
  }

  void begin(Step<?> step) {
    if (watched) {
      observer.begun(step);
      current = Optional.of(step);
      hitsBefore = hits.count();
    }
  }

  void authenticated(Subject subject) {
    observer.authenticated(subject);
  }

  void passed() {
    end(StepReport.Outcome.PASSED, Optional.empty());
  }

  void skipped() {
    end(StepReport.Outcome.SKIPPED, Optional.empty());
  }

  void failed(Failure failure) {
    end(StepReport.Outcome.FAILED, Optional.of(failure));
  }

  void forgiven(Failure failure) {
    end(StepReport.Outcome.FORGIVEN, Optional.of(failure));
  }

  private void end(StepReport.Outcome outcome, Optional<Failure> failure) {
    if (current.isPresent()) {
      long now = System.nanoTime();
      StepReport report = new StepReport(current.get(), outcome, now - mark, hits.count() > hitsBefore, failure);
      current = Optional.empty();
      mark = now; // the next step begins when this one ends: reading the clock costs more than what is in between
      observer.ended(report);
    }
  }
}
