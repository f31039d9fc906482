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
 * The circuit breakers of all remote services. Thread safe; at most a thousand, beyond which closed ones are removed.
 */
public final class CircuitBreakers {
  private static final int MOST = 1000;

  private final Map<RemoteService, CircuitBreaker> breakers = new ConcurrentHashMap<>();
  private final InstantSource clock;

  CircuitBreakers(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * The state of a service.
   *
   * @param failuresInARow since its last response
   * @param openSince since when calls fail immediately; empty if they are made
   */
  public record State(RemoteService service, long failuresInARow, Optional<Instant> openSince) {}

  CircuitBreaker of(RemoteService service) {
    CircuitBreaker known = breakers.get(service);
    if (known != null) {
      return known;
    }
    if (breakers.size() >= MOST) {
      breakers.values().removeIf(b -> !b.isOpen());
    }
    return breakers.size() >= MOST ? new CircuitBreaker(clock)
        : breakers.computeIfAbsent(service, _ -> new CircuitBreaker(clock));
  }

  void clear() {
    breakers.clear();
  }

  /** Returns the states of all services that were called, by name. */
  public List<State> states() {
    List<State> out = new ArrayList<>();
    breakers.forEach((service, breaker) -> out.add(breaker.state(service)));
    out.sort(Comparator.comparing(state -> state.service().toString()));
    return out;
  }
}
