package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.mechanism.Failure;

class IssuerKeysTest {
  private static final KeyLifetimes TEN_MINUTES = new KeyLifetimes(Duration.ofMinutes(10), Duration.ofHours(1));

  private final TestClock clock = new TestClock();
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(log);
  private final AtomicInteger bridged = new AtomicInteger();
  private final IssuerKeys keys = new IssuerKeys("https://i.test/keys", clock,
      new Log(Level.INFO, LogFormat.TEXT, writer, clock, ""), bridged::incrementAndGet);
  private final StubKeySource source = new StubKeySource(clock);

  private static String ids(IssuerKeys.Found found) {
    return found.keys().keys().stream().map(key -> key.keyId().orElse("")).collect(Collectors.joining(" "));
  }

  private String find(KeyLifetimes times) {
    try {
      return ids(keys.find(times, source)) + " " + source.receivedCalls;
    } catch (Failure e) {
      return e.getMessage() + " " + source.receivedCalls;
    }
  }

  /** Looks for a key that is not there. */
  private String findMore(KeyLifetimes times) {
    try {
      Optional<IssuerKeys.Found> more = keys.findMore(keys.find(times, source), times, source);
      return more.map(IssuerKeysTest::ids).orElse("none") + " " + source.receivedCalls;
    } catch (Failure e) {
      return e.getMessage() + " " + source.receivedCalls;
    }
  }

  /** Until the fetch of that number has come to its end and nobody is asking any more. */
  private void awaitFetch(int number) throws InterruptedException {
    while (source.ended.take() < number) {
      // an earlier one
    }
    Await.until(() -> !keys.isFetching());
  }

  private String logged() {
    writer.close();
    return log.toString(StandardCharsets.UTF_8);
  }

  @Test
  void keysAreFetchedOnceInTheirLife() {
    assertEquals("a 1", find(TEN_MINUTES));
    source.ids = "b";
    clock.pass(Duration.ofSeconds(449));
    assertEquals("a 1", find(TEN_MINUTES));
    clock.pass(Duration.ofSeconds(151));
    assertEquals("b 2", find(TEN_MINUTES).replace("b a", "b"));
  }

  @Test
  void aKeyLivesFromItsOwnFetch() {
    KeyLifetimes times = new KeyLifetimes(Duration.ofSeconds(50), Duration.ofHours(1));
    assertEquals("a 1", find(times));
    clock.pass(Duration.ofSeconds(1).multipliedBy(30));
    source.ids = "b";
    assertEquals("b a 2", findMore(times));
    clock.pass(Duration.ofSeconds(1).multipliedBy(19));
    assertEquals("b a 2", find(times));
    clock.pass(Duration.ofSeconds(1));
    assertEquals("b 2", find(times), "50 s after it was fetched");
  }

  private String findFor(String id) throws Failure {
    return ids(keys.findFor(id, keys.find(TEN_MINUTES, source), TEN_MINUTES, source)) + " " + source.receivedCalls;
  }

  @Test
  void fetchesANewKeyOnce() throws Failure {
    source.ids = "a b c d";
    assertEquals("a b c d 1", findFor("a"));
    clock.pass(Duration.ofSeconds(1));
    assertEquals("a b c d 1", findFor("a"));
    assertEquals("a b c d 2", findFor("b"));
    clock.pass(Duration.ofSeconds(1));
    for (int i = 0; i < 100; i++) {
      assertEquals("a b c d 2", findFor("unknown" + i), "ids that nobody publishes lead to nothing");
    }
    source.hold();
    assertEquals("a b c d 3", findFor("c"), "after a second, what is known counts");
    source.release();
    source.down = true;
    clock.pass(Duration.ofSeconds(1).multipliedBy(5));
    assertEquals("a b c d", findFor("d").substring(0, 7), "and where it cannot be fetched");
    assertEquals(findFor("d"), findFor("b"), "nobody asks again");
  }

  @Test
  void anIdNamesTheKeyOfTheLastAnswer() throws Failure {
    find(TEN_MINUTES);
    clock.pass(Duration.ofSeconds(1));
    IssuerKeys.Found first = keys.find(TEN_MINUTES, source);
    source.ids = "a a b";
    assertEquals(2, keys.findMore(first, TEN_MINUTES, source).orElseThrow().keys().withId("a").size(), "not three");
  }

  @Test
  void withoutALifeEveryoneAsksAndNothingIsKept() {
    KeyLifetimes off = new KeyLifetimes(Duration.ZERO, Duration.ofHours(1));
    assertEquals("a 1", find(off));
    assertEquals("a 2", find(off));
    assertEquals("none 3", findMore(off));
    source.down = true;
    assertEquals("it is down 4", find(off));
    assertEquals("it is down 5", find(TEN_MINUTES), "nothing was kept");
  }

  @Test
  void fetchesUnknownKeyOncePerCoolDown() {
    assertEquals("a 1", find(TEN_MINUTES));
    clock.pass(Duration.ofSeconds(1));
    assertEquals("a 2", findMore(TEN_MINUTES), "the first miss at once");
    clock.pass(Duration.ofSeconds(1));
    for (int i = 0; i < 100; i++) {
      assertEquals("none 2", findMore(TEN_MINUTES));
    }
    clock.pass(Duration.ofSeconds(1).multipliedBy(4));
    assertEquals("a 3", findMore(TEN_MINUTES));
    assertEquals("none 3", findMore(TEN_MINUTES));
  }

  @Test
  void doesNotFetchFreshKeysAgain() {
    assertEquals("none 1", findMore(TEN_MINUTES));
    clock.pass(Duration.ofSeconds(1));
    assertEquals("a 2", findMore(TEN_MINUTES), "which did not begin a cool-down");
  }

  @Test
  void unknownKeyFailsOnlyItsRequest() {
    assertEquals("a 1", find(TEN_MINUTES));
    clock.pass(Duration.ofSeconds(1));
    source.down = true;
    assertEquals("it is down 2", findMore(TEN_MINUTES));
    clock.pass(Duration.ofSeconds(1));
    assertEquals("none 2", findMore(TEN_MINUTES));
    assertEquals("a 2", find(TEN_MINUTES));
  }

  @Test
  void refreshesKeysEarlyWithoutBlockingRequests() throws InterruptedException {
    find(TEN_MINUTES);
    clock.pass(Duration.ofSeconds(449));
    assertEquals("a 1", find(TEN_MINUTES));
    clock.pass(Duration.ofSeconds(1));
    source.hold();
    source.ids = "b";
    assertEquals("a", find(TEN_MINUTES).substring(0, 1), "while it is asked");
    source.release();
    awaitFetch(2);
    assertEquals("b a 2", find(TEN_MINUTES));
    clock.pass(Duration.ofSeconds(449));
    assertEquals("b 2", find(TEN_MINUTES), "from the second fetch on");
  }

  @Test
  void keysOfAShortLifeAreNotRefreshed() {
    KeyLifetimes short59 = new KeyLifetimes(Duration.ofSeconds(59), Duration.ZERO);
    find(short59);
    clock.pass(Duration.ofSeconds(58));
    assertEquals("a 1", find(short59));
    assertFalse(keys.isFetching());
  }

  @Test
  void aRefreshThatFailsIsTriedAgainAfterTheCoolDown() throws InterruptedException {
    find(TEN_MINUTES);
    clock.pass(Duration.ofSeconds(460));
    source.down = true;
    find(TEN_MINUTES);
    awaitFetch(2);
    clock.pass(Duration.ofSeconds(1));
    assertEquals("a 2", find(TEN_MINUTES));
    clock.pass(Duration.ofSeconds(1).multipliedBy(4));
    find(TEN_MINUTES);
    awaitFetch(3);
    String text = logged();
    assertTrue(text.contains("WRN keys of the issuer cannot be fetched, the last good ones stay in use"), text);
    assertTrue(
        text.contains(" error=\"communication error: it is down\"") && text.contains(" _url=https://i.test/keys"),
        text);
  }

  @Test
  void lastGoodKeysStayInUseWhileTheIssuerIsDown() throws InterruptedException {
    find(TEN_MINUTES);
    source.down = true;
    clock.pass(Duration.ofMinutes(11));
    assertEquals("a 2", find(TEN_MINUTES));
    assertEquals("a 2", find(TEN_MINUTES), "without asking again within the cool-down");
    clock.pass(Duration.ofMinutes(58));
    assertEquals("a 3", find(TEN_MINUTES));
    clock.pass(Duration.ofMinutes(1));
    assertEquals("it is down 4", find(TEN_MINUTES), "ten minutes and an hour after the fetch");
    assertEquals("it is down 5", find(TEN_MINUTES));
    source.down = false;
    assertEquals("a 6", find(TEN_MINUTES));
    assertTrue(logged().contains("the last good ones stay in use") && bridged.get() > 0);
  }

  @Test
  void withdrawnKeysExpireEvenWhileIssuerIsDown() {
    KeyLifetimes times = new KeyLifetimes(Duration.ofSeconds(50), Duration.ofHours(1));
    find(times);
    clock.pass(Duration.ofSeconds(1));
    source.ids = "b";
    assertEquals("b a 2", findMore(times));
    source.down = true;
    clock.pass(Duration.ofSeconds(52));
    assertEquals("b 3", find(times));
  }

  @Test
  void stalenessCanBeRuledOut() {
    KeyLifetimes strict = new KeyLifetimes(Duration.ofMinutes(10), Duration.ZERO);
    find(strict);
    source.down = true;
    clock.pass(Duration.ofMinutes(10));
    assertEquals("it is down 2", find(strict));
  }

  @Test
  void slowIssuerDelaysNoRequestWithKnownKey() throws InterruptedException {
    find(TEN_MINUTES);
    source.hold();
    clock.pass(Duration.ofMinutes(11));
    long begin = System.nanoTime();
    assertEquals("a 2", find(TEN_MINUTES), "after a second");
    long first = System.nanoTime() - begin;
    for (int i = 0; i < 100; i++) {
      assertEquals("a 2", find(TEN_MINUTES));
    }
    long others = System.nanoTime() - begin - first;
    assertTrue(first >= Duration.ofSeconds(1).toNanos() && others < first, first + " ns, then " + others + " ns");
    source.ids = "b";
    source.release();
    awaitFetch(2);
    assertEquals("b", find(TEN_MINUTES).substring(0, 1), "what comes late is not in vain");
  }

  @Test
  void whoHasAKeyDoesNotWaitForWhoLacksOne() throws Exception {
    find(TEN_MINUTES);
    clock.pass(Duration.ofSeconds(1));
    source.hold();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<String> unknown = threads.submit(() -> findMore(TEN_MINUTES));
      Await.until(() -> source.receivedCalls.get() >= 2);
      for (int i = 0; i < 1000; i++) {
        assertEquals("a 2", find(TEN_MINUTES));
      }
      assertFalse(unknown.isDone());
      source.ids = "a b";
      source.release();
      assertEquals("a b 2", unknown.get());
    }
  }

  @Test
  void allWhoLackKeysAtOneTimeShareOneFetch() throws Exception {
    source.hold();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<String>> all = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        all.add(threads.submit(() -> find(TEN_MINUTES)));
      }
      Await.until(() -> source.receivedCalls.get() >= 1);
      source.release();
      for (Future<String> one : all) {
        assertEquals("a 1", one.get());
      }
    }
  }

  @Test
  void noTroubleOutlivesItsRequestWhereNothingIsKnown() {
    source.down = true;
    assertEquals("it is down 1", find(TEN_MINUTES));
    source.down = false;
    assertEquals("a 2", find(TEN_MINUTES));
  }

  @Test
  void newerKeysThatCameMeanwhileAreUsedForAFirstUse() throws Exception {
    source.ids = "a b";
    assertEquals("a b 1", findFor("a"));
    clock.pass(Duration.ofSeconds(1));
    IssuerKeys.Found before = keys.find(TEN_MINUTES, source);
    source.ids = "b c";
    assertEquals("b c a 2", findMore(TEN_MINUTES));
    assertEquals("b c a 2", ids(keys.findFor("b", before, TEN_MINUTES, source)) + " " + source.receivedCalls);
  }

  @Test
  void interruptedWaitForKeysIsACommunicationError() throws Exception {
    source.hold();
    Thread.currentThread().interrupt();
    Failure failure = assertThrows(Failure.Communication.class, () -> keys.find(TEN_MINUTES, source));
    assertEquals("interrupted while waiting for keys", failure.getMessage());
    assertTrue(Thread.interrupted());
    source.release();
    awaitFetch(1);
    assertEquals("a 1", find(TEN_MINUTES));
  }

  @Test
  void aBugInAFetchFreesThoseWhoWait() {
    IssuerKeys.Source broken = new IssuerKeys.Source() {
      @Override
      public KnownKeys fetch() {
        throw new IllegalStateException("a bug");
      }

      @Override
      public KnownKeys fetchSince(Optional<KnownKeys> seen) {
        Thread.currentThread().setUncaughtExceptionHandler((_, _) -> {});
        return fetch();
      }

      @Override
      public KnownKeys fetchUncached() {
        return fetch();
      }
    };
    assertThrows(Failure.Internal.class, () -> keys.find(TEN_MINUTES, broken));
    assertEquals("a 1", find(TEN_MINUTES));
  }
}
