package portcullis.verify;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import portcullis.policy.authorizer.Cel;
import portcullis.policy.authorizer.Remote;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.mechanism.Checks;
import portcullis.policy.mechanism.FailedCheck;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.Step;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleOrigin;
import portcullis.serve.console.TestedRules;

/**
 * What of the rules was tried: each rule, each step, both outcomes of each condition, authorizer and expression, each
 * error handler. Thread safe.
 */
public final class Coverage {
  /**
   * Something to be tried.
   *
   * @param step its id; empty for the rule as a whole
   * @param what happens there: {@code matched}, {@code ran}, {@code applied}, {@code skipped}, {@code passed},
   *     {@code failed} or {@code expression 1 false}
   */
  public record Point(String source, String rule, String step, String type, String what) {
    /** Returns the name in reports. */
    public String text() {
      return "rule `" + rule + "`" + (step.isEmpty() ? "" : ", step `" + step + "` (" + type + ")") + ": "
          + (what.endsWith(" false") ? what.replace(" false", " never false") : "never " + what);
    }
  }

  private final Map<Point, Boolean> points = new LinkedHashMap<>();
  private final Set<Point> tried = ConcurrentHashMap.newKeySet();
  private final RulePositions positions = new RulePositions();
  private final Map<Named, RuleOrigin> rules = new LinkedHashMap<>();
  private final Map<Named, Cases> cases = new ConcurrentHashMap<>();

  private record Named(String source, String id) {
    static Named of(Rule rule) {
      return new Named(rule.source(), rule.id());
    }
  }

  private record Cases(long all, long failed) {
    Cases plus(Cases other) {
      return new Cases(all + other.all, failed + other.failed);
    }
  }

  /** Adds the rules of the snapshot to those that are counted. */
  synchronized void add(Snapshot snapshot) {
    Stream.concat(snapshot.index().values().stream(), snapshot.defaultRule().stream()).forEach(rule -> {
      positions.read(rule.source());
      rules.put(Named.of(rule), rule.origin());
      of(rule).forEach(point -> points.put(point, true));
    });
  }

  /**
   * Steps behind an authenticator that refuses all requests cannot be tried; neither can error handlers if all requests
   * are allowed and nothing is checked.
   */
  private static List<Point> of(Rule rule) {
    List<Point> out = new ArrayList<>();
    out.add(point(rule, Optional.empty(), "matched"));
    Pipeline pipeline = rule.pipeline();
    boolean anybody = pipeline.authenticators().stream().allMatch(step -> step.type().equals("anonymous"));
    boolean nobody = pipeline.authenticators().stream().allMatch(step -> step.type().equals("unauthorized"));
    pipeline.authenticators().forEach(step -> steps(rule, step, out));
    if (!nobody) {
      pipeline.handlers().forEach(step -> steps(rule, step, out));
      pipeline.finalizers().forEach(step -> steps(rule, step, out));
    }
    if (!anybody || !pipeline.handlers().isEmpty()) {
      pipeline.errorHandlers().forEach(step -> steps(rule, step, out));
    }
    return out;
  }

  private static void steps(Rule rule, Step<?> step, List<Point> out) {
    boolean conditional = step.condition().isPresent();
    boolean decides = step.mechanism() instanceof Mechanism.Authorizer && !step.type().equals("allow");
    if (conditional) {
      out.add(point(rule, Optional.of(step), "skipped"));
    }
    if (decides) {
      if (!step.type().equals("deny")) {
        out.add(point(rule, Optional.of(step), "passed"));
      }
      List<Checks.Check> expressions = expressions(step);
      if (expressions.isEmpty() || step.mechanism() instanceof Remote) {
        out.add(point(rule, Optional.of(step), "failed"));
      }
      for (int i = 1; i <= expressions.size(); i++) {
        out.add(point(rule, Optional.of(step), isFalse(i)));
      }
    } else {
      out.add(point(rule, Optional.of(step), conditional ? "applied" : "ran"));
    }
  }

  /** Returns those that have to be true; each is once where the step passes. */
  private static List<Checks.Check> expressions(Step<?> step) {
    return switch (step.mechanism()) {
      case Cel cel -> cel.config().expressions();
      case Remote remote -> remote.config().expressions();
      default -> List.of();
    };
  }

  private static String isFalse(int number) {
    return "expression " + number + " false";
  }

  /** Returns the number of the expression that was false, if it was one. */
  private static Optional<Integer> falseExpression(StepReport report) {
    List<Checks.Check> expressions = expressions(report.step());
    Optional<FailedCheck> failed = report.failure().filter(Failure.Authorization.class::isInstance)
        .flatMap(failure -> ((Failure.Authorization) failure).check());
    for (int i = 0; i < expressions.size() && failed.isPresent(); i++) {
      if (expressions.get(i).text() == failed.get().expression()) {
        return Optional.of(i + 1);
      }
    }
    return Optional.empty();
  }

  private static Point point(Rule rule, Optional<Step<?>> step, String what) {
    return new Point(rule.source(), rule.id(), step.map(Step::id).orElse(""), step.map(Step::type).orElse(""), what);
  }

  /** Notes what a case tried, and whether it passed. */
  void add(OfflineDecider.Result result, boolean passed) {
    CaseCheck.rule(result.outcome()).ifPresent(rule -> {
      cases.merge(Named.of(rule), new Cases(1, passed ? 0 : 1), Cases::plus);
      tried.add(point(rule, Optional.empty(), "matched"));
      for (StepReport report : result.steps()) {
        Optional<Step<?>> step = Optional.of(report.step());
        falseExpression(report).ifPresent(number -> tried.add(point(rule, step, isFalse(number))));
        switch (report.outcome()) {
          case SKIPPED -> tried.add(point(rule, step, "skipped"));
          case PASSED -> List.of("ran", "applied", "passed").forEach(what -> tried.add(point(rule, step, what)));
          case FAILED, FORGIVEN, BROKEN ->
            List.of("ran", "applied", "failed").forEach(what -> tried.add(point(rule, step, what)));
        }
      }
    });
  }

  /** Returns what was tried of each rule, for the console. */
  public synchronized TestedRules tested(Instant now) {
    Map<Named, List<Point>> byRule = points.keySet().stream()
        .collect(Collectors.groupingBy(point -> new Named(point.source, point.rule)));
    List<TestedRules.Tested> out = new ArrayList<>();
    rules.forEach((rule, origin) -> {
      Cases all = cases.getOrDefault(rule, new Cases(0, 0));
      List<Point> own = byRule.getOrDefault(rule, List.of());
      out.add(new TestedRules.Tested(rule.id, origin.rule(), origin.configuration(), all.all, all.failed,
          own.stream().filter(tried::contains).count(), own.size()));
    });
    return new TestedRules(now, out);
  }

  /** Returns how many points there are. */
  public synchronized int all() {
    return points.size();
  }

  /** Returns how many of them were tried. */
  public synchronized int covered() {
    return (int) points.keySet().stream().filter(tried::contains).count();
  }

  /** In percent, rounded down; 100 where there is nothing to be tried. */
  public int percent() {
    return all() == 0 ? 100 : covered() * 100 / all();
  }

  /**
   * Returns what was never tried, each with its place: {@code rules.yaml:14:5: rule `a`, step `b` (cel): never failed}.
   */
  public synchronized List<String> missing() {
    List<String> out = new ArrayList<>();
    points.keySet().stream().filter(point -> !tried.contains(point))
        .forEach(point -> out.add(positions.of(point) + point.text()));
    return out;
  }

}
