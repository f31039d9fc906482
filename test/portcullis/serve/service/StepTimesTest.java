package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.pipeline.Step;
import portcullis.policy.pipeline.StepReport;

class StepTimesTest {
  /** More than there are places for those that are known. */
  private static final int MANY = 1_900;

  @Test
  void eachOfManyStepsHasItsOwnDurations() {
    Registry registry = new Registry();
    StepTimes times = new Instruments(registry).steps();
    Mechanism.Authorizer all = _ -> Mechanism.Outcome.PASSED;
    List<Step<?>> steps = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      steps.add(new Step<>("s" + i, "s" + i, "allow", Optional.empty(), all));
      times.note(new StepReport(steps.getLast(), StepReport.Outcome.PASSED, 1, false, Optional.empty()));
    }
    List<Metric.Sample> samples = registry.samples("portcullis.step.duration");
    assertEquals(MANY, samples.size());
    for (Metric.Sample sample : samples) {
      long count = ((Metric.Distribution) sample.value()).counts().stream().mapToLong(Long::longValue).sum();
      assertEquals(1, count, sample::toString);
    }
  }
}
