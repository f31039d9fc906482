package portcullis.verify;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.template.ClientValue;
import portcullis.lang.template.Insertion;
import portcullis.lang.template.Template;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.policy.authorizer.Remote;
import portcullis.policy.contextualizer.GenericContextualizer;
import portcullis.policy.errorhandler.GenericHandler;
import portcullis.policy.finalizer.HeaderFinalizer;
import portcullis.policy.finalizer.JwtFinalizer;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.mechanism.Values;
import portcullis.policy.pipeline.Step;
import portcullis.policy.pipeline.StepReport;
import portcullis.policy.replay.Call;
import portcullis.policy.route.RouteSample;
import portcullis.policy.rule.Rule;

/**
 * Finds templates that write values of clients unquoted into what remote services are sent, into tokens and header
 * fields for the upstream and into answers, and shows a request whose value changes the structure of what is written.
 */
final class TaintedTemplates {
  static final String KIND = "tainted-template";

  private static final List<Optional<Subject>> SUBJECTS = List.of(Optional.empty(), Optional.of(AccessCheck.SOMEBODY));
  /** The maximum number of rules tried for a template that they share. */
  private static final int MOST = 20;

  private final AnalyzedRules rules;
  private final Map<String, Finding> found = new LinkedHashMap<>();
  private final Map<String, Integer> tried = new HashMap<>();

  private TaintedTemplates(AnalyzedRules rules) {
    this.rules = rules;
  }

  static List<Finding> of(AnalyzedRules rules) {
    TaintedTemplates tainted = new TaintedTemplates(rules);
    for (RouteSample<Rule> sample : rules.reachable()) {
      List<Step<? extends Mechanism>> steps = new ArrayList<>(sample.value().pipeline().handlers());
      steps.addAll(sample.value().pipeline().finalizers());
      steps.addAll(sample.value().pipeline().errorHandlers());
      steps.forEach(step -> tainted.step(sample, step));
    }
    return List.copyOf(tainted.found.values());
  }

  /** Finds in what became of a request the text that a step has written. */
  @FunctionalInterface
  private interface Written {
    Optional<String> in(OfflineDecider.Result result);
  }

  private void step(RouteSample<Rule> sample, Step<? extends Mechanism> step) {
    switch (step.mechanism()) {
      case Remote remote ->
        template(sample, step, remote.config().payload(), remote.config().values(), result -> sent(result, step));
      case GenericContextualizer contextualizer -> template(sample, step, contextualizer.config().payload(),
          contextualizer.config().values(), result -> sent(result, step));
      case JwtFinalizer jwt -> template(sample, step, jwt.config().claims(), jwt.config().values(),
          result -> field(result, jwt.config().header()).flatMap(TaintedTemplates::claims));
      case HeaderFinalizer headers -> headers.templates().forEach((name, template) -> insertions(sample, step,
          template.unquotedInField(), result -> field(result, name)));
      case GenericHandler handler -> template(sample, step, handler.config().body(), handler.config().values(),
          result -> answer(result, step));
      default -> {
      }
    }
  }

  private void template(RouteSample<Rule> sample, Step<?> step, Optional<Template> template, Values values,
      Written written) {
    insertions(sample, step, template.map(t -> t.unquoted(values.templates())).orElse(List.of()), written);
  }

  private void insertions(RouteSample<Rule> sample, Step<?> step, List<Insertion> insertions, Written written) {
    for (Insertion insertion : insertions) {
      boolean own = step.mechanism() instanceof Remote || step.mechanism() instanceof GenericContextualizer;
      String key = (own ? sample.value().id() + "/" + step.id() : insertion.at().text()) + "/" + insertion.written();
      boolean shown = found.containsKey(key) && found.get(key).counts();
      if (!shown && tried.merge(key, 1, Integer::sum) <= MOST) {
        Finding finding = finding(sample, step, insertion, written);
        if (finding.counts()) {
          found.put(key, finding);
        } else {
          found.putIfAbsent(key, finding);
        }
      }
    }
  }

  private static Optional<String> sent(OfflineDecider.Result result, Step<?> step) {
    return result.calls().calls().stream().filter(call -> call.step().equals(step.id())).map(Call::body).findFirst();
  }

  /** Returns the field that the upstream gets of an allowed request. */
  private static Optional<String> field(OfflineDecider.Result result, String name) {
    return result.outcome().allowed() ? result.outcome().answer().fields().joined(name) : Optional.empty();
  }

  private static Optional<String> claims(String field) {
    String[] parts = field.substring(field.lastIndexOf(' ') + 1).split("\\.");
    return parts.length == 3 ? Optional.of(new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8))
        : Optional.empty();
  }

  private static Optional<String> answer(OfflineDecider.Result result, Step<?> step) {
    boolean answered = result.steps().stream().anyMatch(report -> report.step().mechanism() == step.mechanism()
        && report.outcome() == StepReport.Outcome.PASSED);
    return answered ? Optional.of(new String(result.outcome().answer().body(), StandardCharsets.UTF_8))
        : Optional.empty();
  }

  /** A request whose value changes what is written. */
  private record Shown(Probe probe, String change, String usual, String changed) {}

  private Finding finding(RouteSample<Rule> sample, Step<?> step, Insertion insertion, Written written) {
    String id = KIND + "/" + sample.value().id() + "/" + step.id() + "/" + insertion.written();
    String what = "step `" + step.id() + "` writes `" + insertion.written() + "` into " + insertion.context().text()
        + " unquoted";
    Optional<Shown> shown = Optional.empty();
    for (String method : sample.methods()) {
      shown = shown.isPresent() ? shown : shown(sample, method, insertion, written);
    }
    if (shown.isPresent()) {
      return new Finding(KIND, Finding.Severity.ERROR, id, AnalyzedRules.shown(insertion.at()), sample.value().id(),
          what + ": a client can change " + shown.get().change, shown.get().probe.text(),
          List.of("sent     " + shown.get().usual, "changed  " + shown.get().changed,
              "quote    pass it through `" + insertion.context().function() + "`"));
    }
    return new Finding(PublicAccess.UNDECIDED, Finding.Severity.NOTE, id, AnalyzedRules.shown(insertion.at()),
        sample.value().id(), what + ", but no request was found that changes the structure",
        Probe.of(sample.methods().getFirst(), sample.url()).text(), List.of());
  }

  private Optional<Shown> shown(RouteSample<Rule> sample, String method, Insertion insertion, Written written) {
    Probe plain = Probe.of(method, sample.url());
    for (Probe base : List.of(plain, plain.withJson("{}"), plain.with("-H", "Accept: text/html"))) {
      for (Optional<Subject> subject : SUBJECTS) {
        Optional<Shown> found = shown(sample, base, insertion, written, subject);
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Shown> shown(RouteSample<Rule> sample, Probe base, Insertion insertion, Written written,
      Optional<Subject> subject) {
    Optional<Probe> usual = probe(sample, base, insertion.value(), StructureChange.MARK);
    Optional<String> before = usual.flatMap(probe -> text(probe, subject, written));
    for (StructureChange change : before.map(text -> StructureChange.of(insertion.context(), text))
        .orElse(List.of())) {
      Optional<Probe> probe = probe(sample, base, insertion.value(), change.value());
      Optional<String> after = probe.flatMap(p -> text(p, subject, written)).filter(change.made());
      if (after.isPresent()) {
        return Optional.of(new Shown(probe.get(), change.what(), before.get(), after.get()));
      }
    }
    return Optional.empty();
  }

  /** Returns what is written where every service answers, or else where none does. */
  private Optional<String> text(Probe probe, Optional<Subject> subject, Written written) {
    return rules.check().results(probe, subject).stream().flatMap(result -> written.in(result).stream()).findFirst();
  }

  /** Returns a request with that value; empty if it is not known how a request has it. */
  private static Optional<Probe> probe(RouteSample<Rule> sample, Probe base, ClientValue value, String text) {
    String name = value.name();
    return switch (value.kind()) {
      case CAPTURE -> sample.captures().containsKey(name)
          ? Optional.of(base.withUrl(sample.urlWith(name, Alternatives.encoded(text))))
          : Optional.empty();
      case BODY -> name.isEmpty() ? Optional.empty()
          : Optional.of(Probe.of(base.method(), base.url()).withJson(body(name, text)));
      case HEADER -> name.isEmpty() ? Optional.empty() : Optional.of(base.with("-H", name + ": " + text));
      case COOKIE -> name.isEmpty() ? Optional.empty() : Optional.of(base.with("-b", name + "=" + text));
      case QUERY -> Optional.of(base.withUrl(sample.url() + "?" + (name.isEmpty() ? "q" : Alternatives.encoded(name))
          + "=" + Alternatives.encoded(text)));
      case PATH -> sample.captures().isEmpty() ? Optional.empty()
          : Optional.of(base.withUrl(sample.urlWith(sample.captures().lastEntry().getKey(),
              Alternatives.encoded(text))));
    };
  }

  private static String body(String path, String text) {
    Value value = Value.of(text);
    for (String name : List.of(path.split("\\.")).reversed()) {
      value = Value.dict(name, value);
    }
    return JsonText.plain(value);
  }
}
