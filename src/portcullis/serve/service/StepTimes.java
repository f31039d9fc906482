package portcullis.serve.service;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import portcullis.observe.metrics.Histogram;
import portcullis.observe.metrics.Instrument;
import portcullis.policy.pipeline.Step;
import portcullis.policy.pipeline.StepReport;

/**
 * Records the durations of steps. Histograms of recent steps are found by the identity of the step, which is faster
 * than a lookup by attributes; steps of removed rules are not kept from garbage collection. Thread safe.
 */
final class StepTimes {
  private static final int PLACES = 1024;

  private final Instrument<Histogram> cells;
  private final AtomicReferenceArray<Known> known = new AtomicReferenceArray<>(PLACES);

  /** @param cells by kind, type and name of the mechanism, outcome, and whether a cached response was used */
  StepTimes(Instrument<Histogram> cells) {
    this.cells = cells;
  }

  private record Known(WeakReference<Step<?>> step, StepReport.Outcome outcome, boolean cached, Histogram cell) {
    boolean isOf(StepReport report) {
      return outcome == report.outcome() && cached == report.cached() && step.refersTo(report.step());
    }
  }

  void note(StepReport report) {
    int place = System.identityHashCode(report.step()) + report.outcome().ordinal() * 2 + (report.cached() ? 1 : 0)
        & PLACES - 1;
    Known found = known.getAcquire(place);
    if (found == null || !found.isOf(report)) {
      found = new Known(new WeakReference<>(report.step()), report.outcome(), report.cached(), cell(report));
      known.setRelease(place, found);
    }
    found.cell.recordNanos(report.nanos());
  }

  private Histogram cell(StepReport report) {
    return cells.of(DecisionObserver.kind(report.step()), report.step().type(), report.step().source(),
        report.outcome().text(),
        Boolean.toString(report.cached()));
  }
}
