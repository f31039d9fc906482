package portcullis.policy.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Credential;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Subject;

class LockTableTest {
  private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
  private static final Subject ALICE = new Subject("alice", Value.Dict.EMPTY).by(
      new Credential("https://a.example", "u1", "Al@A.example", "s1", "t1", Optional.of(NOW), Optional.empty(),
          Duration.ZERO));

  private final AtomicReference<Instant> clock = new AtomicReference<>(NOW);
  private final LockTable locks = new LockTable(clock::get);

  private static Lock lock(Lock.Target target, String value, String issuer) {
    return new Lock(target, value, issuer, Optional.empty(), "stolen", "command", NOW, Optional.empty());
  }

  @ParameterizedTest
  @CsvSource({"SUBJECT, alice, '', true", "SUBJECT, u1, '', false", "SUBJECT, u1, https://a.example, true",
    "SUBJECT, u1, https://b.example, false", "SUBJECT, alice, https://a.example, false", "SESSION, s1, '', true",
    "SESSION, s1, https://b.example, false", "SESSION, s2, '', false", "TOKEN, t1, '', true",
    "TOKEN, t1, https://a.example, true", "TOKEN, t1, https://b.example, false", "TOKEN, s1, '', false",
    "EMAIL, al@a.example, '', true", "EMAIL, AL@a.example, https://a.example, true",
    "EMAIL, al@a.example, https://b.example, false", "EMAIL, alice, '', false"})
  void refusesWhatALockNames(Lock.Target target, String value, String issuer, boolean refused) throws Failure {
    locks.add(lock(target, value, issuer));
    if (refused) {
      Failure failure = assertThrows(Failure.Authentication.class, () -> locks.checkSubject(ALICE));
      assertEquals("access is locked", failure.getMessage(), "clients do not learn the reason");
      assertEquals(true, failure.report().endsWith(": stolen"), failure.report());
    } else {
      locks.checkSubject(ALICE);
    }
    assertEquals(refused, locks.all().getFirst().locks(ALICE));
  }

  @ParameterizedTest
  @CsvSource({"2001:DB8::/32, 2001:db8::/32", "2001:db8:0:0::/32, 2001:db8::/32", "::ffff:127.0.0.9, 127.0.0.9",
    "127.0.0.9/32, 127.0.0.9", "::ffff:10.0.0.0/104, 10.0.0.0/8", "2001:DB8::1/128, 2001:db8::1"})
  void spellingsOfANetworkAreOneLock(String one, String other) {
    Lock first = lock(Lock.Target.CLIENT, one, "");
    assertEquals(Optional.empty(), locks.add(first));
    assertEquals(Optional.empty(), locks.add(lock(Lock.Target.CLIENT, other, "")));
    assertEquals(List.of(other), locks.all().stream().map(Lock::value).toList());
    locks.remove(first.id());
    assertEquals(List.of(), locks.all());
  }

  @Test
  void aSubjectWithoutCredentialIsNotLockedByEmptyValues() throws Failure {
    locks.add(lock(Lock.Target.SESSION, "", ""));
    locks.checkSubject(new Subject("bob", Value.Dict.EMPTY));
  }

  @Test
  void anyPrincipalCounts() {
    locks.add(lock(Lock.Target.SUBJECT, "alice", ""));
    Subject both = Subject.of(new TreeMap<>(Map.of("default", new Subject("bob", Value.Dict.EMPTY), "user", ALICE)));
    assertThrows(Failure.Authentication.class, () -> locks.checkSubject(both));
    assertEquals(Collections.emptySortedMap(), ALICE.principals());
  }

  @Test
  void aLockEnds() throws Failure {
    locks.add(new Lock(Lock.Target.SUBJECT, "alice", "", Optional.empty(), "", "command", NOW,
        Optional.of(NOW.plusSeconds(60))));
    assertThrows(Failure.Authentication.class, () -> locks.checkSubject(ALICE));
    clock.set(NOW.plusSeconds(60));
    locks.checkSubject(ALICE);
    assertEquals(List.of(1, 0), List.of(locks.size(), locks.inForce()));
    assertEquals(0, locks.all().size());
  }

  @Test
  void aLaterLoginIsNotLocked() throws Failure {
    Lock old = new Lock(Lock.Target.SUBJECT, "u1", "https://a.example", Optional.of(NOW.minusSeconds(1)), "logout",
        "https://a.example", NOW, Optional.empty());
    locks.add(old);
    locks.checkSubject(ALICE);
    locks.add(new Lock(Lock.Target.SUBJECT, "u1", "https://a.example", Optional.of(NOW), "logout",
        "https://a.example", NOW, Optional.empty()));
    assertThrows(Failure.Authentication.class, () -> locks.checkSubject(ALICE));
    assertEquals(1, locks.size(), "a lock of the same target replaces the old one");
  }

  @ParameterizedTest
  @CsvSource({"192.0.2.0/24, true", "192.0.2.7, true", "198.51.100.0/24, false", "2001:db8::/32, false"})
  void locksNetworks(String network, boolean locked) throws Exception {
    assertEquals(Optional.empty(), locks.add(lock(Lock.Target.CLIENT, network, "")));
    assertEquals(locked, locks.ofClient(List.of(InetAddress.getByName("192.0.2.7"))).isPresent());
    locks.remove(locks.all().getFirst().id());
    assertEquals(Optional.empty(), locks.ofClient(List.of(InetAddress.getByName("192.0.2.7"))));
  }

  @Test
  void eachAddressThatMayBeTheClientsIsLocked() throws Exception {
    locks.add(lock(Lock.Target.CLIENT, "192.0.2.0/24", ""));
    InetAddress locked = InetAddress.getByName("192.0.2.7");
    InetAddress other = InetAddress.getByName("198.51.100.1");
    assertEquals(List.of(true, true, false, false), Stream.of(List.of(locked, other), List.of(other, locked),
        List.of(other), List.<InetAddress>of()).map(all -> locks.ofClient(all).isPresent()).toList());
  }

  @Test
  void whatIsNotANetworkIsNotLocked() {
    assertEquals(Optional.of("`somewhere` is neither an IP address nor a network"),
        locks.add(lock(Lock.Target.CLIENT, "somewhere", "")));
    assertEquals(
        Optional.of("`10.0.0.1/8` has host bits set, write 10.0.0.0/8 for the network or 10.0.0.1 for the host"),
        locks.add(lock(Lock.Target.CLIENT, "10.0.0.1/8", "")));
    for (String all : List.of("0.0.0.0/0", "::/0")) {
      assertEquals(Optional.of("`" + all + "` is everybody: lock smaller networks, or stop the service"),
          locks.add(lock(Lock.Target.CLIENT, all, "")));
    }
    assertEquals(0, locks.size());
  }

  @Test
  void removesByIdOnce() throws Failure {
    Lock lock = lock(Lock.Target.SUBJECT, "alice", "");
    locks.add(lock);
    assertEquals(Optional.of(lock), locks.remove(lock.id()));
    assertEquals(Optional.empty(), locks.remove(lock.id()));
    locks.checkSubject(ALICE);
  }

  @Test
  void networksAreBounded() {
    for (int i = 0; i < LockTable.MOST_CLIENTS; i++) {
      assertEquals(Optional.empty(), locks.add(lock(Lock.Target.CLIENT, "10.0." + i / 256 + "." + i % 256, "")));
    }
    assertEquals(true, locks.add(lock(Lock.Target.CLIENT, "192.0.2.1", "")).isPresent());
    assertEquals(Optional.empty(), locks.add(lock(Lock.Target.SUBJECT, "alice", "")));
    assertEquals(Optional.empty(), locks.add(lock(Lock.Target.CLIENT, "10.0.0.1", "")), "a known one is replaced");
  }

  @Test
  void allAreBounded() {
    for (int i = 0; i < 100_000; i++) {
      assertEquals(Optional.empty(), locks.add(lock(Lock.Target.SUBJECT, "user" + i, "")));
    }
    assertEquals(Optional.of("there are too many locks, at most 100000, and 1000 of clients"),
        locks.add(lock(Lock.Target.SUBJECT, "alice", "")));
    assertEquals(Optional.empty(), locks.add(lock(Lock.Target.SUBJECT, "user7", "")), "a known one is replaced");
  }
}
