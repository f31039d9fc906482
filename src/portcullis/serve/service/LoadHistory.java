package portcullis.serve.service;

import java.time.InstantSource;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;

/**
 * What became of the configuration and of each rule set when they were read last; whoever reads them says so. Thread
 * safe.
 */
public final class LoadHistory {
  private final InstantSource clock;
  private final Map<String, StatusReport.RuleSet> ruleSets = new TreeMap<>();
  private final Map<Outcome, Long> counts = new TreeMap<>(Comparator.comparing(Outcome::toString));
  private Optional<StatusReport.Reading> configuration = Optional.empty();

  /** What was read, {@code configuration} or {@code rule_set}, and whether it could be used. */
  public record Outcome(String what, boolean taken) {}

  public LoadHistory(InstantSource clock) {
    this.clock = clock;
  }

  /** @param taken whether it is in use as it was read; the problems are warnings alone then */
  public synchronized void configuration(boolean taken, Problems problems) {
    count("configuration", taken);
    configuration = Optional.of(reading(taken, problems));
  }

  /** A rule set is in use as it was read. */
  public synchronized void taken(String source, int rules, Problems warnings) {
    count("rule_set", true);
    ruleSets.put(source, new StatusReport.RuleSet(source, rules, reading(true, warnings)));
  }

  /** A rule set cannot be used as it was read; the rules of before, if there were any, still are. */
  public synchronized void refused(String source, Problems problems) {
    count("rule_set", false);
    int before = ruleSets.containsKey(source) ? ruleSets.get(source).rules() : 0;
    ruleSets.put(source, new StatusReport.RuleSet(source, before, reading(false, problems)));
  }

  /** There are no rule sets but those of these sources. */
  public synchronized void only(Collection<String> sources) {
    ruleSets.keySet().retainAll(sources);
  }

  /** Notes that a rule set is gone. */
  public synchronized void gone(String source) {
    ruleSets.remove(source);
  }

  private void count(String what, boolean taken) {
    counts.merge(new Outcome(what, taken), 1L, Long::sum);
  }

  /** How often there was which outcome. */
  public synchronized Map<Outcome, Long> counts() {
    return Map.copyOf(counts);
  }

  private StatusReport.Reading reading(boolean taken, Problems problems) {
    return new StatusReport.Reading(clock.instant(), taken, problems.sorted().stream().map(Problem::text).toList());
  }

  /** Empty until it has been read. */
  public synchronized Optional<StatusReport.Reading> configuration() {
    return configuration;
  }

  /** Those that were read, by source. */
  public synchronized List<StatusReport.RuleSet> ruleSets() {
    return List.copyOf(ruleSets.values());
  }
}
