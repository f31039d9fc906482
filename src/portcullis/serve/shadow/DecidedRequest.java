package portcullis.serve.shadow;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import portcullis.http.message.Field;
import portcullis.http.message.Request;
import portcullis.observe.decisions.RemoteAnswers;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.replay.PastDecision;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleOrigin;

/**
 * A request that was decided, and what it was decided by; immutable but for its request.
 *
 * @param request whose body is not used
 * @param body empty if it was not read
 * @param error the kind of error; empty if it was allowed
 * @param step that failed; empty if none did
 * @param rule empty if there was none
 * @param id of the request; empty if it has none
 * @param trace its id; empty if it has none
 */
public record DecidedRequest(Instant time, Request request, Optional<byte[]> body, boolean allowed, String error,
    String step, List<PastDecision.Step> steps, Optional<Rule> rule, Optional<Subject> subject,
    List<RemoteAnswers.Answer> answers, List<RemoteAnswers.Cached> cached, String id, String trace) {
  /** The memory of a request besides its content. */
  private static final int OVERHEAD = 2 << 10;

  public DecidedRequest {
    steps = List.copyOf(steps);
    answers = List.copyOf(answers);
    cached = List.copyOf(cached);
  }

  /** Returns the steps as they are compared. @param kind returns the kind of a step */
  public static List<PastDecision.Step> steps(List<StepReport> reports,
      Function<StepReport, String> kind) {
    List<PastDecision.Step> out = new ArrayList<>(reports.size());
    for (StepReport report : reports) {
      out.add(new PastDecision.Step(report.step().id(), kind.apply(report), report.outcome().text()));
    }
    return out;
  }

  PastDecision past() {
    return new PastDecision(time, allowed, error, steps, rule.map(Rule::origin).orElse(RuleOrigin.UNKNOWN),
        rule.map(PastDecision::name).orElse(""));
  }

  Map<CacheKey, byte[]> cache() {
    Map<CacheKey, byte[]> out = new HashMap<>();
    cached.forEach(entry -> out.put(new CacheKey(entry.key()), entry.value()));
    return out;
  }

  /** Estimates the memory it takes; the subject is made of credentials and answers, which count twice for that. */
  long bytes() {
    long out = OVERHEAD + request.path().spelling().length() + request.url().query().length()
        + body.map(bytes -> bytes.length).orElse(0);
    for (Field field : request.fields()) {
      out += 2L * (field.name().length() + field.value().length());
    }
    for (RemoteAnswers.Answer answer : answers) {
      out += 2L * answer.body().length + OVERHEAD;
    }
    for (RemoteAnswers.Cached entry : cached) {
      out += 2L * entry.value().length;
    }
    return out;
  }
}
