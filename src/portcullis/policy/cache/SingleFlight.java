package portcullis.policy.cache;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Returns cached responses, or fetches each once for all concurrent callers, and for other instances that have the same
 * cache. Thread safe.
 */
public final class SingleFlight {
  /** How long other instances wait for a fetch at most; as long as that one may be lost. */
  static final Duration LEASE = Duration.ofSeconds(2);

  private final ConcurrentMap<CacheKey, Flight<?>> flights = new ConcurrentHashMap<>();
  private final Cache cache;
  private final Duration patience;

  /** @param patience how long to wait for the fetch of another caller before fetching separately */
  public SingleFlight(Cache cache, Duration patience) {
    this.cache = cache;
    this.patience = patience;
  }

  /** Fetches a response. */
  public interface Fetch<T, E extends Exception> {
    T fetch() throws E;
  }

  /** Interprets a response for one caller; a response for which this fails is not cached. */
  public interface Reading<T, R, F extends Exception> {
    Read<R> read(T answer) throws F;
  }

  /**
   * An interpreted response.
   *
   * @param time how long a new response is cached; zero or less for not at all
   */
  public record Read<R>(R result, Duration time) {}

  /**
   * Returns the interpretation of the cached response, or of a new one. A failed fetch fails for all who wait for it;
   * after an interrupt or a bug the next of them fetches. All callers with the same key use the same types.
   */
  public <T, R, E extends Exception, F extends Exception> R fetchOnce(
      CacheKey key, CacheCodec<T> form, Fetch<T, E> fetch, Reading<T, R, F> reading) throws E, F {
    return fetchOnce(key, form, LEASE, fetch, reading);
  }

  /** Does the same. @param lease how long other instances wait for the response at most before they fetch it too */
  public <T, R, E extends Exception, F extends Exception> R fetchOnce(CacheKey key, CacheCodec<T> form, Duration lease,
      Fetch<T, E> fetch, Reading<T, R, F> reading) throws E, F {
    Optional<T> kept = cache.get(key).flatMap(form::read);
    if (kept.isPresent()) {
      CacheHits.found();
      return reading.read(kept.get()).result();
    }
    Flight<T> own = new Flight<>();
    Optional<Flight<T>> other = same(flights.putIfAbsent(key, own));
    if (other.isEmpty()) {
      return lead(key, form, own, lease.compareTo(patience) < 0 ? lease : patience, fetch, reading);
    }
    return switch (other.get().await(patience)) {
      case Flight.Completed<T>(T answer) -> {
        Read<R> read = reading.read(answer);
        if (read.time().isPositive()) {
          CacheHits.found();
        }
        cache.joined(key, () -> form.write(answer));
        yield read.result();
      }
      case Flight.Failed<T>(Exception failure) -> throw SingleFlight.<E>same(failure);
      case Flight.Abandoned<T> _ -> fetchOnce(key, form, lease, fetch, reading);
      case Flight.TimedOut<T> _ -> reading.read(fetch.fetch()).result();
    };
  }

  /** Fetches for all callers that come until the response is cached or found not to be cacheable. */
  private <T, R, E extends Exception, F extends Exception> R lead(CacheKey key, CacheCodec<T> form, Flight<T> own,
      Duration lease, Fetch<T, E> fetch, Reading<T, R, F> reading) throws E, F {
    Turn turn = new Turn(cache, key, lease);
    try {
      Optional<T> kept = turn.await(() -> cache.get(key).flatMap(form::read)); // by a fetch that has ended meanwhile
      if (kept.isPresent()) {
        CacheHits.found();
      }
      T answer = kept.isPresent() ? kept.get() : fetch.fetch();
      own.end(new Flight.Completed<>(answer));
      Read<R> read = reading.read(answer);
      if (kept.isEmpty()) {
        turn.put(key, form.write(answer), read.time());
      }
      return read.result();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      if (!Thread.currentThread().isInterrupted()) {
        own.end(new Flight.Failed<>(e));
      }
      throw e;
    } finally {
      flights.remove(key, own);
      own.end(new Flight.Abandoned<>());
      turn.end();
    }
  }

  @SuppressWarnings("unchecked") // who has the same key has the same kind of fetch, which gets a T
  private static <T> Optional<Flight<T>> same(Flight<?> other) {
    return Optional.ofNullable((Flight<T>) other);
  }

  @SuppressWarnings("unchecked") // and fails with an E
  private static <E extends Exception> E same(Exception failure) {
    return (E) failure;
  }
}
