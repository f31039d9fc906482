package portcullis.policy.pipeline;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import portcullis.http.message.Request;
import portcullis.policy.mechanism.Subject;

/** Collects the reports of a run and passes them on; for its thread. */
public final class StepSummary implements Observer {
  private static final double NANOS_OF_A_MILLISECOND = 1_000_000;

  private final Observer next;
  private final List<StepReport> reports = new ArrayList<>();

  public StepSummary(Observer next) {
    this.next = next;
  }

  @Override
  public void requested(Request request) {
    next.requested(request);
  }

  @Override
  public void authenticated(Subject subject) {
    next.authenticated(subject);
  }

  @Override
  public void ruled(String source, String rule, String route) {
    next.ruled(source, rule, route);
  }

  @Override
  public void begun(Step<?> step) {
    next.begun(step);
  }

  @Override
  public void ended(StepReport report) {
    reports.add(report);
    next.ended(report);
  }

  /** Returns the reports in the order of the steps. */
  public List<StepReport> reports() {
    return List.copyOf(reports);
  }

  /**
   * Returns all of it in one line, as {@code bearer (jwt) passed in 0.12 ms, cached; may (cel) failed in 0.03 ms:
   * authorization error}.
   */
  public String text() {
    return reports.stream().map(StepSummary::text).collect(Collectors.joining("; "));
  }

  private static String text(StepReport report) {
    return report.step().id() + " (" + report.step().type() + ") " + report.outcome().text() + " in "
        + milliseconds(report) + " ms"
        + (report.cached() ? ", cached" : "") + report.failure().map(failure -> ": " + failure.title()).orElse("");
  }

  /** Formats a number of milliseconds: {@code 0.12}. */
  public static String milliseconds(StepReport report) {
    return String.format(Locale.ROOT, "%.2f", report.nanos() / NANOS_OF_A_MILLISECOND);
  }
}
