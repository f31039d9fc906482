package portcullis.serve.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.policy.lock.Lock;

class LockChangeTest {
  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");
  private static final Duration LONG = Duration.ofDays(30);

  private static LockChange removed(Optional<Instant> end) {
    return LockChange.removed(new Lock(Lock.Target.SUBJECT, "ann", "", Optional.empty(), "test", "command",
        Instant.EPOCH, end), NOW.toEpochMilli());
  }

  @Test
  void removalsAreRememberedFor30DaysAtMost() {
    for (Optional<Instant> end : List.of(Optional.<Instant>empty(), Optional.of(NOW.plus(LONG).plusSeconds(1)))) {
      assertFalse(removed(end).isOver(NOW.plus(LONG).minusMillis(1)));
      assertTrue(removed(end).isOver(NOW.plus(LONG)));
    }
    Instant sooner = NOW.plus(Duration.ofDays(29));
    assertFalse(removed(Optional.of(sooner)).isOver(sooner.minusMillis(1)));
    assertTrue(removed(Optional.of(sooner)).isOver(sooner));
  }

  @Test
  void aLockThatHasNoEndIsNeverForgotten() {
    Lock lock = new Lock(Lock.Target.SUBJECT, "ann", "", Optional.empty(), "test", "command", Instant.EPOCH,
        Optional.empty());
    LockChange made = LockChange.made(lock, NOW.toEpochMilli());
    assertFalse(made.isOver(Instant.MAX));
    assertEquals(Optional.of(lock), made.lock());
  }
}
