package portcullis.serve.fleet;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;
import portcullis.observe.telemetry.Log;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockTable;

/**
 * The latest change of each lock that this instance knows, and which of them the others do not know yet. Keeps the
 * table of locks up to date with the changes of others. Bounded; thread safe.
 */
final class LockLedger implements LockTable.Listener {
  /** The maximum number of changes, those included by which locks were removed. */
  static final int MOST = 2 * LockTable.MOST;

  private final LockTable locks;
  private final InstantSource clock;
  private final Log log;
  private final Runnable changed;
  private final Map<String, LockChange> latest = new LinkedHashMap<>();
  private final SequencedSet<String> pending = new LinkedHashSet<>();

  /** @param changed is called when there is something to share */
  LockLedger(LockTable locks, InstantSource clock, Log log, Runnable changed) {
    this.log = log;
    this.locks = locks;
    this.clock = clock;
    this.changed = changed;
  }

  /** Begins with the locks that there are, each as old as it is: others may know of its removal. */
  void start() {
    synchronized (this) {
      locks.all().forEach(lock -> latest.put(lock.id(), LockChange.made(lock, lock.since().toEpochMilli())));
    }
    locks.listen(this);
  }

  @Override
  public void added(Lock lock) {
    synchronized (this) {
      Optional<LockChange> known = change(lock.id());
      if (known.flatMap(LockChange::lock).filter(lock::equals).isPresent()) {
        return; // from others
      }
      keep(LockChange.made(lock, after(known)));
    }
    changed.run();
  }

  @Override
  public void removed(Lock lock) {
    synchronized (this) {
      Optional<LockChange> known = change(lock.id());
      if (known.filter(change -> change.lock().isEmpty()).isPresent()) {
        return; // by others
      }
      keep(LockChange.removed(lock, after(known)));
    }
    changed.run();
  }

  /** A clock that lags behind those of others does not make a change count less. */
  private long after(Optional<LockChange> known) {
    return Math.max(clock.millis(), known.map(change -> change.at() + 1).orElse(0L));
  }

  private void keep(LockChange change) {
    latest.put(change.id(), change);
    pending.add(change.id());
  }

  /**
   * Applies a change that another instance made, unless a later one is known.
   *
   * @return why it cannot be applied; empty if it was, or did not have to be
   */
  synchronized Optional<String> apply(LockChange change) {
    Optional<LockChange> known = change(change.id());
    if (change.isOver(clock.instant()) || known.filter(k -> !change.supersedes(k)).isPresent()) {
      return Optional.empty();
    }
    if (known.isEmpty() && latest.size() >= MOST) {
      return Optional.of("there are too many changes of locks, at most " + MOST);
    }
    latest.put(change.id(), change);
    pending.remove(change.id());
    if (change.lock().isPresent()) {
      return added(change.lock().get(), known);
    }
    locks.remove(change.id())
        .ifPresent(lock -> log.info("Unlocked by another instance", "_lock", lock.id(), "_target", lock.text()));
    return Optional.empty();
  }

  private Optional<String> added(Lock lock, Optional<LockChange> known) {
    if (known.isEmpty() || known.get().lock().filter(lock::equals).isEmpty()) {
      log.info("Locked by another instance", "_lock", lock.id(), "_target", lock.text(), "_reason", lock.reason(),
          "_origin", lock.origin());
    }
    return locks.add(lock);
  }

  synchronized Optional<LockChange> change(String id) {
    return Optional.ofNullable(latest.get(id));
  }

  /** Forgets what is over, and returns the ids of all the rest. */
  synchronized List<String> ids() {
    Instant now = clock.instant();
    latest.values().removeIf(change -> change.isOver(now));
    pending.retainAll(latest.keySet());
    return new ArrayList<>(latest.keySet());
  }

  /** Marks changes as unknown to others. */
  synchronized void share(Collection<String> ids) {
    ids.stream().filter(latest::containsKey).forEach(pending::add);
  }

  /** Returns at most that many changes that others do not know. */
  synchronized List<LockChange> pending(int most) {
    Instant now = clock.instant();
    pending.removeIf(id -> !latest.containsKey(id) || latest.get(id).isOver(now));
    return pending.stream().limit(most).map(latest::get).toList();
  }

  /** Marks changes as known to others, unless they have been followed by others. */
  synchronized void shared(List<LockChange> changes) {
    changes.stream().filter(change -> change.equals(latest.get(change.id()))).map(LockChange::id)
        .forEach(pending::remove);
  }

  synchronized int pending() {
    return pending.size();
  }
}
