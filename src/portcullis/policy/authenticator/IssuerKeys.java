package portcullis.policy.authenticator;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import portcullis.crypto.keys.Jwk;
import portcullis.crypto.keys.JwkSet;
import portcullis.observe.telemetry.Log;
import portcullis.policy.mechanism.Failure;

/**
 * The keys of one address, kept for all who verify with them. Thread safe; nothing is locked while the issuer is asked,
 * and who needs a key that still lives waits for nobody. A fetch runs on a thread of its own, so that it comes to its
 * end whether or not somebody still waits for it.
 */
final class IssuerKeys {
  /** Between two fetches for keys that nobody knows, and between two while the issuer is in trouble. */
  static final Duration COOL_DOWN = Duration.ofSeconds(5);
  /** How long who could do with the last good keys waits for new ones. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

  private final String address;
  private final InstantSource clock;
  private final Log log;
  private final Runnable bridged;
  private volatile Optional<KnownKeys> known = Optional.empty();
  private volatile Instant quietUntil = Instant.MIN;
  private final Set<String> inUse = ConcurrentHashMap.newKeySet();
  private Instant nextForUnknown = Instant.MIN;
  private Optional<KeyFlight> underWay = Optional.empty();

  /**
   * Knows no keys yet.
   *
   * @param address for the log
   * @param clock one that only advances
   * @param bridged told each time that last good keys stay in use as there are no new ones
   */
  IssuerKeys(String address, InstantSource clock, Log log, Runnable bridged) {
    this.address = address;
    this.clock = clock;
    this.log = log;
    this.bridged = bridged;
  }

  /** Where keys come from. */
  interface Source {
    /** Asks the issuer. */
    KnownKeys ask() throws Failure;

    /** Asks the issuer unless others have asked it since it published those keys. */
    KnownKeys askSince(Optional<KnownKeys> seen) throws Failure;

    /** Asks the issuer, whatever is kept of its answers. */
    KnownKeys askAnew() throws Failure;
  }

  /** One of these questions. */
  private interface Question {
    KnownKeys put() throws Failure;
  }

  /**
   * Keys to verify with.
   *
   * @param from what they were taken from
   * @param isNew whether they were asked for while one waited: asking again would bring the same
   */
  record Found(JwkSet keys, KnownKeys from, boolean isNew) {}

  /** The keys that are known, or fetched ones where none are. */
  Found find(KeyLifetimes times, Source source) throws Failure {
    if (times.areOff()) {
      KnownKeys just = source.ask();
      return new Found(just.latest(), just, true);
    }
    Instant now = now();
    Optional<KnownKeys> seen = known;
    Optional<KnownKeys> last = seen.filter(keys -> keys.lives(now, times.longest()));
    if (last.isEmpty()) {
      return fetched(since(seen, source), times, now);
    }
    if (!last.get().lives(now, times.life())) {
      return renewed(seen, times, source, now);
    }
    if (last.get().isAging(now, times.life()) && !now.isBefore(quietUntil)) {
      since(seen, source);
    }
    return found(last.get(), times, now);
  }

  /**
   * The same for a key that is taken into use: its life begins with a fetch of its own, so it is fetched even where
   * others have brought it along, once. The key that is known counts where none can be had. Ids that nobody publishes
   * lead to nothing here.
   */
  Found findFor(String keyId, Found found, KeyLifetimes times, Source source) {
    if (times.areOff() || found.keys.withId(keyId).isEmpty() || !inUse.add(keyId) || found.isNew || inUse.size() == 1) {
      return found;
    }
    Instant now = now();
    Optional<KnownKeys> seen = known;
    return seen.orElse(found.from).equals(found.from) ? renewed(seen, times, source, now)
        : found(seen.orElseThrow(), times, now);
  }

  /** Says that a token was verified with that key, which is in use from now on. */
  void used(Jwk key) {
    key.keyId().ifPresent(inUse::add);
  }

  /**
   * Keys that may have what was not among these: younger ones that are there, or fetched ones unless that was just
   * done.
   */
  Optional<Found> findMore(Found than, KeyLifetimes times, Source source) throws Failure {
    if (times.areOff() || than.isNew) {
      return Optional.empty();
    }
    Instant now = now();
    KnownKeys keys = known.orElse(than.from);
    if (!keys.equals(than.from)) {
      return Optional.of(found(keys, times, now));
    }
    Optional<KeyFlight> flight = forUnknown(source, now);
    return flight.isPresent() ? Optional.of(fetched(flight.get(), times, now)) : Optional.empty();
  }

  private Found fetched(KeyFlight flight, KeyLifetimes times, Instant asked) throws Failure {
    if (!flight.await(LONGEST_WAIT)) {
      throw new Failure.Communication("request to JWKS endpoint timed out", true);
    }
    return found(known.orElseThrow(), times, asked);
  }

  private Found found(KnownKeys keys, KeyLifetimes times, Instant asked) {
    return new Found(keys.usable(asked, times.life()), keys, !keys.since().isBefore(asked));
  }

  /** Those that have come to their end, unless new ones can be had. */
  private Found renewed(Optional<KnownKeys> seen, KeyLifetimes times, Source source, Instant now) {
    try {
      if (!now.isBefore(quietUntil) && !since(seen, source).await(PATIENCE)) {
        trouble("no answer within " + PATIENCE.toSeconds() + " s");
      }
    } catch (Failure _) {
      // said by the flight
    }
    return found(known.orElseThrow(), times, now);
  }

  /** A fetch for keys younger than those seen: one that has ended meanwhile, one under way, or a new one. */
  private synchronized KeyFlight since(Optional<KnownKeys> seen, Source source) {
    if (underWay.isEmpty() && !known.equals(seen)) {
      return KeyFlight.LANDED;
    }
    return underWay.orElseGet(() -> begun(() -> source.askSince(seen)));
  }

  private synchronized Optional<KeyFlight> forUnknown(Source source, Instant now) {
    if (underWay.isPresent() || now.isBefore(nextForUnknown)) {
      return underWay;
    }
    nextForUnknown = now.plus(COOL_DOWN);
    return Optional.of(begun(source::askAnew));
  }

  private KeyFlight begun(Question question) {
    KeyFlight flight = new KeyFlight();
    underWay = Optional.of(flight);
    Thread.ofVirtual().name("issuer-keys").start(() -> run(flight, question));
    return flight;
  }

  private void run(KeyFlight flight, Question question) {
    Optional<Failure> failure = Optional.of(new Failure.Internal("the keys of the issuer cannot be read"));
    try {
      land(question.put());
      failure = Optional.empty();
    } catch (Failure e) {
      failure = Optional.of(e);
      trouble(e.report());
    } finally {
      leave();
      flight.end(failure);
    }
  }

  private synchronized void land(KnownKeys keys) {
    known = Optional.of(known.map(old -> old.followedBy(keys)).orElse(keys));
    inUse.removeIf(id -> !known.orElseThrow().has(id));
    quietUntil = Instant.MIN;
  }

  /** Whether a fetch is under way. */
  synchronized boolean isAsking() {
    return underWay.isPresent();
  }

  /** Whether there have never been any. */
  boolean isUnknown() {
    return known.isEmpty() && !isAsking();
  }

  private synchronized void leave() {
    underWay = Optional.empty();
  }

  private Instant now() {
    return clock.instant();
  }

  private void trouble(String why) {
    quietUntil = now().plus(COOL_DOWN);
    if (known.isPresent()) {
      bridged.run();
      log.warn("keys of the issuer cannot be fetched, the last good ones stay in use", "_url", address, "_error", why);
    }
  }
}
