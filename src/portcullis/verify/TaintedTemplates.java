package portcullis.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import portcullis.lang.template.ClientValue;
import portcullis.lang.template.Insertion;
import portcullis.lang.template.Template;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.policy.authorizer.Remote;
import portcullis.policy.contextualizer.GenericContextualizer;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.Step;
import portcullis.policy.route.RouteSample;
import portcullis.policy.rule.Rule;

/**
 * Finds templates that write values of clients unquoted into what remote services are sent, and shows a request whose
 * value changes the structure of the JSON.
 */
final class TaintedTemplates {
  static final String KIND = "tainted-template";

  private static final String MARK = "pcmark";
  private static final Optional<Subject> USER = Optional.of(new Subject("some-user", Value.Dict.EMPTY));

  private final AnalyzedRules rules;
  private final Set<String> seen = new LinkedHashSet<>();
  private final List<Finding> out = new ArrayList<>();

  private TaintedTemplates(AnalyzedRules rules) {
    this.rules = rules;
  }

  static List<Finding> of(AnalyzedRules rules) {
    TaintedTemplates tainted = new TaintedTemplates(rules);
    for (RouteSample<Rule> sample : rules.reachable()) {
      for (Step<? extends Mechanism> step : sample.value().pipeline().handlers()) {
        switch (step.mechanism()) {
          case Remote remote -> tainted.step(sample, step, remote.config().payload(),
              remote.config().values().templates());
          case GenericContextualizer contextualizer -> tainted.step(sample, step,
              contextualizer.config().payload(), contextualizer.config().values().templates());
          default -> {
          }
        }
      }
    }
    return tainted.out;
  }

  private void step(RouteSample<Rule> sample, Step<?> step, Optional<Template> payload,
      SequencedMap<String, Template> values) {
    for (Insertion insertion : payload.map(template -> template.unquoted(values)).orElse(List.of())) {
      String id = KIND + "/" + sample.value().id() + "/" + step.id() + "/" + insertion.written();
      if (insertion.context() == Insertion.Context.JSON && seen.add(id)) {
        add(sample, step, insertion, id);
      }
    }
  }

  /** A request whose value changes what a service is sent. */
  private record Shown(Probe probe, String change, String usual, String changed) {}

  private void add(RouteSample<Rule> sample, Step<?> step, Insertion insertion, String id) {
    String what = "step `" + step.id() + "` writes `" + insertion.written() + "` into JSON unquoted";
    Optional<Shown> shown = Optional.empty();
    for (String method : sample.methods()) {
      shown = shown.isPresent() ? shown : shown(sample, method, step, insertion.value());
    }
    if (shown.isPresent()) {
      out.add(new Finding(KIND, Finding.Severity.ERROR, id, AnalyzedRules.shown(insertion.at()), sample.value().id(),
          what + ": a client can change " + shown.get().change, shown.get().probe.text(),
          List.of("sent     " + shown.get().usual, "changed  " + shown.get().changed,
              "quote    pass it through `" + insertion.context().function() + "`")));
    } else {
      out.add(new Finding(PublicAccess.UNDECIDED, Finding.Severity.NOTE, id, AnalyzedRules.shown(insertion.at()),
          sample.value().id(), what + ", but no request was found that changes the structure",
          Probe.of(sample.methods().getFirst(), sample.url()).text(), List.of()));
    }
  }

  private Optional<Shown> shown(RouteSample<Rule> sample, String method, Step<?> step, ClientValue value) {
    for (boolean json : new boolean[] {false, true}) {
      for (Optional<Subject> subject : List.of(Optional.<Subject>empty(), USER)) {
        Optional<Shown> found = probe(sample, method, value, MARK, json)
            .flatMap(usual -> shown(sample, usual, step, value, json, subject));
        if (found.isPresent()) {
          return found;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<Shown> shown(RouteSample<Rule> sample, Probe usual, Step<?> step, ClientValue value, boolean json,
      Optional<Subject> subject) {
    Optional<String> sent = sent(usual, step, subject);
    Optional<Value> before = sent.flatMap(TaintedTemplates::parsed);
    Optional<Member> member = before.flatMap(document -> member(document, ""));
    if (member.isEmpty()) {
      return Optional.empty();
    }
    String hostile = MARK + "\",\"" + member.get().name + "\":\"" + member.get().value;
    Optional<Probe> probe = probe(sample, usual.method(), value, hostile, json);
    Optional<String> changed = probe.flatMap(p -> sent(p, step, subject));
    return changed.flatMap(TaintedTemplates::parsed).filter(document -> member.get().isIn(document))
        .map(_ -> new Shown(probe.get(), "`" + member.get().path() + "`", sent.get(), changed.get()));
  }

  private Optional<String> sent(Probe probe, Step<?> step, Optional<Subject> subject) {
    return rules.check().sent(probe, subject).stream().filter(call -> call.step().equals(step.id())).map(Call::body)
        .findFirst();
  }

  private static Optional<Value> parsed(String body) {
    try {
      return Optional.of(Json.read(body));
    } catch (ValueException _) {
      return Optional.empty();
    }
  }

  /**
   * A member of the object that the value is in, which another one of this name replaces.
   *
   * @param at the path of the object, each part followed by a dot
   * @param value that the client wants it to have
   */
  private record Member(String at, String name, String value) {
    String path() {
      return at + name;
    }

    boolean isIn(Value document) {
      Value here = document;
      for (String part : at.split("\\.")) {
        here = part.isEmpty() ? here : TaintedTemplates.part(here, part);
      }
      return here instanceof Value.Dict dict && dict.get(name).filter(Value.of(value)::equals).isPresent();
    }
  }

  private static Value part(Value of, String name) {
    return switch (of) {
      case Value.Dict dict -> dict.get(name).orElse(Value.NULL);
      case Value.Array list when Integer.parseInt(name) < list.items().size() ->
        list.items().get(Integer.parseInt(name));
      default -> Value.NULL;
    };
  }

  private static Optional<Member> member(Value value, String at) {
    Map<String, Value> parts = new LinkedHashMap<>();
    if (value instanceof Value.Array list) {
      for (int i = 0; i < list.items().size(); i++) {
        parts.put(String.valueOf(i), list.items().get(i));
      }
    } else if (value instanceof Value.Dict dict) {
      parts.putAll(dict.members());
      if (dict.members().values().stream().anyMatch(TaintedTemplates::isMarked)) {
        return Optional.of(sibling(dict, at));
      }
    }
    return parts.entrySet().stream().flatMap(part -> member(part.getValue(), at + part.getKey() + ".").stream())
        .findFirst();
  }

  private static boolean isMarked(Value value) {
    return value instanceof Value.Str(String text) && text.contains(MARK);
  }

  /** The first string beside the value, with another end; a new member where there is none. */
  private static Member sibling(Value.Dict dict, String at) {
    return dict.members().entrySet().stream()
        .filter(entry -> entry.getValue() instanceof Value.Str && !isMarked(entry.getValue())).findFirst()
        .map(entry -> {
          String text = ((Value.Str) entry.getValue()).value();
          return new Member(at, entry.getKey(), text.substring(0, text.indexOf(':') + 1) + "admin");
        }).orElse(new Member(at, "added", "admin"));
  }

  /** Returns a request with that value; empty if it is not known how a request has it. */
  private static Optional<Probe> probe(RouteSample<Rule> sample, String method, ClientValue value, String text,
      boolean json) {
    Probe plain = Probe.of(method, sample.url());
    Probe base = json ? plain.withJson("{}") : plain;
    return switch (value.kind()) {
      case CAPTURE -> sample.captures().containsKey(value.name())
          ? Optional.of(new Probe(method, sample.urlWith(value.name(), Alternatives.encoded(text)), base.options()))
          : Optional.empty();
      case BODY -> value.name().isEmpty() ? Optional.empty() : Optional.of(plain.withJson(body(value.name(), text)));
      case HEADER ->
        value.name().isEmpty() ? Optional.empty() : Optional.of(base.with("-H", value.name() + ": " + text));
      case COOKIE ->
        value.name().isEmpty() ? Optional.empty() : Optional.of(base.with("-b", value.name() + "=" + text));
      case QUERY -> Optional.of(new Probe(method, sample.url() + "?"
          + (value.name().isEmpty() ? "q" : Alternatives.encoded(value.name())) + "=" + Alternatives.encoded(text),
          base.options()));
      case PATH -> sample.captures().isEmpty() ? Optional.empty()
          : Optional
              .of(new Probe(method, sample.urlWith(sample.captures().lastEntry().getKey(), Alternatives.encoded(text)),
                  base.options()));
    };
  }

  private static String body(String path, String text) {
    List<String> names = List.of(path.split("\\."));
    Value value = Value.of(text);
    for (String name : names.reversed()) {
      value = Value.dict(name, value);
    }
    return JsonText.plain(value);
  }
}
