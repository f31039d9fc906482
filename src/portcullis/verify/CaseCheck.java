package portcullis.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;
import portcullis.policy.decision.Decision;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.replay.Call;
import portcullis.policy.rule.Rule;
import portcullis.serve.service.DryRun;

/** Compares what became of a request with what its case expects. */
final class CaseCheck {
  private final Expectation expect;
  private final OfflineDecider.Result result;
  private final List<String> wrong = new ArrayList<>();

  private CaseCheck(Expectation expect, OfflineDecider.Result result) {
    this.expect = expect;
    this.result = result;
  }

  /** Returns what is not as expected, a line each; none where the case passes. */
  static List<String> of(Expectation expect, OfflineDecider.Result result) {
    CaseCheck check = new CaseCheck(expect, result);
    check.calls();
    check.decision();
    check.steps();
    check.messages();
    return List.copyOf(check.wrong);
  }

  /** Returns the rule that decided; `default` and `none` as an expectation names them. */
  static String ruleName(DryRun.Outcome outcome) {
    return rule(outcome).map(r -> r.isDefault() ? "default" : r.id()).orElse("none");
  }

  static Optional<Rule> rule(DryRun.Outcome outcome) {
    return outcome.decision().flatMap(decision -> switch (decision) {
      case Decision.Allow allow -> Optional.of(allow.rule());
      case Decision.Own _ -> Optional.empty();
      case Decision.Refuse refuse -> refuse.rule();
    });
  }

  /** Returns the id of the subject of an allowed request; empty for none. */
  static String subject(Decision decision) {
    return decision instanceof Decision.Allow allow ? allow.subject() : "";
  }

  private void calls() {
    for (Call call : result.calls().unanswered()) {
      wrong.add("no stub for " + call.name() + (call.body().isEmpty() ? ""
          : " with body `" + Expected.shortened(call.body()) + "`"));
    }
    if (expect.calls().isEmpty()) {
      return;
    }
    List<Call> left = new ArrayList<>(result.calls().calls());
    for (Expectation.Message message : expect.calls().get()) {
      Optional<Call> found = left.stream().filter(call -> differences(message, call).isEmpty()).findFirst();
      if (found.isPresent()) {
        left.remove(found.get());
      } else {
        wrong.add("the call at " + message.at().text() + " was not made"
            + result.calls().calls().stream().findFirst().filter(_ -> result.calls().calls().size() == 1)
                .map(call -> ": " + String.join("; ", differences(message, call))).orElse(""));
      }
    }
    left.forEach(call -> wrong.add("call not expected: " + call.name()));
  }

  private static List<String> differences(Expectation.Message message, Call call) {
    List<String> out = new ArrayList<>();
    message.step().filter(id -> !id.equals(call.step()))
        .ifPresent(id -> out.add("step is `" + call.step() + "`, expected `" + id + "`"));
    compare(message, Optional.of(call.method()), Optional.of(call.url()), call.fields(), Optional.of(call.body()), "",
        out);
    return out;
  }

  private void decision() {
    DryRun.Outcome outcome = result.outcome();
    expect.rule().filter(e -> !e.fits(Optional.of(ruleName(outcome))))
        .ifPresent(e -> wrong.add(e.mismatch("rule", Optional.of(ruleName(outcome)))));
    if (expect.allowed().isPresent() && expect.allowed().get() != outcome.allowed()) {
      wrong.add(outcome.allowed() ? "the request is allowed, expected a refusal"
          : "the request is refused with " + outcome.answer().status() + ", expected to be allowed: "
              + outcome.reason());
    }
    if (expect.status().isPresent() && expect.status().get() != outcome.answer().status()) {
      wrong.add("status is " + outcome.answer().status() + ", expected " + expect.status().get()
          + (outcome.reason().isEmpty() ? "" : ": " + outcome.reason()));
    }
    Optional<String> subject = outcome.decision().map(CaseCheck::subject).filter(id -> !id.isEmpty());
    expect.subject().filter(e -> !e.fits(subject)).ifPresent(e -> wrong.add(e.mismatch("subject", subject)));
    expect.reason().filter(part -> !outcome.reason().contains(part)).ifPresent(part -> wrong.add(
        "reason is `" + Expected.shortened(outcome.reason()) + "`, expected to contain `" + part + "`"));
  }

  private void steps() {
    Map<String, String> outcomes = result.steps().stream()
        .collect(Collectors.toMap(report -> report.step().id(), report -> report.outcome().text(), (_, b) -> b));
    expect.steps().forEach((id, wanted) -> {
      String actual = outcomes.getOrDefault(id, "not run");
      if (!actual.equals(wanted)) {
        wrong.add("step `" + id + "` is " + actual + ", expected " + wanted
            + result.steps().stream().filter(r -> r.step().id().equals(id)).map(StepReport::failure)
                .flatMap(Optional::stream).map(f -> ": " + f.report()).findFirst().orElse(""));
      }
    });
  }

  private void messages() {
    Response answer = result.outcome().answer();
    expect.answer().ifPresent(message -> compare(message, Optional.empty(), Optional.empty(), answer.fields(),
        Optional.of(DryRun.text(answer)), "the answer's ", wrong));
    if (expect.upstream().isPresent()) {
      Optional<DryRun.Upstream> upstream = result.outcome().upstream();
      if (upstream.isPresent()) {
        compare(expect.upstream().get(), Optional.of(upstream.get().method()), Optional.of(upstream.get().url()),
            upstream.get().fields(), Optional.empty(), "the upstream's ", wrong);
      } else if (result.outcome().allowed()) {
        compare(expect.upstream().get(), Optional.empty(), Optional.empty(), answer.fields(), Optional.empty(),
            "the upstream's ", wrong);
      } else {
        wrong.add("nothing reaches the upstream: the request is refused with " + answer.status() + ": "
            + result.outcome().reason());
      }
    }
  }

  private static void compare(Expectation.Message message, Optional<String> method, Optional<String> url,
      Fields fields, Optional<String> body, String whose, List<String> out) {
    message.method().filter(e -> !e.fits(method)).ifPresent(e -> out.add(e.mismatch(whose + "method", method)));
    message.url().filter(e -> !e.fits(url)).ifPresent(e -> out.add(e.mismatch(whose + "url", url)));
    message.headers().forEach((name, expected) -> {
      Optional<String> value = fields.joined(name);
      if (!expected.fits(value)) {
        out.add(expected.mismatch(whose + "header " + name, value));
      }
    });
    message.body().filter(e -> !e.fits(body)).ifPresent(e -> out.add(e.mismatch(whose + "body", body)));
  }
}
