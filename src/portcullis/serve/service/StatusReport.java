package portcullis.serve.service;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import portcullis.crypto.keys.CryptoProvider;
import portcullis.lang.value.Value;
import portcullis.observe.telemetry.OngoingProblem;
import portcullis.serve.fleet.FleetStatus;
import portcullis.serve.shadow.ShadowReport;

/**
 * The status of the program for operators; immutable. It contains no secrets: no settings, tokens or keys.
 *
 * @param crypto the cryptography provider in use
 * @param configuration the latest load of the configuration
 * @param hasDefaultRule whether there is a default rule
 * @param shadow the shadow rules; empty if there are none
 * @param live what is in progress
 * @param problems what an operator has to fix
 */
public record StatusReport(String version, Instant started, CryptoProvider crypto, Reading configuration,
    boolean hasDefaultRule,
    List<RuleSet> ruleSets, Optional<Shadow> shadow,
    List<KeyStore> keyStores, List<Breaker> breakers, List<Cache> caches, Live live,
    List<OngoingProblem> problems) {
  /**
   * The outcome of a load.
   *
   * @param applied whether it was applied; if not, what was loaded before stays in use
   * @param problems one line each
   */
  public record Reading(Instant at, boolean applied, List<String> problems) {}

  /**
   * A rule set.
   *
   * @param rules the number of its rules in use
   * @param digest SHA-256 of its text in use; empty if there is none
   */
  public record RuleSet(String source, int rules, Reading last, String digest) {
    /** Returns a copy with that digest. */
    public RuleSet withDigest(String sha256) {
      return new RuleSet(source, rules, last, sha256);
    }
  }

  /**
   * Shadow rules.
   *
   * @param ruleSets the rule sets that requests are compared by
   * @param report what came of it; empty while nothing is compared
   */
  public record Shadow(List<RuleSet> ruleSets, Optional<ShadowReport> report) {}

  public record KeyStore(String file, List<Key> keys) {}

  /** @param expires when its certificate expires; empty without a certificate */
  public record Key(String id, String algorithm, Optional<Instant> expires) {}

  /** @param openSince since when calls to the service are suspended; empty if they are made */
  public record Breaker(String service, long failuresInARow, Optional<Instant> openSince) {}

  public record Cache(String type, long entries, long bytes) {}

  /**
   * What is in progress.
   *
   * @param streams the number of exchanges with upstreams by kind
   * @param ended the number of those that were ended early, by reason
   * @param locks the number of locks
   * @param fleet what is known of other instances; empty without them
   */
  public record Live(Map<String, Long> streams, Map<String, Long> ended, long locks, Optional<FleetStatus> fleet) {
    /** The report of programs that forward nothing. */
    public static final Live NONE = new Live(Map.of(), Map.of(), 0, Optional.empty());
  }

  Value.Dict document(List<String> unreadyReasons) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("version", Value.of(version));
    out.put("started", time(started));
    out.put("crypto", document(crypto));
    out.put("ready", Value.of(unreadyReasons.isEmpty()));
    out.put("reasons", Value.Array.ofStrings(unreadyReasons));
    out.put("problems", list(problems, StatusReport::document));
    out.put("configuration", new Value.Dict(document(configuration)));
    out.put("default_rule", Value.of(hasDefaultRule));
    out.put("rules", Value.of(ruleSets.stream().mapToLong(RuleSet::rules).sum()));
    out.put("rule_sets", list(ruleSets, StatusReport::document));
    shadow.ifPresent(rules -> out.put("shadow", document(rules)));
    out.put("key_stores", list(keyStores, StatusReport::document));
    out.put("breakers", list(breakers, StatusReport::document));
    out.put("caches", list(caches, StatusReport::document));
    out.put("streams", new Value.Dict(Map.of("active", counts(live.streams), "ended", counts(live.ended))));
    out.put("locks", Value.of(live.locks));
    live.fleet.ifPresent(fleet -> out.put("fleet", fleet.document()));
    return new Value.Dict(out);
  }

  private static Value counts(Map<String, Long> counts) {
    Map<String, Value> out = new LinkedHashMap<>();
    counts.forEach((name, count) -> out.put(name, Value.of(count)));
    return new Value.Dict(out);
  }

  private static <T> Value list(List<T> all, Function<T, Map<String, Value>> document) {
    return new Value.Array(all.stream().map(one -> (Value) new Value.Dict(document.apply(one))).toList());
  }

  private static Value time(Instant at) {
    return Value.of(at.toString());
  }

  private static Value time(Optional<Instant> at) {
    return at.map(StatusReport::time).orElse(Value.NULL);
  }

  private static Value document(CryptoProvider crypto) {
    return new Value.Dict(Map.of("provider", Value.of(crypto.name()), "native", Value.of(crypto.obstacle().isEmpty()),
        "obstacle", crypto.obstacle().map(Value::of).orElse(Value.NULL)));
  }

  private static Map<String, Value> document(Reading reading) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("read", time(reading.at));
    out.put("outcome", Value.of(reading.applied ? "applied" : "rejected"));
    out.put("problems", Value.Array.ofStrings(reading.problems));
    return out;
  }

  private static Map<String, Value> document(RuleSet set) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("source", Value.of(set.source));
    out.put("rules", Value.of(set.rules));
    if (!set.digest.isEmpty()) {
      out.put("sha256", Value.of(set.digest));
    }
    out.putAll(document(set.last));
    return out;
  }

  private static Value document(Shadow shadow) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("rule_sets", list(shadow.ruleSets, StatusReport::document));
    out.put("compared", Value.of(shadow.report.isPresent()));
    shadow.report.ifPresent(report -> {
      out.put("since", time(report.since()));
      out.put("decided", Value.of(report.decided()));
      for (ShadowReport.Change change : ShadowReport.Change.values()) {
        out.put(change.key(), Value.of(report.count(change)));
      }
      out.put("dropped", Value.of(report.dropped()));
      out.put("waiting", Value.of(report.waiting()));
      out.put("changes", list(report.groups(), StatusReport::document));
    });
    return new Value.Dict(out);
  }

  private static Map<String, Value> document(ShadowReport.Group group) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("change", Value.of(group.change().key()));
    out.put("count", Value.of(group.count()));
    out.put("before", Value.of(group.before()));
    out.put("now", Value.of(group.now()));
    out.put("request_id", Value.of(group.request()));
    return out;
  }

  private static Map<String, Value> document(KeyStore store) {
    return Map.of("file", Value.of(store.file), "keys",
        list(store.keys, key -> Map.of("id", Value.of(key.id), "algorithm",
            Value.of(key.algorithm), "expires", time(key.expires))));
  }

  private static Map<String, Value> document(OngoingProblem problem) {
    return Map.of("since", time(problem.since()), "text", Value.of(problem.text()));
  }

  private static Map<String, Value> document(Breaker breaker) {
    return Map.of("service", Value.of(breaker.service), "failures_in_a_row", Value.of(breaker.failuresInARow),
        "open_since",
        time(breaker.openSince));
  }

  private static Map<String, Value> document(Cache cache) {
    return Map.of("type", Value.of(cache.type), "entries", Value.of(cache.entries), "bytes", Value.of(cache.bytes));
  }
}
