package portcullis.serve.explain;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import portcullis.http.message.ConnectionFields;
import portcullis.http.message.Field;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.policy.decision.Decision;
import portcullis.policy.mechanism.FailedCheck;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.pipeline.StepSummary;
import portcullis.policy.route.Match;
import portcullis.policy.rule.Rule;
import portcullis.serve.service.DryRun;

/**
 * How a request was decided; secrets are masked in all output. Immutable.
 *
 * @param match empty if no rule matches
 * @param nearest what would have matched, for requests without a match
 * @param places returns where a rule is written
 */
public record Explanation(DryRun.Draft draft, DryRun.Outcome outcome, Optional<Match<Rule>> match, List<String> nearest,
    List<StepReport> steps, Function<Rule, String> places, SecretMask mask) {

  /** Returns whether this is the result: {@code allow}, {@code deny} or a status. */
  public boolean is(String expected) {
    return switch (expected) {
      case "allow" -> outcome.allowed();
      case "deny" -> !outcome.allowed();
      default -> expected.equals(String.valueOf(outcome.answer().status()));
    };
  }

  /** Returns the result as a clause: {@code allowed, subject `ann`}. */
  public String result() {
    return mask.masked(outcome.allowed() ? "allowed, subject `" + subject() + "`"
        : "refused with " + outcome.answer().status() + ": " + outcome.reason());
  }

  private Optional<Rule> rule() {
    return outcome.decision().flatMap(decided -> switch (decided) {
      case Decision.Allow allow -> Optional.of(allow.rule());
      case Decision.Own _ -> Optional.empty();
      case Decision.Refuse refuse -> refuse.rule();
    });
  }

  private String place(Rule rule) {
    return places.apply(rule);
  }

  private String request() {
    return outcome.request()
        .map(r -> r.method() + " " + r.url().scheme() + "://" + r.url().host() + r.path().canonical())
        .orElse(draft.method() + " " + draft.url().replaceFirst("[?#].*", ""));
  }

  /** Why this rule decided. */
  private String why() {
    if (outcome.request().isEmpty()) {
      return "the request is refused before rules are looked up";
    }
    if (match.isPresent()) {
      String captures = match.get().captures().entrySet().stream().map(e -> e.getKey() + " = " + e.getValue())
          .collect(Collectors.joining(", "));
      return "its route `" + match.get().path().text() + "` is the most specific that matches"
          + (captures.isEmpty() ? "" : ", " + captures);
    }
    return "no rule matches " + request() + (nearest.isEmpty() ? "" : "; " + String.join("; ", nearest));
  }

  private List<Field> additions() {
    List<Field> out = new ArrayList<>();
    if (outcome.decision().orElse(null) instanceof Decision.Allow allow) {
      out.addAll(allow.state().additions().headers());
      allow.state().additions().cookies()
          .forEach(cookie -> out.add(new Field("Cookie " + cookie.name(), cookie.value())));
    }
    return out;
  }

  /** Returns the names of the client's end-to-end fields that the upstream does not get. */
  private List<String> removals() {
    return outcome.upstream().stream()
        .flatMap(upstream -> ConnectionFields.endToEndOfRequest(draft.fields()).lines().stream()
            .map(Field::name).filter(name -> !upstream.fields().has(name)))
        .distinct().toList();
  }

  private String subject() {
    return outcome.decision().orElse(null) instanceof Decision.Allow allow ? allow.subject() : "";
  }

  private Optional<String> redirect() {
    return outcome.allowed() ? Optional.empty() : outcome.answer().fields().first("Location");
  }

  private static Optional<FailedCheck> check(StepReport step) {
    return step.failure().flatMap(failure -> failure.find(Failure.Authorization.class))
        .flatMap(Failure.Authorization::check);
  }

  /** Returns what the expression read, where names that suggest secrets hide their values. */
  private SequencedMap<String, String> values(FailedCheck check) {
    SequencedMap<String, String> out = new LinkedHashMap<>();
    check.values().forEach((name, value) -> out.put(name, mask.masked(new Field(name, value))));
    return out;
  }

  /** For people. */
  public String text() {
    List<String> lines = new ArrayList<>();
    lines.add(request());
    lines.add("rule      " + rule().map(r -> "`" + r.id() + "` of " + place(r)).orElse("none") + ": " + why());
    int width = steps.stream().mapToInt(s -> s.step().id().length()).max().orElse(0);
    int typeWidth = steps.stream().mapToInt(s -> s.step().type().length()).max().orElse(0);
    for (StepReport step : steps) {
      lines.add(
          String.format("step      %-" + (width + 2) + "s%-" + (typeWidth + 2) + "s%-10s%9s ms%s%s", step.step().id(),
              step.step().type(), step.outcome().text(), StepSummary.milliseconds(step),
              step.cached() ? "  cached" : "",
              step.failure().map(failure -> "  " + failure.report()).orElse("")));
      check(step).ifPresent(check -> {
        lines.add("          false: " + check.expression().text().strip().replaceAll("\\s+", " "));
        values(check).forEach((name, value) -> lines.add("            " + name + " = " + value));
      });
    }
    lines.add("result    " + result());
    additions().forEach(field -> lines.add("adds      " + field.name() + ": " + mask.masked(field)));
    removals().forEach(name -> lines.add("removes   " + name));
    outcome.upstream().ifPresent(upstream -> lines.add("upstream  " + upstream.method() + " " + upstream.url()));
    redirect().ifPresent(to -> lines.add("redirect  " + to));
    return lines.stream().map(mask::masked).map(String::stripTrailing).collect(Collectors.joining("\n"));
  }

  /** For programs. */
  public String json() {
    return JsonText.plain(document());
  }

  /** Returns it for programs, as a value. */
  public Value.Dict document() {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("rule", rule().map(r -> dict("id", r.id(), "source", r.source(), "place", place(r), "why", why()))
        .orElse(dict("why", why())));
    out.put("steps", new Value.Array(steps.stream().map(this::json).toList()));
    out.put("allowed", Value.of(outcome.allowed()));
    out.put("status", Value.of(outcome.answer().status()));
    if (outcome.allowed()) {
      out.put("subject", masked(subject()));
      out.put("adds",
          new Value.Array(additions().stream().map(f -> dict("name", f.name(), "value", mask.masked(f))).toList()));
      if (!removals().isEmpty()) {
        out.put("removes", new Value.Array(removals().stream().map(this::masked).toList()));
      }
      outcome.upstream().ifPresent(u -> out.put("upstream", dict("method", u.method(), "url", u.url())));
    } else {
      out.put("reason", masked(outcome.reason()));
      redirect().ifPresent(to -> out.put("redirect", masked(to)));
    }
    return new Value.Dict(out);
  }

  private Value json(StepReport report) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("id", masked(report.step().id()));
    out.put("type", masked(report.step().type()));
    out.put("outcome", masked(report.outcome().text()));
    out.put("microseconds", Value.of(report.nanos() / 1000));
    out.put("cached", Value.of(report.cached()));
    report.failure().map(Failure::report).ifPresent(why -> out.put("reason", masked(why)));
    check(report).ifPresent(check -> {
      Map<String, Value> values = new LinkedHashMap<>();
      values(check).forEach((name, value) -> values.put(name, masked(value)));
      out.put("expression", masked(check.expression().text()));
      out.put("values", new Value.Dict(values));
    });
    return new Value.Dict(out);
  }

  private Value dict(String... namesAndTexts) {
    Map<String, Value> out = new LinkedHashMap<>();
    for (int i = 0; i < namesAndTexts.length; i += 2) {
      out.put(namesAndTexts[i], masked(namesAndTexts[i + 1]));
    }
    return new Value.Dict(out);
  }

  private Value masked(String text) {
    return Value.of(mask.masked(text));
  }
}
