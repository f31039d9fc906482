package portcullis.serve.console;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.observe.decisions.AuditEvent;
import portcullis.observe.decisions.AuditException;
import portcullis.observe.decisions.AuditTrail;
import portcullis.observe.decisions.ChainHead;
import portcullis.policy.decision.Snapshot;

/** Remembers the last hundred events of a trail, with what they changed in the rules. Thread safe. */
public final class ChangeMemory implements AuditTrail {
  private static final int MOST = 100;
  /** Events that rules change after. */
  private static final Set<String> APPLIED = Set.of("rules", "reload");

  private final AuditTrail trail;
  private final InstantSource clock;
  private final Deque<Entry> entries = new ArrayDeque<>();

  /** An event. @param rules what it changed in the rules, once it was applied */
  record Entry(Instant at, AuditEvent event, Optional<RuleChanges> rules) {}

  /** @param trail records each event before it is remembered */
  public ChangeMemory(AuditTrail trail, InstantSource clock) {
    this.trail = trail;
    this.clock = clock;
  }

  @Override
  public void record(AuditEvent event) throws AuditException {
    trail.record(event);
    remember(new Entry(clock.instant(), event, Optional.empty()));
  }

  @Override
  public Optional<ChainHead> head() {
    return trail.head();
  }

  private synchronized void remember(Entry entry) {
    entries.addFirst(entry);
    while (entries.size() > MOST) {
      entries.removeLast();
    }
  }

  /** Adds what has changed in the rules to the event that caused it. */
  public synchronized void applied(Snapshot before, Snapshot now) {
    RuleChanges changes = RuleChanges.between(before.index(), now.index());
    Optional<Entry> cause = entries.stream().filter(one -> APPLIED.contains(one.event.kind())).findFirst()
        .filter(one -> one.rules.isEmpty());
    if (cause.isPresent()) {
      List<Entry> all = List.copyOf(entries);
      entries.clear();
      all.forEach(one -> entries.addLast(
          one.equals(cause.get()) ? new Entry(one.at, one.event, Optional.of(changes)) : one));
    } else if (!changes.isEmpty()) {
      remember(new Entry(clock.instant(), AuditEvent.of("rules", "program"), Optional.of(changes)));
    }
  }

  /** Returns what is remembered, the newest first. */
  synchronized List<Entry> entries() {
    return List.copyOf(entries);
  }
}
