package portcullis.app;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import portcullis.catalogue.Catalogue;
import portcullis.decision.Managed;
import portcullis.decision.Snapshot;
import portcullis.pipeline.Pipeline;
import portcullis.provider.Change;
import portcullis.route.RouteIndex;
import portcullis.route.RouteSet;
import portcullis.rule.Rule;
import portcullis.rule.RuleReader;
import portcullis.source.Problem;
import portcullis.source.Problems;
import portcullis.source.SourceFile;
import portcullis.telemetry.Log;

/**
 * The only writer of the snapshot. What does not decode, build or fit changes nothing and is tried again with every later
 * change, as that may be what was missing. Thread safe.
 */
final class Reloader {
  private final AtomicReference<Snapshot> current = new AtomicReference<>();
  private final Map<String, SourceFile> refused = new LinkedHashMap<>();
  private final Map<String, RouteSet<Rule>> sets = new LinkedHashMap<>();
  private final RuleReader reader;
  private final Log log;

  Reloader(Catalogue catalogue, Optional<Pipeline> standard, RuleReader reader, Log log) {
    this.reader = reader;
    this.log = log;
    Managed managed = Managed.of(standard.stream().toList());
    current.set(new Snapshot(0, catalogue, RouteIndex.empty(), standard.map(Rule::standard), managed));
  }

  /** What requests are judged by at the moment. */
  Snapshot snapshot() {
    return current.get();
  }

  /** Takes the first rule sets, all or nothing; what is wrong is added to the problems. */
  synchronized void begin(List<Change> changes, Problems problems) {
    List<RouteSet<Rule>> read = new ArrayList<>();
    changes.forEach(change -> change.text().flatMap(text -> reader.read(change.source(), text, problems)).ifPresent(read::add));
    Optional<RouteIndex<Rule>> index = current.get().index().with(read, problems);
    if (index.isPresent() && !problems.hasErrors()) {
      read.forEach(set -> sets.put(set.source(), set));
      publish(index.get());
    }
  }

  /** Takes what has changed; each rule set on its own, removals first so that rules can move. */
  synchronized void apply(List<Change> changes) {
    Map<String, SourceFile> due = new LinkedHashMap<>(refused);
    RouteIndex<Rule> index = current.get().index();
    for (Change change : changes) {
      due.remove(change.source());
      if (change.text().isEmpty()) {
        log.info("Deletion of a rule set received", "_rule_set", change.source());
        sets.remove(change.source());
        index = index.without(change.source());
      }
    }
    changes.forEach(change -> change.text().ifPresent(text -> due.put(change.source(), text)));
    refused.clear();
    publish(taken(due, index));
  }

  /** One that is refused may become acceptable by what another one gives up: they are tried until none is. */
  private RouteIndex<Rule> taken(Map<String, SourceFile> due, RouteIndex<Rule> base) {
    RouteIndex<Rule> index = base;
    Map<String, Problems> faults = new LinkedHashMap<>();
    for (boolean moved = true; moved && !due.isEmpty();) {
      moved = false;
      faults.clear();
      for (Map.Entry<String, SourceFile> one : List.copyOf(due.entrySet())) {
        Problems problems = new Problems();
        Optional<RouteIndex<Rule>> next = taken(one.getKey(), one.getValue(), index, problems);
        if (next.isPresent()) {
          index = next.get();
          due.remove(one.getKey());
          moved = true;
        } else {
          faults.put(one.getKey(), problems);
        }
      }
    }
    refused.putAll(due);
    faults.forEach(this::tell);
    return index;
  }

  private Optional<RouteIndex<Rule>> taken(String source, SourceFile text, RouteIndex<Rule> index, Problems problems) {
    Optional<RouteSet<Rule>> set = reader.read(source, text, problems);
    if (problems.hasErrors()) {
      return Optional.empty();
    }
    Optional<RouteIndex<Rule>> next = set.isEmpty() ? Optional.of(index.without(source)) : index.with(set.get(), problems);
    if (next.isPresent()) {
      log.info(sets.containsKey(source) ? "Update of a rule set received" : "New rule set received", "_rule_set", source);
      sets.remove(source);
      set.ifPresent(s -> sets.put(source, s));
    }
    return next;
  }

  private void tell(String source, Problems problems) {
    for (Problem problem : problems.sorted()) {
      log.warn("Failed to apply rule set changes", "_src", source, "_error", problem.text());
    }
  }

  private void publish(RouteIndex<Rule> index) {
    Snapshot old = current.get();
    Collection<Pipeline> pipelines = new ArrayList<>();
    old.standard().ifPresent(rule -> pipelines.add(rule.pipeline()));
    sets.values().forEach(set -> set.entries().forEach(entry -> pipelines.add(entry.value().pipeline())));
    current.set(new Snapshot(old.version() + 1, old.catalogue(), index, old.standard(), Managed.of(pipelines)));
  }
}
