package portcullis.policy.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.policy.cache.MonotonicClock;

class CircuitBreakerTest {
  private static final Instant BEGIN = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final AtomicReference<Instant> now = new AtomicReference<>(BEGIN);
  private final CircuitBreakers breakers = new CircuitBreakers(now::get);
  private final CircuitBreaker breaker = breakers.of(new RemoteService("http", "h", 80));

  private void fail(int times, Duration apart) {
    for (int i = 0; i < times; i++) {
      now.updateAndGet(n -> n.plus(apart));
      breaker.failed();
    }
  }

  @Test
  void opensAfterTwentyFailuresInARow() {
    fail(19, Duration.ZERO);
    assertTrue(breaker.admits());
    fail(1, Duration.ZERO);
    assertFalse(breaker.admits());
    assertEquals(Optional.of(BEGIN), breakers.states().getFirst().openSince());
    assertEquals(20, breakers.states().getFirst().failuresInARow());
  }

  @Test
  void failuresCountOnlyWithinTenSeconds() {
    fail(1, Duration.ZERO);
    fail(19, Duration.ofMillis(530));
    assertTrue(breaker.admits());
    fail(100, Duration.ofMillis(530));
    assertTrue(breaker.admits());
    fail(2, Duration.ofMillis(500));
    assertTrue(breaker.admits());
    fail(1, Duration.ofMillis(500));
    assertFalse(breaker.admits());
  }

  @Test
  void anAnswerBreaksTheRow() {
    fail(19, Duration.ZERO);
    breaker.answered();
    fail(19, Duration.ZERO);
    assertTrue(breaker.admits());
    assertEquals(19, breakers.states().getFirst().failuresInARow());
  }

  @Test
  void letsOneProbeASecondThrough() {
    fail(20, Duration.ZERO);
    for (int i = 0; i < 3; i++) {
      assertFalse(breaker.admits());
      now.updateAndGet(n -> n.plus(SECOND));
      assertTrue(breaker.admits());
      breaker.failed();
    }
    assertFalse(breaker.admits());
    assertEquals(23, breakers.states().getFirst().failuresInARow());
    assertEquals(Optional.of(BEGIN), breakers.states().getFirst().openSince());
  }

  @Test
  void anAnsweredProbeOpensTheWayForAll() {
    fail(20, Duration.ZERO);
    now.updateAndGet(n -> n.plus(SECOND));
    assertTrue(breaker.admits());
    breaker.answered();
    assertTrue(breaker.admits());
    assertTrue(breaker.admits());
    assertEquals(Optional.empty(), breakers.states().getFirst().openSince());
  }

  @Test
  void clockSetBackDoesNotKeepBreakerOpen() {
    fail(20, Duration.ZERO);
    now.updateAndGet(n -> n.minus(Duration.ofHours(2)));
    assertTrue(breaker.admits());
    assertFalse(breaker.admits());
  }

  @ParameterizedTest
  @CsvSource({"http://H.local/x, http://h.local:80", "https://h, https://h:443", "http://h:8080?x, http://h:8080",
    "HTTP://[::1]/, http://[::1]:80",
    "http://[::1]:81/, http://[::1]:81", "http://a_b:9/, http://a_b:9"})
  void serviceIsSchemeHostAndPort(String url, String stub) {
    assertEquals(stub, RemoteService.of(URI.create(url)).toString());
  }

  @Test
  void partiesAreKnownInBoundedNumberAndTheIllOnesLongest() {
    fail(20, Duration.ZERO);
    for (int i = 0; i < 5_000; i++) {
      breakers.of(new RemoteService("http", "h" + i, 80)).answered();
    }
    assertTrue(breakers.states().size() <= 1000);
    assertFalse(breakers.of(new RemoteService("http", "h", 80)).admits());
  }

  @Test
  void changesOfTheWallClockDoNotMatter() {
    AtomicLong nanos = new AtomicLong();
    MonotonicClock clock = new MonotonicClock(now::get, nanos::get);
    CircuitBreaker steady = new CircuitBreaker(clock);
    for (int i = 0; i < 20; i++) {
      now.updateAndGet(n -> n.minus(Duration.ofHours(1)));
      steady.failed();
    }
    assertFalse(steady.admits(), "failures are counted");
    now.updateAndGet(n -> n.plus(Duration.ofDays(2)));
    assertFalse(steady.admits(), "a second has not passed");
    nanos.addAndGet(SECOND.toNanos());
    assertTrue(steady.admits());
    assertFalse(steady.admits());
  }
}
