package portcullis.serve.runtime;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.decisions.AuditException;
import portcullis.observe.decisions.AuditTrail;
import portcullis.observe.telemetry.Log;
import portcullis.policy.decision.ProtectedHeaders;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.rule.Rule;
import portcullis.serve.bundle.KnownCounters;
import portcullis.serve.provider.Change;
import portcullis.serve.service.LoadHistory;

/**
 * Builds and publishes the snapshot, as its only writer. A rule set that does not decode, build or fit changes nothing
 * and is tried again with every later change, which may resolve the conflict. Thread safe.
 */
public final class Reloader {
  /** Records that rule sets are about to be applied, by source. */
  interface Recorder {
    void record(Map<String, SourceFile> rules) throws AuditException;
  }

  /** The maximum number of removed rules named in one log line. */
  private static final int NAMED = 20;

  private final AtomicReference<Snapshot> current = new AtomicReference<>();
  private final AtomicReference<Snapshot> console = new AtomicReference<>();
  private final Map<String, SourceFile> refused = new LinkedHashMap<>();
  private final Map<String, AppliedRules> applied = new LinkedHashMap<>();
  private final RuleRefusals refusals;
  private final KnownCounters counters = new KnownCounters();
  private final LoadHistory history;
  private final Log log;
  private ConfigurationPlan plan;
  private boolean recordsBundles;
  private AuditTrail audit = AuditTrail.NONE;
  private Optional<BiConsumer<Snapshot, Snapshot>> watcher = Optional.empty();
  /** Sources that are to be removed once that can be recorded. */
  private final Set<String> removedLater = new LinkedHashSet<>();
  /** Whether a change waits until it can be recorded. */
  private boolean blocked;

  /** @param history records the outcome for each rule set */
  Reloader(ConfigurationPlan plan, LoadHistory history, Log log) {
    this.plan = plan;
    this.history = history;
    this.log = log;
    this.refusals = new RuleRefusals(source -> Optional.ofNullable(applied.get(source)), log);
    current.set(new Snapshot(-1, plan.catalogue(), RouteIndex.empty(), Optional.empty(), ProtectedHeaders.NONE));
    publish(RouteIndex.empty());
  }

  /**
   * Records the counters of signed bundles before they are applied, from now on, and of those that are; a dry run does
   * not. Adds a problem for each that cannot be recorded.
   */
  synchronized void recordBundles(Problems problems) {
    recordsBundles = true;
    applied.values().forEach(rules -> rules.bundle()
        .ifPresent(one -> BundleRules.record(one, rules.text(), rules.source(), log, problems)));
  }

  /** Records changes of rules from now on, before they are applied. */
  synchronized void auditBy(AuditTrail trail) {
    audit = trail;
  }

  /** Passes the rules before and after each change on from now on. */
  synchronized void watchBy(BiConsumer<Snapshot, Snapshot> listener) {
    watcher = Optional.of(listener);
  }

  /** Returns whether a change waits until it can be recorded. */
  synchronized boolean isBlocked() {
    return blocked;
  }

  /** Tries again what could not be recorded. */
  synchronized void retryBlocked() {
    if (blocked) {
      apply(List.of());
    }
  }

  /** Returns the current snapshot, which requests are evaluated by. */
  public Snapshot snapshot() {
    return current.get();
  }

  /** Returns what requests for the console are decided by. */
  Snapshot console() {
    return console.get();
  }

  /** Returns the rule sets in use, by source. */
  synchronized Map<String, SourceFile> applied() {
    Map<String, SourceFile> out = new LinkedHashMap<>();
    applied.forEach((source, rules) -> out.put(source, rules.text()));
    return out;
  }

  /** Returns whether rule sets in use have shadow rules. */
  synchronized boolean hasShadow() {
    return applied.values().stream().anyMatch(rules -> rules.shadow() > 0);
  }

  /** Makes the errors of rejected rule sets be logged again when they are tried the next time. */
  synchronized void reportAgain() {
    refusals.clear();
  }

  /** Returns whether a rule set was rejected that is tried again with the next change. */
  synchronized boolean hasRefused() {
    return !refused.isEmpty();
  }

  /** Applies the first rule sets, all or nothing; problems are added. */
  public synchronized void begin(List<Change> changes, Problems problems) {
    try {
      take(plan, texts(changes), _ -> {}, problems);
    } catch (AuditException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Applies another configuration with the rule sets that it loaded, all or nothing. A rule set that would be rejected
   * now stays as it was applied last; one that was not in use before may stay unused.
   *
   * @param kept sources whose rule sets are not loaded again
   * @param recorder gets the rule sets that will be in use; where it fails nothing is applied
   */
  synchronized boolean exchange(ConfigurationPlan next, List<Change> loaded, Collection<String> kept,
      Recorder recorder, Problems problems) {
    try {
      return exchange(next, newest(loaded, kept), recorder, problems);
    } catch (AuditException e) {
      problems.error(Origin.BUILT_IN, "", e.getMessage(), "nothing was reloaded");
      return false;
    }
  }

  private boolean exchange(ConfigurationPlan next, Map<String, SourceFile> newest, Recorder recorder,
      Problems problems) throws AuditException {
    Problems found = new Problems();
    if (take(next, newest, recorder, found)) {
      problems.addAll(found);
      refusals.forgetAll();
      return true;
    }
    List<String> bad = ParsedRules.all(next, newest, counters).stream().filter(one -> !one.isValid())
        .map(ParsedRules::source).toList();
    if (take(next, older(newest, bad), recorder, new Problems())
        || take(next, older(newest, newest.keySet()), recorder, new Problems())) {
      newest.forEach((source, text) -> {
        if (!applied.containsKey(source) || !applied.get(source).text().equals(text)) {
          refused.put(source, text);
        }
      });
      apply(List.of());
      refused.keySet().forEach(source -> problems.warning(Origin.BUILT_IN, "", "rule set `" + source
          + "` was not applied", "correct it: its last good rules stay in force"));
      return true;
    }
    problems.addAll(found);
    return false;
  }

  /** Replaces the rule sets of some sources by those in use; those without one in use are omitted. */
  private Map<String, SourceFile> older(Map<String, SourceFile> newest, Collection<String> sources) {
    Map<String, SourceFile> out = new LinkedHashMap<>(newest);
    for (String source : sources) {
      if (applied.containsKey(source)) {
        out.put(source, applied.get(source).text());
      } else if (refused.containsKey(source)) {
        out.remove(source);
      }
    }
    return out;
  }

  private Map<String, SourceFile> newest(List<Change> loaded, Collection<String> kept) {
    Map<String, SourceFile> out = applied();
    out.putAll(refused);
    out.keySet().retainAll(kept);
    out.putAll(texts(loaded));
    return out;
  }

  private static Map<String, SourceFile> texts(List<Change> changes) {
    Map<String, SourceFile> out = new LinkedHashMap<>();
    changes.forEach(change -> change.text().ifPresent(text -> out.put(change.source(), text)));
    return out;
  }

  private boolean take(ConfigurationPlan next, Map<String, SourceFile> texts, Recorder recorder, Problems problems)
      throws AuditException {
    List<ParsedRules> read = ParsedRules.all(next, texts, counters);
    read.forEach(one -> problems.addAll(one.problems()));
    Optional<RouteIndex<Rule>> index = RouteIndex.<Rule>empty().with(ParsedRules.sets(read), problems);
    if (index.isPresent() && !problems.hasErrors()) {
      unrecorded(read).values().forEach(problems::addAll);
    }
    if (index.isEmpty() || problems.hasErrors()) {
      return false;
    }
    recorder.record(texts);
    plan = next;
    refused.clear();
    Map<String, AppliedRules> before = new LinkedHashMap<>(applied);
    applied.clear();
    read.forEach(one -> applied.put(one.source(), AppliedRules.of(one)));
    publish(index.get());
    history.only(texts.keySet());
    applied.values().forEach(this::show);
    before.forEach((source, rules) -> reportRemoved(rules, Optional.ofNullable(applied.get(source))));
    return true;
  }

  /** Applies changes, each rule set on its own, and removals first so that rules can move between rule sets. */
  synchronized void apply(List<Change> changes) {
    Map<String, SourceFile> due = new LinkedHashMap<>(refused);
    List<String> gone = new ArrayList<>();
    for (Change change : changes) {
      due.remove(change.source());
      removedLater.remove(change.source());
      if (change.text().isEmpty()) {
        history.gone(change.source());
        refusals.forget(change.source());
        applied.keySet().stream().filter(change.source()::equals).forEach(gone::add);
      }
    }
    texts(changes).forEach((source, text) -> {
      if (!applied.containsKey(source) || !applied.get(source).text().equals(text)) {
        due.put(source, text);
      } else {
        if (history.isRejected(source)) {
          log.notice("Rule set is the one in use again", "_rule_set", source);
        }
        refusals.restored(source, text, audit);
        recordApplied(applied.get(source));
      }
    });
    refused.clear();
    removedLater.stream().filter(applied::containsKey).forEach(gone::add);
    removedLater.clear();
    if (!gone.isEmpty() || !due.isEmpty()) {
      take(gone, ParsedRules.all(plan, due, counters));
    }
  }

  private void take(List<String> removed, List<ParsedRules> read) {
    List<String> gone = new ArrayList<>(removed);
    List<ParsedRules> emptied = read.stream().filter(one -> one.isValid() && one.set().isEmpty())
        .filter(one -> applied.containsKey(one.source())).toList();
    emptied.stream().map(ParsedRules::source).filter(source -> !gone.contains(source)).forEach(gone::add);
    Admission admission = Admission.of(current.get().index(), gone,
        read.stream().filter(one -> one.set().isPresent()).toList());
    Map<ParsedRules, Problems> unrecorded = unrecorded(admission.applied());
    if (!unrecorded.isEmpty()) {
      unrecorded.forEach(this::refuse);
      take(removed, read.stream().filter(one -> !unrecorded.containsKey(one)).toList());
      blocked = true;
      return;
    }
    Optional<String> obstacle = record(gone, admission.applied());
    blocked = obstacle.isPresent();
    if (blocked) {
      removedLater.addAll(gone);
      read.forEach(one -> refuse(one, one.isValid() ? RuleRefusals.unrecorded(one, obstacle.get()) : one.problems()));
      return;
    }
    Map<String, String> news = new LinkedHashMap<>();
    Set<String> failing = read.stream().map(ParsedRules::source).filter(history::isRejected)
        .collect(Collectors.toSet());
    gone.forEach(source -> {
      history.gone(source);
      reportRemoved(applied.remove(source),
          emptied.stream().filter(one -> one.source().equals(source)).findFirst().map(AppliedRules::of));
      news.put(source, "Deletion of a rule set received");
    });
    for (ParsedRules one : admission.applied()) {
      AppliedRules next = AppliedRules.of(one);
      Optional<AppliedRules> older = Optional.ofNullable(applied.put(one.source(), next));
      news.put(one.source(), older.isEmpty() ? "New rule set received" : "Update of a rule set received");
      older.ifPresent(rules -> reportRemoved(rules, Optional.of(next)));
    }
    if (!gone.isEmpty() || !admission.applied().isEmpty()) { // what is refused changes nothing
      publish(admission.index());
    }
    admission.applied().forEach(one -> recordApplied(applied.get(one.source())));
    news.forEach((source, message) -> {
      if (failing.contains(source)) {
        log.notice(message, "_rule_set", source);
      } else {
        log.info(message, "_rule_set", source);
      }
    });
    admission.applied().forEach(one -> one.problems().sorted().forEach(p -> log.warn(p.text())));
    admission.warnings().sorted().forEach(p -> log.warn(p.text()));
    read.stream().filter(one -> !one.isValid()).forEach(one -> refuse(one, one.problems()));
    admission.refused().forEach(this::refuse);
  }

  private Map<ParsedRules, Problems> unrecorded(List<ParsedRules> sets) {
    return recordsBundles ? BundleRules.unrecorded(sets, log) : Map.of();
  }

  /** Records what is about to change; returns why it must not, if so. */
  private Optional<String> record(List<String> gone, List<ParsedRules> sets) {
    Map<String, SourceFile> before = new LinkedHashMap<>();
    Map<String, SourceFile> after = new LinkedHashMap<>();
    gone.forEach(source -> before.put(source, applied.get(source).text()));
    for (ParsedRules one : sets) {
      if (applied.containsKey(one.source())) {
        before.put(one.source(), applied.get(one.source()).text());
      }
      after.put(one.source(), one.text());
    }
    if (before.isEmpty() && after.isEmpty()) {
      return Optional.empty();
    }
    try {
      audit.record(
          ChangeEvents.rules(before, after, BundleRules.rolledBack(sets.stream().map(AppliedRules::of).toList())));
      return Optional.empty();
    } catch (AuditException e) {
      return Optional.of(e.getMessage());
    }
  }

  /** Returns what is kept of the applied rule sets. */
  synchronized List<AppliedRules> sets() {
    return List.copyOf(applied.values());
  }

  /** Logs the ids of removed rules: their file may have been truncated. One that has none any more is a problem. */
  private void reportRemoved(AppliedRules before, Optional<AppliedRules> after) {
    Set<String> left = after.map(AppliedRules::ids).orElse(Set.of());
    List<String> removed = before.ids().stream().filter(id -> !left.contains(id)).toList();
    if (removed.isEmpty()) {
      return;
    }
    String some = String.join(", ", removed.subList(0, Math.min(NAMED, removed.size())))
        + (removed.size() > NAMED ? ", …" : "");
    if (after.filter(AppliedRules::hasNone).isPresent()) {
      history.emptied(before.source(), removed.size());
      log.error("Rule set has no rules any more", "_rule_set", before.source(), "_count", removed.size(), "_rules",
          some);
    } else {
      log.warn("Rules removed from a rule set", "_rule_set", before.source(), "_count", removed.size(), "_rules", some);
    }
  }

  private void recordApplied(AppliedRules rules) {
    refusals.forget(rules.source());
    show(rules);
  }

  private void show(AppliedRules rules) {
    history.applied(rules.source(), rules.rules(), rules.problems());
    if (!rules.hasNone()) {
      history.filled(rules.source());
    }
  }

  private void refuse(ParsedRules rules, Problems problems) {
    history.rejected(rules.source(), problems);
    refused.put(rules.source(), rules.text());
    refusals.report(rules, problems, blocked ? AuditTrail.NONE : audit);
  }

  private void publish(RouteIndex<Rule> index) {
    Collection<Pipeline> pipelines = new ArrayList<>();
    plan.defaultPipeline().ifPresent(pipelines::add);
    applied.values().forEach(rules -> pipelines.addAll(rules.pipelines()));
    Snapshot before = current.get();
    current.set(new Snapshot(before.version() + 1, plan.catalogue(), index, plan.defaultRule(),
        ProtectedHeaders.of(pipelines, plan.catalogue())));
    watcher.ifPresent(listener -> listener.accept(before, current.get()));
    console.set(plan.console(current.get().version()));
  }
}
