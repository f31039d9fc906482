package portcullis.service;

import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import portcullis.source.Problem;
import portcullis.source.Problems;

/**
 * What became of the configuration and of each rule set when they were read last; whoever reads them says so. Thread safe.
 */
public final class Readings {
  private final InstantSource clock;
  private final Map<String, StatusReport.RuleSet> ruleSets = new TreeMap<>();
  private Optional<StatusReport.Reading> configuration = Optional.empty();

  public Readings(InstantSource clock) {
    this.clock = clock;
  }

  /** @param taken whether it is in use as it was read; the problems are warnings alone then */
  public synchronized void configuration(boolean taken, Problems problems) {
    configuration = Optional.of(reading(taken, problems));
  }

  /** A rule set is in use as it was read. */
  public synchronized void taken(String source, int rules, Problems warnings) {
    ruleSets.put(source, new StatusReport.RuleSet(source, rules, reading(true, warnings)));
  }

  /** A rule set cannot be used as it was read; the rules of before, if there were any, still are. */
  public synchronized void refused(String source, Problems problems) {
    int before = ruleSets.containsKey(source) ? ruleSets.get(source).rules() : 0;
    ruleSets.put(source, new StatusReport.RuleSet(source, before, reading(false, problems)));
  }

  /** There are no rule sets but those of these sources. */
  public synchronized void only(Collection<String> sources) {
    ruleSets.keySet().retainAll(sources);
  }

  /** A rule set is no more. */
  public synchronized void gone(String source) {
    ruleSets.remove(source);
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
