package portcullis.policy.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Two instances that need the same response, and have the same cache. */
class FlightsOfInstancesTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final CacheKey KEY = CacheKey.of("test", "a");

  private final SharedCache shared = new SharedCache(new MemoryCache(1 << 20, 0, InstantSource.system()));
  private final CountDownLatch looked = new CountDownLatch(3);
  /** The cache as the second instance sees it. */
  private final Cache seen = new Cache() {
    @Override
    public Optional<byte[]> get(CacheKey key) {
      looked.countDown();
      return shared.get(key);
    }

    @Override
    public boolean put(CacheKey key, byte[] value, Duration time) {
      return shared.put(key, value, time);
    }

    @Override
    public Claim claim(CacheKey key, Duration time) {
      return shared.claim(key, time);
    }

    @Override
    public void release(CacheKey key) {
      shared.release(key);
    }
  };
  private final SingleFlight one = new SingleFlight(shared, MINUTE);
  private final SingleFlight two = new SingleFlight(seen, MINUTE);
  private final AtomicInteger fetches = new AtomicInteger();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);

  private byte[] slow() throws IOException {
    begun.countDown();
    try {
      go.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted");
    }
    return fetch();
  }

  private byte[] fetch() {
    return new byte[] {(byte) fetches.incrementAndGet()};
  }

  private byte[] fail() throws IOException {
    slow();
    throw new IOException("down");
  }

  private FutureTask<Integer> started(SingleFlight instance, SingleFlight.Fetch<byte[], IOException> fetch,
      Duration life) {
    FutureTask<Integer> task = new FutureTask<>(() -> instance.fetchOnce(KEY, CacheCodec.BYTES, MINUTE, fetch,
        bytes -> new SingleFlight.Read<>((int) bytes[0], life)));
    Thread.ofVirtual().start(task);
    return task;
  }

  /** Returns what the second instance gets that waits while the first one fetches. */
  private FutureTask<Integer> waiting(Duration life) throws InterruptedException {
    begun.await();
    FutureTask<Integer> out = started(two, this::fetch, life);
    looked.await();
    return out;
  }

  @Test
  void oneInstanceFetchesForBoth() throws Exception {
    FutureTask<Integer> first = started(one, this::slow, MINUTE);
    FutureTask<Integer> second = waiting(MINUTE);
    go.countDown();
    assertEquals(1, first.get());
    assertEquals(1, second.get());
    assertEquals(1, fetches.get());
    assertEquals(1, shared.held(), "it ends by itself, before the response does");
  }

  @Test
  void failureOfOneInstanceIsNotThatOfTheOther() throws Exception {
    FutureTask<Integer> first = started(one, this::fail, MINUTE);
    FutureTask<Integer> second = waiting(MINUTE);
    go.countDown();
    assertThrows(ExecutionException.class, first::get);
    assertEquals(2, second.get());
    assertEquals(0, shared.held());
  }

  @Test
  void nobodyWaitsForWhatIsNotCached() throws Exception {
    FutureTask<Integer> first = started(one, this::slow, Duration.ZERO);
    FutureTask<Integer> second = waiting(Duration.ZERO);
    go.countDown();
    assertEquals(1, first.get());
    assertEquals(2, second.get());
    assertEquals(3, started(one, this::fetch, Duration.ZERO).get());
    assertEquals(0, shared.held());
  }

  @Test
  void nobodyWaitsForWhatHasEndedAlready() throws Exception {
    assertEquals(1, started(one, this::fetch, MINUTE.minusMillis(1)).get());
    assertEquals(0, shared.held());
  }

  @Test
  void interruptedInstanceLetsTheOtherFetch() throws Exception {
    FutureTask<Boolean> first = new FutureTask<>(() -> {
      assertThrows(IOException.class, () -> one.fetchOnce(KEY, CacheCodec.BYTES, MINUTE, this::slow,
          bytes -> new SingleFlight.Read<>((int) bytes[0], MINUTE)));
      return Thread.currentThread().isInterrupted();
    });
    Thread thread = Thread.ofVirtual().start(first);
    FutureTask<Integer> second = waiting(MINUTE);
    thread.interrupt();
    assertTrue(first.get());
    assertEquals(1, second.get());
  }

  @Test
  void lostInstanceIsWaitedForNoLongerThanItsLease() throws Exception {
    FutureTask<Integer> first = started(one, this::slow, MINUTE);
    begun.await();
    int second = two.fetchOnce(KEY, CacheCodec.BYTES, Duration.ofMillis(1), this::fetch,
        bytes -> new SingleFlight.Read<>((int) bytes[0], Duration.ZERO));
    assertEquals(1, second);
    assertEquals(1, shared.held(), "it is still that of the first one");
    go.countDown();
    assertEquals(2, first.get());
  }

  @Test
  void waitingEndsWithTheTimeOfTheCallItself() throws Exception {
    SingleFlight hasty = new SingleFlight(seen, Duration.ofMillis(1));
    FutureTask<Integer> first = started(one, this::slow, MINUTE);
    begun.await();
    assertEquals(1, started(hasty, this::fetch, MINUTE).get());
    go.countDown();
    assertTrue(first.get() > 0);
  }

  @Test
  void interruptedWaiterStaysInterrupted() throws Exception {
    FutureTask<Integer> first = started(one, this::slow, MINUTE);
    begun.await();
    FutureTask<Boolean> second = new FutureTask<>(() -> two.fetchOnce(KEY, CacheCodec.BYTES, MINUTE, this::fetch,
        _ -> new SingleFlight.Read<>(Thread.currentThread().isInterrupted(), Duration.ZERO)));
    Thread thread = Thread.ofVirtual().start(second);
    looked.await();
    thread.interrupt();
    assertTrue(second.get());
    go.countDown();
    assertEquals(2, first.get());
  }
}
