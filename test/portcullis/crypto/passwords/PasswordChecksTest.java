package portcullis.crypto.passwords;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.lang.address.Network;

class PasswordChecksTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  /** Of the password {@code U*U}. */
  private static final String QUICK = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";
  /** Takes some half a second of a processor, of an unknown password. */
  private static final String SLOW = "$2y$12$......................SZFhVdUK5wGKY4lx/QrgUMHG0XsWjbi";

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.EPOCH);
  private PasswordChecks checks = new PasswordChecks(now::get, 1, PasswordChecks.PATIENCE);

  private static Optional<Network> client(int number) throws Exception {
    return Optional.of(Network.ofPeer(InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) number})));
  }

  private boolean check(String hash, String password, int client) throws Exception {
    return checks.matches(PasswordHash.parse(hash), true, password.getBytes(StandardCharsets.UTF_8), client(client),
        MINUTE);
  }

  @Test
  void remembersRightPasswordsForAWhile() throws Exception {
    assertTrue(check(QUICK, "U*U", 1));
    assertTrue(check(QUICK, "U*U", 1));
    assertEquals(1, checks.verified());
    now.set(now.get().plus(MINUTE));
    assertTrue(check(QUICK, "U*U", 1));
    assertEquals(2, checks.verified());
  }

  @Test
  void wrongPasswordsAreNotRemembered() throws Exception {
    assertFalse(check(QUICK, "U*V", 1));
    assertFalse(check(QUICK, "U*V", 1));
    assertEquals(2, checks.verified());
  }

  @Test
  void noPasswordMatchesADecoy() throws Exception {
    for (int i = 0; i < 2; i++) {
      assertFalse(checks.matches(PasswordHash.parse(QUICK), false, "U*U".getBytes(StandardCharsets.UTF_8),
          client(1), MINUTE));
    }
    assertEquals(2, checks.verified());
  }

  @Test
  void withoutMemoryEachIsVerified() throws Exception {
    for (int i = 0; i < 2; i++) {
      assertTrue(checks.matches(PasswordHash.parse(QUICK), true, "U*U".getBytes(StandardCharsets.UTF_8), client(1),
          Duration.ZERO));
    }
    assertEquals(2, checks.verified());
  }

  private static int busy(List<Future<Boolean>> all) throws Exception {
    int out = 0;
    for (Future<Boolean> one : all) {
      try {
        assertFalse(one.get());
      } catch (ExecutionException e) {
        assertTrue(e.getCause() instanceof PasswordChecks.BusyException, () -> String.valueOf(e.getCause()));
        out++;
      }
    }
    return out;
  }

  /** A hundred strangers send wrong passwords at once: those who are in the way are told so, nobody waits for long. */
  @Test
  void strangersWithWrongPasswordsAreBounded() throws Exception {
    assertTrue(check(QUICK, "U*U", 200));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Callable<Boolean>> strangers = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        int number = i;
        strangers.add(() -> check(SLOW, "guess" + number, number));
      }
      List<Future<Boolean>> running = strangers.stream().map(threads::submit).toList();
      Await.until(() -> checks.verified() >= 2);
      assertTrue(check(QUICK, "U*U", 200)); // remembered: it does not wait
      int refused = busy(running);
      assertTrue(refused > 50, () -> refused + " refused");
      assertEquals(refused, checks.refused());
    }
    assertTrue(check(QUICK, "U*U", 201));
  }

  @Test
  void aNetworkHasAShare() throws Exception {
    checks = new PasswordChecks(now::get, 1, MINUTE); // what waits is not refused on a busy machine
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Boolean>> running = new ArrayList<>();
      for (int i = 0; i < PasswordChecks.MOST_OF_CLIENT; i++) {
        running.add(threads.submit(() -> check(SLOW, "guess", 1)));
      }
      Await.until(() -> checks.verified() > 0 && checks.present() >= PasswordChecks.MOST_OF_CLIENT);
      assertThrows(PasswordChecks.BusyException.class, () -> check(QUICK, "U*U", 1));
      assertTrue(check(QUICK, "U*U", 2));
      assertEquals(0, busy(running));
    }
    assertTrue(check(QUICK, "U*U", 1));
  }
}
