package portcullis.serve.service;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.OngoingProblem;

/** The outcome of the latest load of the configuration and of each rule set. Thread safe. */
public final class LoadHistory {
  private static final String CONFIGURATION = "";

  private final InstantSource clock;
  private final Map<String, StatusReport.RuleSet> ruleSets = new TreeMap<>();
  /** Since when the loads of a rule set have failed, by source; of the configuration by {@link #CONFIGURATION}. */
  private final SequencedMap<String, Instant> failingSince = new TreeMap<>();
  /** The rule files that had rules and have none now, by source. */
  private final SequencedMap<String, Emptied> emptied = new TreeMap<>();
  /** The rule sets that are not there, whose rules stay in force, by source. */
  private final SequencedMap<String, Missing> missing = new TreeMap<>();
  private final Map<Outcome, Long> counts = new TreeMap<>(
      Comparator.comparing(Outcome::what).thenComparing(Outcome::applied));
  private Optional<StatusReport.Reading> configuration = Optional.empty();

  /** The kind of what was loaded, {@code configuration} or {@code rule_set}, and whether it was applied. */
  public record Outcome(String what, boolean applied) {}

  /** @param rules that it had */
  private record Emptied(Instant since, int rules) {}

  private record Missing(Instant since, Kept what) {}

  /** What stays in force when it is not there any more. */
  public enum Kept {
    BUNDLE("Signed bundle", "put a valid bundle there"), FILE("Rule file", "restore it");

    private final String name;
    private final String remedy;

    Kept(String name, String remedy) {
      this.name = name;
      this.remedy = remedy;
    }
  }

  public LoadHistory(InstantSource clock) {
    this.clock = clock;
  }

  /** @param applied whether it was applied; if so, the problems are warnings only */
  public synchronized void configuration(boolean applied, Problems problems) {
    count("configuration", applied, CONFIGURATION);
    configuration = Optional.of(reading(applied, problems));
  }

  /** Records that a rule set was applied. */
  public synchronized void applied(String source, int rules, Problems warnings) {
    count("rule_set", true, source);
    ruleSets.put(source, new StatusReport.RuleSet(source, rules, reading(true, warnings), ""));
  }

  /** Records that a rule file, which is still there, has lost all its rules; they were this many. */
  public synchronized void emptied(String source, int rules) {
    emptied.put(source, new Emptied(clock.instant(), rules));
  }

  /** Records that a rule set has rules, also such that decide nothing yet. */
  public synchronized void filled(String source) {
    emptied.remove(source);
  }

  /** Records that a rule set is not there any more, while its rules stay in force. */
  public synchronized void missing(String source, Kept what) {
    missing.putIfAbsent(source, new Missing(clock.instant(), what));
  }

  /** Records that a rule set is there, whether it is applied or not. */
  public synchronized void found(String source) {
    missing.remove(source);
  }

  /** Records that a rule set was rejected; its previous rules, if any, stay in use. */
  public synchronized void rejected(String source, Problems problems) {
    count("rule_set", false, source);
    int before = ruleSets.containsKey(source) ? ruleSets.get(source).rules() : 0;
    ruleSets.put(source, new StatusReport.RuleSet(source, before, reading(false, problems), ""));
  }

  /** Forgets all rule sets except those of these sources. */
  public synchronized void only(Collection<String> sources) {
    ruleSets.keySet().retainAll(sources);
    emptied.keySet().retainAll(sources);
    missing.keySet().retainAll(sources);
    failingSince.keySet().removeIf(source -> !source.equals(CONFIGURATION) && !sources.contains(source));
  }

  /** Forgets a rule set that was removed. */
  public synchronized void gone(String source) {
    ruleSets.remove(source);
    emptied.remove(source);
    missing.remove(source);
    failingSince.remove(source);
  }

  private void count(String what, boolean applied, String source) {
    if (applied) {
      failingSince.remove(source);
    } else {
      failingSince.putIfAbsent(source, clock.instant());
    }
    counts.merge(new Outcome(what, applied), 1L, Long::sum);
  }

  /** Returns how often each outcome occurred. */
  public synchronized Map<Outcome, Long> counts() {
    return Map.copyOf(counts);
  }

  private StatusReport.Reading reading(boolean applied, Problems problems) {
    return new StatusReport.Reading(clock.instant(), applied, problems.sorted().stream().map(Problem::text).toList());
  }

  /** Returns whether the latest load of the rule set was rejected. */
  public synchronized boolean isRejected(String source) {
    return failingSince.containsKey(source);
  }

  /**
   * Returns a problem for each of them whose latest load was rejected, the configuration first, for each rule file that
   * lost all its rules, and for each one that is not there; what was wrong with that is none any more.
   */
  public synchronized List<OngoingProblem> problems() {
    Stream<OngoingProblem> failing = failingSince.entrySet().stream()
        .filter(one -> !missing.containsKey(one.getKey())).map(one -> {
          boolean isRuleSet = !one.getKey().equals(CONFIGURATION);
          String what = isRuleSet ? "Rule set " + one.getKey() + " not applied" : "Configuration reload failed";
          StatusReport.Reading last = isRuleSet ? ruleSets.get(one.getKey()).last() : configuration.orElseThrow();
          return new OngoingProblem(one.getValue(), what + ": " + String.join("; ", last.problems()));
        });
    Stream<OngoingProblem> empty = emptied.entrySet().stream()
        .map(one -> new OngoingProblem(one.getValue().since(), "Rule set " + one.getKey() + " has no rules any more ("
            + one.getValue().rules() + " removed): restore them, or remove the rule set"));
    Stream<OngoingProblem> away = missing.entrySet().stream()
        .map(one -> new OngoingProblem(one.getValue().since(), one.getValue().what().name + " " + one.getKey()
            + " is not there any more, its rules stay in force until the next start: " + one.getValue().what().remedy));
    return Stream.of(failing, empty, away).flatMap(all -> all).toList();
  }

  /** Returns the latest load of the configuration; empty before the first. */
  public synchronized Optional<StatusReport.Reading> configuration() {
    return configuration;
  }

  /** Returns the rule sets in the order of their sources. */
  public synchronized List<StatusReport.RuleSet> ruleSets() {
    return List.copyOf(ruleSets.values());
  }
}
