package portcullis.policy.endpoint;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The breakers of all remote parties that are called. Thread safe; knows at most a thousand parties, beyond that
 * forgets those that are well.
 */
public final class CircuitBreakers {
  private static final int MOST = 1000;

  private final Map<RemoteService, CircuitBreaker> breakers = new ConcurrentHashMap<>();
  private final InstantSource clock;

  CircuitBreakers(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * How a party is.
   *
   * @param failuresInARow since its last answer
   * @param openSince from when on calls to it are ended before they are made; empty where they are made
   */
  public record State(RemoteService party, long failuresInARow, Optional<Instant> openSince) {}

  CircuitBreaker of(RemoteService party) {
    CircuitBreaker known = breakers.get(party);
    if (known != null) {
      return known;
    }
    if (breakers.size() >= MOST) {
      breakers.values().removeIf(b -> !b.isOpen());
    }
    return breakers.size() >= MOST ? new CircuitBreaker(clock)
        : breakers.computeIfAbsent(party, _ -> new CircuitBreaker(clock));
  }

  /** All parties that were called, by name. */
  public List<State> states() {
    List<State> out = new ArrayList<>();
    breakers.forEach((party, breaker) -> out.add(breaker.state(party)));
    out.sort(Comparator.comparing(state -> state.party().toString()));
    return out;
  }
}
