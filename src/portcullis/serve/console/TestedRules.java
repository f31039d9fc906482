package portcullis.serve.console;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.policy.rule.Rule;

/** What test cases have tried of rules, as {@code portcullis test --coverage-file} writes it; immutable. */
public record TestedRules(Instant at, List<Tested> rules) {
  private static final long VERSION = 1;

  public TestedRules {
    rules = List.copyOf(rules);
  }

  /**
   * What was tried of one rule.
   *
   * @param id of the rule
   * @param digest of the rule that was tested, see {@link portcullis.policy.rule.RuleOrigin#rule}
   * @param configuration the digest of the configuration that it was tested with
   * @param cases the number of cases that it decided
   * @param failed the number of these that failed
   * @param tried how many of its steps, outcomes and expressions were tried
   * @param points how many there are
   */
  public record Tested(String id, String digest, String configuration, long cases, long failed, long tried,
      long points) {
    public Tested {
      if (cases < 0 || failed < 0 || failed > cases || tried < 0 || tried > points) {
        throw new IllegalArgumentException("the numbers of rule `" + id + "` contradict each other");
      }
    }

    boolean isOf(Rule rule) {
      return digest.equals(rule.origin().rule());
    }

    boolean isWith(Rule rule) {
      return configuration.equals(rule.origin().configuration());
    }
  }

  /** Returns what was tried of a rule, of another version if there is nothing of this one; empty if it is not known. */
  Optional<Tested> of(Rule rule) {
    List<Tested> all = rules.stream().filter(one -> one.id.equals(rule.id())).toList();
    return all.stream().filter(one -> one.isOf(rule)).findFirst().or(() -> all.stream().findFirst());
  }

  /** Returns it as JSON. */
  public Value.Dict document() {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("version", Value.of(VERSION));
    out.put("time", Value.of(at.toString()));
    out.put("rules", new Value.Array(rules.stream().map(TestedRules::document).toList()));
    return new Value.Dict(out);
  }

  private static Value document(Tested one) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("id", Value.of(one.id));
    out.put("sha256", Value.of(one.digest));
    out.put("configuration_sha256", Value.of(one.configuration));
    out.put("cases", Value.of(one.cases));
    out.put("failed", Value.of(one.failed));
    out.put("tried", Value.of(one.tried));
    out.put("points", Value.of(one.points));
    return new Value.Dict(out);
  }

  /** @throws ValueException if it is not what {@link #document} returns */
  static TestedRules of(Value document) throws ValueException {
    if (!(document instanceof Value.Dict all) || number(all, "version") != VERSION
        || !(all.get("rules").orElse(Value.NULL) instanceof Value.Array list)) {
      throw new ValueException("it has not been written by this version of `portcullis test --coverage-file`");
    }
    try {
      List<Tested> rules = new ArrayList<>();
      for (Value one : list.items()) {
        Value.Dict rule = one instanceof Value.Dict members ? members : Value.Dict.EMPTY;
        rules.add(new Tested(text(rule, "id"), text(rule, "sha256"), text(rule, "configuration_sha256"),
            number(rule, "cases"), number(rule, "failed"), number(rule, "tried"), number(rule, "points")));
      }
      return new TestedRules(Instant.parse(text(all, "time")), rules);
    } catch (DateTimeParseException | IllegalArgumentException e) {
      throw new ValueException(e.getMessage());
    }
  }

  private static String text(Value.Dict object, String name) throws ValueException {
    if (object.get(name).orElse(Value.NULL) instanceof Value.Str(String value)) {
      return value;
    }
    throw new ValueException("`" + name + "` is missing or not a string");
  }

  private static long number(Value.Dict object, String name) throws ValueException {
    if (object.get(name).orElse(Value.NULL) instanceof Value.Int whole) {
      return whole.value();
    }
    throw new ValueException("`" + name + "` is missing or not a whole number");
  }
}
