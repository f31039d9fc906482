package portcullis.policy.endpoint;

import java.time.InstantSource;
import java.util.concurrent.atomic.LongAdder;

/**
 * The state of remote services: their circuit breakers, and how often older responses stayed in use. It outlives
 * configurations: a reload resets nothing. Thread safe.
 */
public final class RemoteServices {
  private final CircuitBreakers breakers;
  private final LongAdder bridged = new LongAdder();

  /** @param clock one that only advances, for the times of failures */
  public RemoteServices(InstantSource clock) {
    this.breakers = new CircuitBreakers(clock);
  }

  /** Closes all circuit breakers, for tests of rules. */
  public void reset() {
    breakers.clear();
  }

  CircuitBreakers breakers() {
    return breakers;
  }

  LongAdder bridged() {
    return bridged;
  }
}
