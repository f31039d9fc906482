package portcullis.policy.endpoint;

import java.time.InstantSource;
import java.util.concurrent.atomic.LongAdder;

/**
 * What is known of the remote services that are called: their breakers, and how often older answers had to stay in use.
 * It outlives configurations: a reload closes no breaker and resets no counter. Thread safe.
 */
public final class RemoteServices {
  private final CircuitBreakers breakers;
  private final LongAdder bridged = new LongAdder();

  /** @param clock one that only advances, as times of failures are compared by it */
  public RemoteServices(InstantSource clock) {
    this.breakers = new CircuitBreakers(clock);
  }

  CircuitBreakers breakers() {
    return breakers;
  }

  LongAdder bridged() {
    return bridged;
  }
}
