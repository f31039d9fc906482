package portcullis.policy.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;

class SingleFlightTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final CacheKey KEY = CacheKey.of("test", "a");

  private final MemoryCache cache = new MemoryCache(1 << 20, 0, InstantSource.system());
  private final SingleFlight flights = new SingleFlight(cache, MINUTE);
  private final AtomicInteger fetches = new AtomicInteger();
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);

  private byte[] fetch() {
    return new byte[] {(byte) fetches.incrementAndGet()};
  }

  /** One that lasts until it may go on. */
  private byte[] slow() {
    begun.countDown();
    await(go);
    return fetch();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static SingleFlight.Read<Integer> number(byte[] answer) {
    return new SingleFlight.Read<>((int) answer[0], MINUTE);
  }

  @Test
  void whoJoinsAFetchHasTheResponseOnRecord() throws Exception {
    List<String> joined = new ArrayList<>();
    Cache noting = new Cache() {
      @Override
      public Optional<byte[]> get(CacheKey key) {
        return cache.get(key);
      }

      @Override
      public boolean put(CacheKey key, byte[] value, Duration time) {
        return cache.put(key, value, time);
      }

      @Override
      public synchronized void joined(CacheKey key, Supplier<byte[]> value) {
        joined.add(key.hash() + "=" + value.get()[0]);
      }
    };
    SingleFlight noted = new SingleFlight(noting, MINUTE);
    FutureTask<Integer> first = started(() -> noted.fetchOnce(KEY, CacheCodec.BYTES, this::slow,
        SingleFlightTest::number));
    await(begun);
    FutureTask<Integer> hits = new FutureTask<>(() -> {
      noted.fetchOnce(KEY, CacheCodec.BYTES, this::fetch, SingleFlightTest::number);
      return CacheHits.here().count();
    });
    Thread second = Thread.ofPlatform().start(hits);
    Await.until(() -> second.getState() == Thread.State.TIMED_WAITING || !second.isAlive());
    go.countDown();
    assertEquals(1, first.get());
    assertEquals(1, hits.get(), "a step that waited for it counts as cached");
    assertEquals(List.of(KEY.hash() + "=1"), joined);
  }

  private static <T> FutureTask<T> started(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread.ofVirtual().start(task);
    return task;
  }

  /** So many more who ask while the slow fetch is under way. */
  private List<FutureTask<Integer>> following(int count) throws InterruptedException {
    begun.await();
    List<FutureTask<Integer>> out = new ArrayList<>();
    CountDownLatch asking = new CountDownLatch(count);
    for (int i = 0; i < count; i++) {
      out.add(started(() -> {
        asking.countDown();
        return flights.fetchOnce(KEY, CacheCodec.BYTES, this::fetch, SingleFlightTest::number);
      }));
    }
    asking.await();
    return out;
  }

  @Test
  void concurrentCallersShareOneFetch() throws Exception {
    FutureTask<Integer> first = started(
        () -> flights.fetchOnce(KEY, CacheCodec.BYTES, this::slow, SingleFlightTest::number));
    List<FutureTask<Integer>> others = following(50);
    go.countDown();
    assertEquals(1, first.get());
    for (FutureTask<Integer> other : others) {
      assertEquals(1, other.get());
    }
    assertEquals(1, fetches.get());
  }

  @Test
  void manyStartersNeverFetchTwice() throws Exception {
    for (int round = 0; round < 200; round++) {
      CacheKey key = CacheKey.of("round", Integer.toString(round));
      List<FutureTask<Integer>> all = new ArrayList<>();
      for (int i = 0; i < 16; i++) {
        all.add(started(() -> flights.fetchOnce(key, CacheCodec.BYTES, this::fetch, SingleFlightTest::number)));
      }
      for (FutureTask<Integer> one : all) {
        assertEquals(all.getFirst().get(), one.get());
      }
    }
    assertEquals(200, fetches.get());
  }

  @Test
  void differentKeysDoNotWaitForEachOther() throws Exception {
    FutureTask<Integer> first = started(
        () -> flights.fetchOnce(KEY, CacheCodec.BYTES, this::slow, SingleFlightTest::number));
    begun.await();
    assertEquals(1,
        flights.fetchOnce(CacheKey.of("test", "b"), CacheCodec.BYTES, this::fetch, SingleFlightTest::number));
    go.countDown();
    assertEquals(2, first.get());
  }

  @Test
  void cachedResponseIsReadEachTimeAndNotProlonged() throws Exception {
    assertEquals(1, flights.fetchOnce(KEY, CacheCodec.BYTES, this::fetch, SingleFlightTest::number));
    assertThrows(IOException.class, () -> flights.fetchOnce(KEY, CacheCodec.BYTES, this::fetch, _ -> {
      throw new IOException("denied by this one");
    }));
    assertEquals(1, flights.fetchOnce(KEY, CacheCodec.BYTES, this::fetch, SingleFlightTest::number));
  }

  @Test
  void onlyCachedResponsesCountAsHits() throws Exception {
    int before = CacheHits.here().count();
    flights.fetchOnce(KEY, CacheCodec.BYTES, this::fetch, SingleFlightTest::number);
    assertEquals(before, CacheHits.here().count());
    flights.fetchOnce(KEY, CacheCodec.BYTES, this::fetch, SingleFlightTest::number);
    assertEquals(before + 1, CacheHits.here().count());
  }

  @Test
  void refusedResponseIsNotCached() throws Exception {
    assertThrows(IOException.class, () -> flights.fetchOnce(KEY, CacheCodec.BYTES, this::fetch, _ -> {
      throw new IOException("denied");
    }));
    assertEquals(2, flights.fetchOnce(KEY, CacheCodec.BYTES, this::fetch, SingleFlightTest::number));
  }

  @Test
  void waitingCallersReadTheResponseThemselves() throws Exception {
    FutureTask<Integer> first = started(() -> flights.fetchOnce(KEY, CacheCodec.BYTES, this::slow, _ -> {
      throw new IOException("denied");
    }));
    List<FutureTask<Integer>> others = following(3);
    go.countDown();
    assertThrows(ExecutionException.class, first::get);
    for (FutureTask<Integer> other : others) {
      assertTrue(other.get() >= 1);
    }
  }

  @Test
  void failedFetchFailsForAllWaitingCallers() throws Exception {
    IOException failure = new IOException("down");
    FutureTask<Integer> first = started(() -> flights.fetchOnce(KEY, CacheCodec.BYTES, () -> {
      begun.countDown();
      await(go);
      throw failure;
    }, SingleFlightTest::number));
    begun.await();
    FutureTask<Integer> other = new FutureTask<>(
        () -> flights.fetchOnce(KEY, CacheCodec.BYTES, this::fetch, SingleFlightTest::number));
    Thread waiting = Thread.ofVirtual().start(other);
    Await.until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
    go.countDown();
    assertSame(failure, assertThrows(ExecutionException.class, first::get).getCause());
    assertSame(failure, assertThrows(ExecutionException.class, other::get).getCause());
    assertEquals(1, flights.fetchOnce(KEY, CacheCodec.BYTES, this::fetch, SingleFlightTest::number));
  }

  @Test
  void interruptedCallerFailsAloneAndNextOneFetches() throws Exception {
    FutureTask<Integer> first = new FutureTask<>(() -> flights.fetchOnce(KEY, CacheCodec.BYTES, () -> {
      begun.countDown();
      await(go);
      throw new IOException("interrupted");
    }, SingleFlightTest::number));
    Thread thread = Thread.ofVirtual().start(first);
    List<FutureTask<Integer>> others = following(5);
    thread.interrupt();
    assertThrows(ExecutionException.class, first::get);
    for (FutureTask<Integer> other : others) {
      assertEquals(1, other.get());
    }
    assertEquals(1, fetches.get());
  }

  @Test
  void whoFetchesAfterAnInterruptedCallerClaimsForItsOwnTime() throws Exception {
    List<Duration> claims = new CopyOnWriteArrayList<>();
    SingleFlight shared = new SingleFlight(new Cache() {
      @Override
      public Optional<byte[]> get(CacheKey key) {
        return Optional.empty();
      }

      @Override
      public boolean put(CacheKey key, byte[] value, Duration time) {
        return false;
      }

      @Override
      public Claim claim(CacheKey key, Duration time) {
        claims.add(time);
        return Claim.OWN;
      }
    }, MINUTE);
    FutureTask<Integer> first = new FutureTask<>(() -> shared.fetchOnce(KEY, CacheCodec.BYTES, () -> {
      begun.countDown();
      await(go);
      throw new IOException("interrupted");
    }, SingleFlightTest::number));
    Thread leading = Thread.ofVirtual().start(first);
    begun.await();
    FutureTask<Integer> second = new FutureTask<>(() -> shared.fetchOnce(KEY, CacheCodec.BYTES,
        Duration.ofSeconds(7), this::fetch, SingleFlightTest::number));
    Thread following = Thread.ofPlatform().start(second);
    Await.until(() -> following.getState() == Thread.State.TIMED_WAITING);
    leading.interrupt();
    assertEquals(1, second.get());
    assertEquals(List.of(SingleFlight.LEASE, Duration.ofSeconds(7)), claims);
  }

  @Test
  void bugInOneFetchDoesNotFailTheOthers() throws Exception {
    FutureTask<Integer> first = started(() -> flights.fetchOnce(KEY, CacheCodec.BYTES, () -> {
      begun.countDown();
      await(go);
      throw new IllegalStateException("bug");
    }, SingleFlightTest::number));
    List<FutureTask<Integer>> others = following(5);
    go.countDown();
    assertThrows(ExecutionException.class, first::get);
    for (FutureTask<Integer> other : others) {
      assertEquals(1, other.get());
    }
  }

  @Test
  void callerFetchesItselfAfterItsPatience() throws Exception {
    SingleFlight hasty = new SingleFlight(cache, Duration.ofMillis(1));
    FutureTask<Integer> first = started(
        () -> hasty.fetchOnce(KEY, CacheCodec.BYTES, this::slow, SingleFlightTest::number));
    begun.await();
    assertEquals(1, hasty.fetchOnce(KEY, CacheCodec.BYTES, this::fetch, SingleFlightTest::number));
    go.countDown();
    assertEquals(2, first.get());
  }

  @Test
  void cachedResponseInUnknownFormatIsFetchedAgain() {
    CacheCodec<String> words = new CacheCodec<>() {
      @Override
      public byte[] write(String answer) {
        return ("v2" + answer).getBytes(StandardCharsets.UTF_8);
      }

      @Override
      public Optional<String> read(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        return text.startsWith("v2") ? Optional.of(text.substring(2)) : Optional.empty();
      }
    };
    cache.put(KEY, "v1old".getBytes(StandardCharsets.UTF_8), MINUTE);
    assertEquals("new", flights.fetchOnce(KEY, words, () -> "new", text -> new SingleFlight.Read<>(text, MINUTE)));
    assertEquals("new", flights.fetchOnce(KEY, words, () -> "newer", text -> new SingleFlight.Read<>(text, MINUTE)));
  }

  @Test
  void withoutACacheEveryOneAfterTheOtherFetches() throws Exception {
    SingleFlight bare = new SingleFlight(Cache.none(), MINUTE);
    assertEquals(1, bare.fetchOnce(KEY, CacheCodec.BYTES, this::fetch, SingleFlightTest::number));
    assertEquals(2, bare.fetchOnce(KEY, CacheCodec.BYTES, this::fetch, SingleFlightTest::number));
  }
}
