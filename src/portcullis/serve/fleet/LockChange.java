package portcullis.serve.fleet;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.policy.lock.Lock;
import portcullis.serve.lock.LockDocument;

/**
 * The latest change of a lock: it was made, or removed. Of two changes of a lock the later one counts on all instances.
 * Immutable.
 *
 * @param id of the lock
 * @param at when, in milliseconds, but always later than the change that it follows
 * @param lock empty if it was removed
 * @param until when this may be forgotten; empty for never
 */
record LockChange(String id, long at, Optional<Lock> lock, Optional<Instant> until) {
  /** For as long a removal is known, unless its lock would have ended sooner. */
  static final Duration REMOVAL = Duration.ofDays(30);

  private static final String ON = " on ";
  private static final int LONGEST_ORIGIN = 1024;
  /** What a number of a sorted set holds exactly. */
  private static final long LATEST = 1L << 53;

  static LockChange made(Lock lock, long at) {
    return new LockChange(lock.id(), at, Optional.of(lock), lock.until());
  }

  static LockChange removed(Lock lock, long at) {
    Instant forgotten = Instant.ofEpochMilli(at).plus(REMOVAL);
    return new LockChange(lock.id(), at, Optional.empty(),
        Optional.of(lock.until().filter(end -> end.isBefore(forgotten)).orElse(forgotten)));
  }

  boolean isOver(Instant now) {
    return until.filter(end -> !now.isBefore(end)).isPresent();
  }

  /** Returns whether it counts, and not the other; the same on each instance. */
  boolean supersedes(LockChange other) {
    if (at != other.at) {
      return at > other.at;
    }
    if (lock.isPresent() != other.lock.isPresent()) {
      return lock.isPresent();
    }
    return text("").compareTo(other.text("")) > 0;
  }

  /** Returns it as it is shared: with the name of the instance where it was made. */
  byte[] document(String instance) {
    return text(instance).getBytes(StandardCharsets.UTF_8);
  }

  private String text(String instance) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put("at", Value.of(at));
    lock.ifPresent(made -> out.put("lock", LockDocument.of(instance.isEmpty() ? plain(made) : from(made, instance))));
    until.filter(_ -> lock.isEmpty()).ifPresent(end -> out.put("until", Value.of(end.toString())));
    return JsonText.plain(new Value.Dict(out));
  }

  private static Lock from(Lock lock, String instance) {
    String origin = lock.origin() + ON + instance;
    return lock.origin().contains(ON) || origin.length() > LONGEST_ORIGIN ? lock : with(lock, origin);
  }

  /** Returns it as the instance of this name sees it, where its own locks are from no other. */
  LockChange seenBy(String instance) {
    return new LockChange(id, at,
        lock.map(made -> made.origin().endsWith(ON + instance) ? plain(made) : made), until);
  }

  /** Returns a copy that is the same on the instance where it was made and on others. */
  private static Lock plain(Lock lock) {
    int on = lock.origin().lastIndexOf(ON);
    return on < 0 ? lock : with(lock, lock.origin().substring(0, on));
  }

  private static Lock with(Lock lock, String origin) {
    return new Lock(lock.target(), lock.value(), lock.issuer(), lock.authenticatedUntil(), lock.reason(), origin,
        lock.since(), lock.until());
  }

  /** Returns the change of this lock; empty if the bytes are not one. */
  static Optional<LockChange> read(String id, byte[] document) {
    try {
      if (!(Json.read(document) instanceof Value.Dict object)
          || !(object.get("at").orElse(Value.NULL) instanceof Value.Int at) || at.value() < 0
          || at.value() >= LATEST) {
        return Optional.empty();
      }
      return switch (object.get("lock").orElse(Value.NULL)) {
        case Value.Dict lock -> LockDocument.read(lock).filter(made -> made.id().equals(id))
            .map(made -> made(made, at.value()));
        case Value.Null _ when object.get("until").orElse(Value.NULL) instanceof Value.Str end ->
          Optional.of(new LockChange(id, at.value(), Optional.empty(), Optional.of(Instant.parse(end.value()))));
        case Value _ -> Optional.empty();
      };
    } catch (ValueException | DateTimeException _) {
      return Optional.empty();
    }
  }
}
