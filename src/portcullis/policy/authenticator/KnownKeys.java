package portcullis.policy.authenticator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import portcullis.crypto.keys.Jwk;
import portcullis.crypto.keys.JwkSet;

/**
 * The keys that one address has published, each with the time of the fetch: those of the latest response, and those
 * with an id that earlier responses contained. Immutable.
 *
 * @param latest the keys of the latest response
 * @param requested when it was requested, by the wall clock of the process that did; the larger, the newer
 * @param since the same by a clock that only advances; the start of the lifetime of the keys
 */
record KnownKeys(JwkSet latest, Instant requested, Instant since, List<Withdrawn> withdrawn) {
  private static final int MOST_WITHDRAWN = 1000;

  /** A key that is no longer published. */
  record Withdrawn(Jwk key, Instant since) {}

  static KnownKeys of(JwkSet set, Instant requested, Instant since) {
    return new KnownKeys(set, requested, since, List.of());
  }

  /** Returns the keys known after another response. */
  KnownKeys followedBy(KnownKeys newer) {
    List<Withdrawn> out = new ArrayList<>();
    for (Jwk key : latest.keys()) {
      out.add(new Withdrawn(key, since));
    }
    out.addAll(withdrawn);
    out.removeIf(old -> old.key.keyId().isEmpty() || newer.latest.withId(old.key.keyId().get()).size() > 0);
    List<Withdrawn> youngest = out.subList(0, Math.min(out.size(), MOST_WITHDRAWN));
    return new KnownKeys(newer.latest, newer.requested, newer.since, List.copyOf(youngest));
  }

  /** Returns whether the latest response is still valid. */
  boolean lives(Instant now, Duration life) {
    return now.isBefore(since.plus(life));
  }

  /**
   * Returns whether a new response should be fetched early: in the last quarter of a lifetime of at least a minute.
   */
  boolean isAging(Instant now, Duration life) {
    return life.compareTo(Duration.ofMinutes(1)) >= 0 && !now.isBefore(since.plus(life.dividedBy(4).multipliedBy(3)));
  }

  /** Returns whether a key with this id is or was published. */
  boolean has(String id) {
    return !latest.withId(id).isEmpty()
        || withdrawn.stream().anyMatch(old -> old.key.keyId().filter(id::equals).isPresent());
  }

  /** Returns the keys of the latest response and the withdrawn ones whose lifetime has not ended. */
  JwkSet usable(Instant now, Duration life) {
    List<Jwk> living = withdrawn.stream().filter(old -> now.isBefore(old.since.plus(life))).map(Withdrawn::key)
        .toList();
    if (living.isEmpty()) {
      return latest;
    }
    List<Jwk> all = new ArrayList<>(latest.keys());
    all.addAll(living);
    return new JwkSet(all, List.of());
  }
}
