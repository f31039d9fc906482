package portcullis.verify;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.lang.source.Origin;

/**
 * What a case expects of its decision; what is not written is not compared.
 *
 * @param rule id of the rule; {@code default} for the default rule, {@code none} where no rule matches
 * @param allowed whether the request passes
 * @param reason part of the reason of a refusal
 * @param steps outcomes by step id
 * @param calls all calls of remote services, in any order
 */
record Expectation(Origin at, Optional<Expected> rule, Optional<Boolean> allowed, Optional<Integer> status,
    Optional<Expected> subject, Optional<String> reason, SequencedMap<String, String> steps,
    Optional<Message> answer, Optional<Message> upstream, Optional<List<Message>> calls) {
  /** What is expected of a message: an answer, the request of the upstream, or a call. */
  record Message(Origin at, Optional<String> step, Optional<Expected> method, Optional<Expected> url,
      SequencedMap<String, Expected> headers, Optional<Expected> body) {}

  private static final SequencedMap<String, Boolean> DECISIONS = decisions();

  private static SequencedMap<String, Boolean> decisions() {
    SequencedMap<String, Boolean> out = new LinkedHashMap<>();
    out.put("allow", true);
    out.put("refuse", false);
    out.put("deny", false);
    return out;
  }

  static Decoder<Expectation> decoder() {
    Key<Optional<Expected>> rule = Key.optional("rule", Expected.decoder(), "id of the rule, `default` or `none`");
    Key<Optional<Boolean>> decision = Key.optional("decision", Decoders.choice(DECISIONS), "allow or refuse");
    Key<Optional<Integer>> status = Key.optional("status", Decoders.number(100, 599), "status of the answer");
    Key<Optional<Expected>> subject = Key.optional("subject", Expected.decoder(), "id of the subject");
    Key<Optional<String>> reason = Key.optional("reason", Decoders.nonEmpty(), "part of the reason of a refusal");
    Key<SequencedMap<String, String>> steps = Key.withDefault("steps",
        Decoders.map(Decoders.oneOf("passed", "skipped", "failed", "forgiven", "not run")), new LinkedHashMap<>(),
        "outcome of each step, by its id");
    Key<Optional<Message>> answer = Key.optional("answer", message("an answer", false), "answer to the client");
    Key<Optional<Message>> upstream = Key.optional("upstream", message("a request", false), "request of the upstream");
    Key<Optional<List<Message>>> calls = Key.optional("calls", Decoders.list(message("a call", true)),
        "all calls of remote services; `[]` for none");
    return Decoders.checked("an expectation", List.of(rule, decision, status, subject, reason, steps, answer, upstream,
        calls), (p, problems) -> {
          if (p.node().members().isEmpty()) {
            problems.error(p.node().at(), p.node().path(), "the case expects nothing",
                "add for example `decision: allow` or `status: 403`");
            return Optional.empty();
          }
          return Optional.of(new Expectation(p.node().at(), p.get(rule), p.get(decision), p.get(status),
              p.get(subject), p.get(reason), p.get(steps), p.get(answer), p.get(upstream), p.get(calls)));
        });
  }

  private static Decoder<Message> message(String title, boolean call) {
    Key<Optional<String>> step = Key.optional("step", Decoders.nonEmpty(), "id of the step that makes the call");
    Key<Optional<Expected>> method = Key.optional("method", Expected.decoder(), "method");
    Key<Optional<Expected>> url = Key.optional("url", Expected.decoder(), "absolute URL");
    Key<SequencedMap<String, Expected>> headers = Key.withDefault("headers", Decoders.map(Expected.decoder()),
        new LinkedHashMap<>(), "header fields; null for one that must not be there");
    Key<Optional<Expected>> body = Key.optional("body", Expected.decoder(), "body");
    List<Key<?>> keys = call ? List.of(step, method, url, headers, body) : List.of(method, url, headers, body);
    return Decoders.object(title, keys, p -> new Message(p.node().at(), call ? p.get(step) : Optional.empty(),
        p.get(method), p.get(url), p.get(headers), p.get(body)));
  }
}
