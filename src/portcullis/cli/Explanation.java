package portcullis.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import portcullis.http.message.Field;
import portcullis.http.message.Request;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.policy.decision.Decision;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.pipeline.StepSummary;
import portcullis.policy.route.Match;
import portcullis.policy.rule.Rule;

/**
 * How a request came to its verdict; secrets are masked in all that it tells. Immutable.
 *
 * @param match empty where no rule's route fits
 * @param decision with the status of the answer where it is a refusal
 */
record Explanation(Request request, Optional<Match<Rule>> match, List<StepReport> steps, Verdict decision, Mask mask) {
  /** What became of the request: a decision, or a refusal of its path before anything was decided. */
  record Verdict(Optional<Decision> decision, int status, String reason) {
    static Verdict of(Decision.Allow allow) {
      return new Verdict(Optional.of(allow), 0, "");
    }

    static Verdict of(Decision.Refuse refuse, int status) {
      return new Verdict(Optional.of(refuse), status, refuse.fault().failure().report());
    }

    boolean allowed() {
      return status == 0;
    }
  }

  private Optional<Rule> rule() {
    return decision.decision.flatMap(decided -> switch (decided) {
      case Decision.Allow allow -> Optional.of(allow.rule());
      case Decision.Refuse refuse -> refuse.rule();
    });
  }

  /** Why it was that rule. */
  private String why() {
    if (match.isPresent()) {
      String captures = match.get().captures().entrySet().stream().map(e -> e.getKey() + " = " + e.getValue())
          .collect(Collectors.joining(", "));
      return "its route `" + match.get().path().text() + "` is the most specific that fits"
          + (captures.isEmpty() ? "" : ", " + captures);
    }
    return "no rule has a route for " + request.method() + " " + request.url().scheme() + "://" + request.url().host()
        + request.path().judged();
  }

  private List<Field> told() {
    List<Field> out = new ArrayList<>();
    if (decision.decision.orElse(null) instanceof Decision.Allow allow) {
      out.addAll(allow.state().additions().headers());
      allow.state().additions().cookies()
          .forEach(cookie -> out.add(new Field("Cookie " + cookie.name(), cookie.value())));
    }
    return out;
  }

  private String subject() {
    return decision.decision.orElse(null) instanceof Decision.Allow allow ? allow.subject() : "";
  }

  /** For people. */
  String text() {
    List<String> lines = new ArrayList<>();
    lines.add(request.method() + " " + request.url().scheme() + "://" + request.url().host() + request.path().judged());
    lines.add("rule     " + rule().map(r -> "`" + r.id() + "` of " + r.source()).orElse("none") + ": " + why());
    int width = steps.stream().mapToInt(s -> s.step().id().length()).max().orElse(0);
    int typeWidth = steps.stream().mapToInt(s -> s.step().type().length()).max().orElse(0);
    for (StepReport step : steps) {
      lines.add(
          String.format("step     %-" + (width + 2) + "s%-" + (typeWidth + 2) + "s%-10s%9s ms%s%s", step.step().id(),
              step.step().type(), step.outcome().text(), StepSummary.milliseconds(step),
              step.cached() ? "  cached" : "",
              step.failure().map(failure -> "  " + failure.report()).orElse("")));
    }
    lines.add("verdict  " + (decision.allowed() ? "allowed, subject `" + subject() + "`"
        : "refused with " + decision.status + ": " + decision.reason));
    told().forEach(field -> lines.add("tells    " + field.name() + ": " + mask.masked(field)));
    return lines.stream().map(mask::masked).map(String::stripTrailing).collect(Collectors.joining("\n"));
  }

  /** For programs. */
  String json() {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("rule",
        rule().map(rule -> dict("id", rule.id(), "source", rule.source(), "why", why())).orElse(dict("why", why())));
    out.put("steps", new Value.Array(steps.stream().map(this::json).toList()));
    out.put("allowed", Value.of(decision.allowed()));
    if (decision.allowed()) {
      out.put("subject", masked(subject()));
      out.put("tells",
          new Value.Array(told().stream().map(f -> dict("name", f.name(), "value", mask.masked(f))).toList()));
    } else {
      out.put("status", Value.of(decision.status));
      out.put("reason", masked(decision.reason));
    }
    return JsonText.plain(new Value.Dict(out));
  }

  private Value json(StepReport report) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("id", masked(report.step().id()));
    out.put("type", masked(report.step().type()));
    out.put("outcome", masked(report.outcome().text()));
    out.put("microseconds", Value.of(report.nanos() / 1000));
    out.put("cached", Value.of(report.cached()));
    report.failure().map(Failure::report).ifPresent(why -> out.put("reason", masked(why)));
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
