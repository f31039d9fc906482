package portcullis.pipeline;

import java.time.Duration;
import java.util.Optional;
import portcullis.cache.Hits;
import portcullis.mechanism.Failure;

/** Tells an observer how a run goes on; for the run's thread. Where nobody asks it does nothing. */
final class Progress {
  private final Observer observer;
  private final boolean watched;
  private final Hits hits = new Hits();
  private Optional<Step<?>> current = Optional.empty();
  private long begin;
  private int hitsBefore;

  Progress(Observer observer) {
    this.observer = observer;
    watched = observer != Observer.NOBODY;
  }

  /** Does the run's work, counting what was there already where somebody asks. */
  Passage of(Run run) {
    if (!watched) {
      return run.passage();
    }
    try {
      return hits.during(run::passage);
    } finally {
      end(StepReport.Outcome.BROKEN, Optional.empty());
    }
  }

  void begin(Step<?> step) {
    if (watched) {
      observer.begun(step);
      current = Optional.of(step);
      hitsBefore = hits.count();
      begin = System.nanoTime();
    }
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
      Duration time = Duration.ofNanos(System.nanoTime() - begin);
      StepReport report = new StepReport(current.get(), outcome, time, hits.count() > hitsBefore, failure);
      current = Optional.empty();
      observer.ended(report);
    }
  }
}
