package portcullis.policy.authenticator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import portcullis.crypto.keys.Jwk;
import portcullis.crypto.keys.JwkSet;

/**
 * The keys that one address has published, each with the time of the fetch that brought it: those of the last answer,
 * and those with an id of earlier answers that it does not have any more. Immutable.
 *
 * @param latest of the last answer
 * @param asked when that was asked for, by the wall clock of who asked: says which of several answers is the younger
 * @param since the same by a clock that only advances, from which the keys live
 */
record KnownKeys(JwkSet latest, Instant asked, Instant since, List<Withdrawn> withdrawn) {
  private static final int MOST_WITHDRAWN = 1000;

  /** A key that is published no more. */
  record Withdrawn(Jwk key, Instant since) {}

  static KnownKeys of(JwkSet set, Instant asked, Instant since) {
    return new KnownKeys(set, asked, since, List.of());
  }

  /** What is known once another answer has come. */
  KnownKeys followedBy(KnownKeys newer) {
    List<Withdrawn> out = new ArrayList<>();
    for (Jwk key : latest.keys()) {
      out.add(new Withdrawn(key, since));
    }
    out.addAll(withdrawn);
    out.removeIf(old -> old.key.keyId().isEmpty() || newer.latest.withId(old.key.keyId().get()).size() > 0);
    List<Withdrawn> youngest = out.subList(0, Math.min(out.size(), MOST_WITHDRAWN));
    return new KnownKeys(newer.latest, newer.asked, newer.since, List.copyOf(youngest));
  }

  /** Whether the last answer still counts. */
  boolean lives(Instant now, Duration life) {
    return now.isBefore(since.plus(life));
  }

  /** Whether a new answer should be had before this one ends: in the last quarter of a life of a minute at least. */
  boolean isAging(Instant now, Duration life) {
    return life.compareTo(Duration.ofMinutes(1)) >= 0 && !now.isBefore(since.plus(life.dividedBy(4).multipliedBy(3)));
  }

  /** Whether a key of that id is or was published. */
  boolean has(String id) {
    return !latest.withId(id).isEmpty()
        || withdrawn.stream().anyMatch(old -> old.key.keyId().filter(id::equals).isPresent());
  }

  /** The keys of the last answer and the withdrawn ones that still live. */
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
