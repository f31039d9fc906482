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
import portcullis.policy.cache.Flight;
import portcullis.policy.mechanism.Failure;

/**
 * The keys that one address publishes, shared by all requests. Thread safe; no lock is held during a fetch, and
 * requests for which there is a valid key do not wait. A fetch runs on a thread of its own, so that it completes even
 * if no request waits for it any more.
 */
final class IssuerKeys {
  /** The pause between two fetches for unknown keys, and after a failed fetch. */
  static final Duration COOL_DOWN = LastKnownGood.COOL_DOWN;
  /** The maximum wait for new keys where the last good ones could be used. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

  private final InstantSource clock;
  private final LastKnownGood<KnownKeys> known;
  private final Set<String> inUse = ConcurrentHashMap.newKeySet();
  private Instant nextForUnknown = Instant.MIN;
  private Optional<Flight<KnownKeys>> underWay = Optional.empty();

  /**
   * Creates one without keys.
   *
   * @param address for the log
   * @param clock one that only advances
   * @param bridged called each time the last good keys stay in use as new ones cannot be fetched
   */
  IssuerKeys(String address, InstantSource clock, Log log, Runnable bridged) {
    this.clock = clock;
    known = new LastKnownGood<>("keys of the issuer", address, clock, log, bridged);
  }

  /** Fetches keys. */
  interface Source {
    /** Fetches the keys from the issuer. */
    KnownKeys fetch() throws Failure;

    /** Returns keys that were cached by others since the issuer published those seen, or fetches them. */
    KnownKeys fetchSince(Optional<KnownKeys> seen) throws Failure;

    /** Fetches the keys from the issuer, bypassing the HTTP cache too. */
    KnownKeys fetchUncached() throws Failure;
  }

  /** A method that fetches keys. */
  private interface Fetch {
    KnownKeys run() throws Failure;
  }

  /**
   * Keys to verify with.
   *
   * @param from the answer they were taken from
   * @param isNew whether they were fetched for this request: fetching again would bring the same
   */
  record Found(JwkSet keys, KnownKeys from, boolean isNew) {}

  /** Returns the known keys, or fetches them where none are valid. */
  Found find(KeyLifetimes times, Source source) throws Failure {
    if (times.areOff()) {
      KnownKeys just = source.fetch();
      return new Found(just.latest(), just, true);
    }
    Instant now = now();
    Optional<KnownKeys> seen = known.value();
    Optional<KnownKeys> last = seen.filter(keys -> keys.lives(now, times.longest()));
    if (last.isEmpty()) {
      return fetched(since(seen, source), times, now);
    }
    if (!last.get().lives(now, times.life())) {
      return renewed(seen, times, source, now);
    }
    if (last.get().isAging(now, times.life()) && !known.isPaused(now)) {
      since(seen, source);
    }
    return found(last.get(), times, now);
  }

  /**
   * Returns the keys for a token that names one. A known key that is used for the first time is fetched once more, as
   * its lifetime begins with that fetch; if that fails, the known key is used. Unknown ids cause no fetch here.
   */
  Found findFor(String keyId, Found found, KeyLifetimes times, Source source) {
    if (times.areOff() || found.keys.withId(keyId).isEmpty() || !inUse.add(keyId) || found.isNew || inUse.size() == 1) {
      return found;
    }
    Instant now = now();
    Optional<KnownKeys> seen = known.value();
    return seen.orElse(found.from).equals(found.from) ? renewed(seen, times, source, now)
        : found(seen.orElseThrow(), times, now);
  }

  /** Marks a key as in use after a token was verified with it. */
  void used(Jwk key) {
    key.keyId().ifPresent(inUse::add);
  }

  /**
   * Returns keys that may contain one that was not among these: newer ones that are known already, or fetched ones
   * unless there was a fetch just now.
   */
  Optional<Found> findMore(Found than, KeyLifetimes times, Source source) throws Failure {
    if (times.areOff() || than.isNew) {
      return Optional.empty();
    }
    Instant now = now();
    KnownKeys keys = known.value().orElse(than.from);
    if (!keys.equals(than.from)) {
      return Optional.of(found(keys, times, now));
    }
    Optional<Flight<KnownKeys>> flight = forUnknown(keys, source, now);
    return flight.isPresent() ? Optional.of(fetched(flight.get(), times, now)) : Optional.empty();
  }

  private Found fetched(Flight<KnownKeys> flight, KeyLifetimes times, Instant requested) throws Failure {
    if (!hasLanded(flight, LONGEST_WAIT)) {
      throw new Failure.Communication("request to JWKS endpoint timed out", true);
    }
    return found(known.value().orElseThrow(), times, requested);
  }

  private Found found(KnownKeys keys, KeyLifetimes times, Instant requested) {
    return new Found(keys.usable(requested, times.life()), keys, !keys.since().isBefore(requested));
  }

  /** Returns new keys, or the expired ones where no new ones can be fetched. */
  private Found renewed(Optional<KnownKeys> seen, KeyLifetimes times, Source source, Instant now) {
    try {
      if (!known.isPaused(now) && !hasLanded(since(seen, source), PATIENCE)) {
        known.failed("no answer within " + PATIENCE.toSeconds() + " s");
      }
    } catch (Failure _) {
      // logged by the fetch
    }
    return found(known.value().orElseThrow(), times, now);
  }

  /** Returns a fetch for keys newer than those seen: one that has ended meanwhile, one in progress, or a new one. */
  private synchronized Flight<KnownKeys> since(Optional<KnownKeys> seen, Source source) {
    if (underWay.isEmpty() && !known.value().equals(seen)) {
      return Flight.landed(known.value().orElseThrow());
    }
    return underWay.orElseGet(() -> begun(() -> source.fetchSince(seen)));
  }

  /** Returns a fetch for others than these: one that has ended meanwhile, one in progress, or one that is due. */
  private synchronized Optional<Flight<KnownKeys>> forUnknown(KnownKeys seen, Source source, Instant now) {
    Optional<KnownKeys> newer = known.value().filter(keys -> !keys.equals(seen));
    if (underWay.isEmpty() && newer.isPresent()) {
      return newer.map(Flight::landed);
    }
    if (underWay.isPresent() || now.isBefore(nextForUnknown)) {
      return underWay;
    }
    nextForUnknown = now.plus(COOL_DOWN);
    return Optional.of(begun(source::fetchUncached));
  }

  private Flight<KnownKeys> begun(Fetch fetch) {
    Flight<KnownKeys> flight = new Flight<>();
    underWay = Optional.of(flight);
    Thread.ofVirtual().name("issuer-keys").start(() -> run(flight, fetch));
    return flight;
  }

  private void run(Flight<KnownKeys> flight, Fetch fetch) {
    Flight.End<KnownKeys> end = new Flight.Failed<>(new Failure.Internal("the keys of the issuer cannot be read"));
    try {
      KnownKeys keys = fetch.run();
      set(keys);
      end = new Flight.Completed<>(keys);
    } catch (Failure e) {
      end = new Flight.Failed<>(e);
      known.failed(e.report());
    } finally {
      leave();
      flight.end(end);
    }
  }

  /** Waits for a fetch; returns false where it has not ended within that time. */
  private static boolean hasLanded(Flight<KnownKeys> flight, Duration time) throws Failure {
    return switch (flight.await(time)) {
      case Flight.Completed<KnownKeys> _ -> true;
      case Flight.Failed<KnownKeys>(Failure failure) -> throw failure;
      case Flight.Failed<KnownKeys> _,Flight.Abandoned<KnownKeys> _ ->
        throw new Failure.Internal("the keys of the issuer cannot be read");
      case Flight.TimedOut<KnownKeys> _ when Thread.currentThread().isInterrupted() ->
        throw new Failure.Communication("interrupted while waiting for keys", false);
      case Flight.TimedOut<KnownKeys> _ -> false;
    };
  }

  private synchronized void set(KnownKeys keys) {
    KnownKeys all = known.value().map(old -> old.followedBy(keys)).orElse(keys);
    known.set(all);
    inUse.removeIf(id -> !all.has(id));
  }

  /** Returns whether a fetch is in progress. */
  synchronized boolean isFetching() {
    return underWay.isPresent();
  }

  /** Returns whether there have never been any keys. */
  boolean isUnknown() {
    return known.value().isEmpty() && !isFetching();
  }

  private synchronized void leave() {
    underWay = Optional.empty();
  }

  private Instant now() {
    return clock.instant();
  }
}
