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

/**
 * The status of the program for operators; immutable. It contains no secrets: no settings, tokens or keys.
 *
 * @param crypto the cryptography provider in use
 * @param configuration the latest load of the configuration
 * @param hasDefaultRule whether there is a default rule
 * @param problems what an operator has to fix
 */
public record StatusReport(String version, Instant started, CryptoProvider crypto, Reading configuration,
    boolean hasDefaultRule,
    List<RuleSet> ruleSets,
    List<KeyStore> keyStores, List<Breaker> breakers, List<Cache> caches,
    List<OngoingProblem> problems) {
  /**
   * The outcome of a load.
   *
   * @param applied whether it was applied; if not, what was loaded before stays in use
   * @param problems one line each
   */
  public record Reading(Instant at, boolean applied, List<String> problems) {}

  /** @param rules the number of its rules in use */
  public record RuleSet(String source, int rules, Reading last) {}

  public record KeyStore(String file, List<Key> keys) {}

  /** @param expires when its certificate expires; empty without a certificate */
  public record Key(String id, String algorithm, Optional<Instant> expires) {}

  /** @param openSince since when calls to the service are suspended; empty if they are made */
  public record Breaker(String service, long failuresInARow, Optional<Instant> openSince) {}

  public record Cache(String type, long entries, long bytes) {}

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
    out.put("key_stores", list(keyStores, StatusReport::document));
    out.put("breakers", list(breakers, StatusReport::document));
    out.put("caches", list(caches, StatusReport::document));
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
    out.putAll(document(set.last));
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
