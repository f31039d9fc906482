package portcullis.policy.authenticator;

import java.security.PublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Jwk;
import portcullis.crypto.keys.JwkSet;
import portcullis.fixture.TestKeys;
import portcullis.policy.mechanism.Failure;

/** An issuer that publishes keys of these ids, or is down. */
final class StubKeySource implements IssuerKeys.Source {
  private static final PublicKey KEY = TestKeys.ec(256).getPublic();

  private final TestClock clock;
  final AtomicInteger receivedCalls = new AtomicInteger();
  final BlockingQueue<Integer> ended = new LinkedBlockingQueue<>();
  volatile String ids = "a";
  volatile boolean down;
  volatile Semaphore gate = new Semaphore(Integer.MAX_VALUE);

  StubKeySource(TestClock clock) {
    this.clock = clock;
  }

  @Override
  public KnownKeys fetch() throws Failure {
    Instant begun = clock.instant();
    int number = receivedCalls.incrementAndGet();
    gate.acquireUninterruptibly();
    ended.add(number);
    if (down) {
      throw new Failure.Communication("it is down", false);
    }
    return KnownKeys.of(set(ids), begun, begun);
  }

  @Override
  public KnownKeys fetchSince(Optional<KnownKeys> seen) throws Failure {
    return fetch();
  }

  @Override
  public KnownKeys fetchUncached() throws Failure {
    return fetch();
  }

  /** From now on says nothing until it may. */
  void hold() {
    gate = new Semaphore(0);
  }

  void release() {
    gate.release(1000);
  }

  static JwkSet set(String ids) {
    List<Jwk> keys = new ArrayList<>();
    for (String id : ids.split(" ")) {
      keys.add(new Jwk(Optional.of(id), Optional.of(Algorithm.ES256), KEY, List.of()));
    }
    return new JwkSet(keys, List.of());
  }
}
