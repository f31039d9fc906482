package portcullis.policy.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.policy.lock.Lock;

class LogoutTokenTest {
  private static final String ISSUER = Transmitter.ISSUER;
  private final EventBench bench = new EventBench();

  @AfterEach
  void close() {
    bench.close();
  }

  private String receive(Map<String, Value> changed) {
    return bench.receive(EventKind.LOGOUT, bench.transmitter.logout(changed));
  }

  @Test
  void locksTheSessionThatItNames() {
    assertEquals("LOCKED", receive(Map.of("sub", Value.of("u1"))));
    assertEquals(List.of("session `s1` of `" + ISSUER + "`"), bench.locked());
    assertTrue(bench.isLocked(bench.user(ISSUER, "u1", "s1", 5)));
    assertEquals(false, bench.isLocked(bench.user(ISSUER, "u1", "s2", 5)), "another session of the same user");
    assertEquals(false, bench.isLocked(bench.user("https://other.example", "u1", "s1", 5)), "of another issuer");
    Lock lock = bench.locks.all().getFirst();
    assertEquals(bench.now.plusSeconds(86400), lock.until().orElseThrow());
    assertEquals(ISSUER, lock.origin());
    assertEquals("logout token j1", lock.reason());
    assertEquals("logout token of " + ISSUER, bench.audited.getFirst().by());
  }

  @Test
  void aSubjectAloneIsLockedUntilItLogsInAgain() {
    assertEquals("LOCKED", receive(Map.of("sub", Value.of("u1"), "sid", Value.NULL)));
    assertTrue(bench.isLocked(bench.user(ISSUER, "u1", "s1", 0)), "in the same second");
    assertEquals(false, bench.isLocked(bench.user(ISSUER, "u1", "s1", -1)), "who has logged in since then");
    assertEquals(false, bench.isLocked(bench.user(ISSUER, "u2", "s1", 5)));
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of("{\"iss\":\"https://evil.example\"}",
            "INVALID_ISSUER: the issuer is not one of those accepted here"),
        Arguments.of("{\"iss\":null}", "INVALID_ISSUER: the issuer is not one of those accepted here"),
        Arguments.of("{\"iss\":7}", "INVALID_ISSUER: the issuer is not one of those accepted here"),
        Arguments.of("{\"aud\":\"other\"}", "INVALID_AUDIENCE: no expected audience present"),
        Arguments.of("{\"aud\":null}", "INVALID_AUDIENCE: no expected audience present"),
        Arguments.of("{\"iat\":null}", "INVALID_REQUEST: `iat` is missing"),
        Arguments.of("{\"iat\":\"now\"}", "INVALID_REQUEST: `iat` is not a number"),
        Arguments.of("{\"iat\":1893455389}", "INVALID_REQUEST: the logout token is too old"),
        Arguments.of("{\"iat\":1893456011}", "INVALID_REQUEST: issued in the future"),
        Arguments.of("{\"exp\":1893455990}", "INVALID_REQUEST: expired"),
        Arguments.of("{\"nbf\":1893456011}", "INVALID_REQUEST: not yet valid"),
        Arguments.of("{\"jti\":null}", "INVALID_REQUEST: `jti` is missing"),
        Arguments.of("{\"jti\":\"\"}", "INVALID_REQUEST: `jti` is not a string of 1 to 512 characters"),
        Arguments.of("{\"events\":null}", "INVALID_REQUEST: `events` is not an object of events"),
        Arguments.of("{\"events\":{}}", "INVALID_REQUEST: `events` is not an object of events"),
        Arguments.of("{\"events\":{\"" + EventKind.LOGOUT_EVENT + "\":true}}",
            "INVALID_REQUEST: `events` is not an object of events"),
        Arguments.of("{\"events\":{\"" + EventKind.SESSION_REVOKED + "\":{}}}",
            "INVALID_REQUEST: the events are not a logout"),
        Arguments.of("{\"nonce\":\"n\"}", "INVALID_REQUEST: a logout token has no nonce"),
        Arguments.of("{\"sid\":null}", "INVALID_REQUEST: `sub` and `sid` are both missing"),
        Arguments.of("{\"sid\":7}", "INVALID_REQUEST: `sid` is not a string of 1 to 512 characters"),
        Arguments.of("{\"sub\":7}", "INVALID_REQUEST: `sub` is not a string"));
  }

  /** Nothing of a later step is looked at before: all is wrong, then the first of it is mended, and so on. */
  @Test
  void verifiesInTheOrderOfThePage() {
    Map<String, Value> claims = new LinkedHashMap<>(Map.of("iss", Value.of("https://evil.example"), "exp",
        Value.of(1), "aud", Value.of("other"), "nonce", Value.of("n")));
    List<String> refusals = new ArrayList<>();
    String type = "at+jwt";
    String algorithm = "RS256";
    for (int step = 0; step <= 9; step++) {
      switch (step) {
        case 1 -> type = "logout+jwt";
        case 2 -> claims.put("iss", Value.of(ISSUER));
        case 3 -> algorithm = "PS256";
        case 4 -> claims.remove("exp");
        case 5 -> claims.put("aud", Value.of("shop"));
        case 6 -> claims.put("jti", Value.of("j"));
        case 7 -> claims.put("iat", Value.of(bench.now.getEpochSecond()));
        case 8 -> claims.put("events", Value.dict(EventKind.LOGOUT_EVENT, Value.Dict.EMPTY));
        case 9 -> claims.remove("nonce");
        default -> {
        }
      }
      try (EventBench strict = new EventBench(", allowed_algorithms: [ PS256 ]")) {
        refusals.add(strict.receive(EventKind.LOGOUT,
            strict.transmitter.signed(Transmitter.header(algorithm, type), claims, Map.of())));
        assertEquals(0, strict.transmitter.fetches());
      }
    }
    assertEquals(List.of("INVALID_REQUEST: the type of the token is not that of a logout token",
        "INVALID_ISSUER: the issuer is not one of those accepted here", "INVALID_KEY: RS256 is not allowed",
        "INVALID_REQUEST: expired", "INVALID_AUDIENCE: no expected audience present",
        "INVALID_REQUEST: `jti` is missing", "INVALID_REQUEST: `iat` is missing",
        "INVALID_REQUEST: `events` is not an object of events", "INVALID_REQUEST: a logout token has no nonce",
        "INVALID_REQUEST: `sub` and `sid` are both missing"), refusals);
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void refusesWrongClaimsWithoutFetchingKeys(String changed, String refusal) throws Exception {
    Map<String, Value> claims = new LinkedHashMap<>(((Value.Dict) Json.read(changed)).members());
    assertEquals(refusal, receive(claims));
    assertEquals(0, bench.transmitter.fetches(), "garbage makes us fetch no keys");
    assertEquals(List.of(), bench.locked());
    assertEquals("LOCKED", receive(Map.of()), "beside one that is right");
  }

  @ParameterizedTest
  @ValueSource(strings = {"secevent+jwt", "at+jwt", "application/secevent+jwt", "dpop+jwt"})
  void refusesTokensOfAnotherType(String type) {
    assertEquals("INVALID_REQUEST: the type of the token is not that of a logout token",
        bench.receive(EventKind.LOGOUT, bench.transmitter.logout(type, Map.of())));
    assertEquals(0, bench.transmitter.fetches());
  }

  @ParameterizedTest
  @ValueSource(strings = {"logout+jwt", "application/logout+jwt", "LOGOUT+JWT", "JWT", ""})
  void acceptsLogoutTokensOfTheirTypes(String type) {
    assertEquals("LOCKED", bench.receive(EventKind.LOGOUT, bench.transmitter.logout(type, Map.of())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "x", "a.b.c", "e30.e30.e30", "e30.e30"})
  void refusesGarbageWithoutFetchingKeys(String token) {
    assertTrue(bench.receive(EventKind.LOGOUT, token).startsWith("INVALID_REQUEST: failed to parse JWT: "));
    assertTrue(bench.receive(EventKind.LOGOUT, "a".repeat(17000)).startsWith("INVALID_REQUEST: "));
    assertEquals(0, bench.transmitter.fetches());
  }

  @Test
  void refusesAlgorithmsThatAreNotAllowed() {
    try (EventBench strict = new EventBench(", allowed_algorithms: [ PS256 ]")) {
      assertEquals("INVALID_KEY: ES256 is not allowed",
          strict.receive(EventKind.LOGOUT, strict.transmitter.logout(Map.of())));
      assertEquals(0, strict.transmitter.fetches());
    }
    for (String algorithm : List.of("none", "HS256", "RS256")) {
      String header = Transmitter.header(algorithm, "logout+jwt");
      String refusal = bench.receive(EventKind.LOGOUT, bench.transmitter.signed(header, Map.of("iss",
          Value.of(ISSUER), "aud", Value.of("shop"), "iat", Value.of(bench.now.getEpochSecond()), "jti", Value.of("j"),
          "sid", Value.of("s"), "events", Value.dict(EventKind.LOGOUT_EVENT, Value.Dict.EMPTY)), Map.of()));
      assertTrue(refusal.startsWith("INVALID_"), refusal);
    }
    assertEquals(List.of(), bench.locked());
  }

  @Test
  void refusesSignaturesOfOthers() {
    String token = bench.transmitter.logout(Map.of());
    try (EventBench other = new EventBench()) {
      assertEquals("AUTHENTICATION_FAILED: failed to verify JWT signature", other.receive(EventKind.LOGOUT, token));
    }
    assertEquals("LOCKED", bench.receive(EventKind.LOGOUT, token));
  }

  @Test
  void unknownKeysAreFetchedOnceOnly() {
    for (int i = 0; i < 20; i++) {
      String token = bench.transmitter.signed("{\"alg\":\"ES256\",\"kid\":\"x" + i + "\"}", Map.of("iss",
          Value.of(ISSUER), "aud", Value.of("shop"), "iat", Value.of(bench.now.getEpochSecond()), "jti", Value.of("j"),
          "sid", Value.of("s"), "events", Value.dict(EventKind.LOGOUT_EVENT, Value.Dict.EMPTY)), Map.of());
      assertTrue(bench.receive(EventKind.LOGOUT, token).startsWith("INVALID_KEY: "));
    }
    assertTrue(bench.transmitter.fetches() <= 2, bench.transmitter.fetches() + " fetches");
  }

  @Test
  void aTokenCountsOnce() {
    assertEquals("LOCKED", receive(Map.of()));
    bench.locks.remove(bench.locks.all().getFirst().id());
    assertEquals("REPEATED", receive(Map.of()));
    assertEquals(List.of(), bench.locked(), "an operator has unlocked it");
    assertEquals("LOCKED", receive(Map.of("jti", Value.of("j2"))));
  }

  @Test
  void aTokenCountsWhereItIsNotKnownWhetherItWasUsed() {
    assertEquals("LOCKED", receive(Map.of()));
    bench.locks.remove(bench.locks.all().getFirst().id());
    bench.usedUnknown = true;
    assertEquals("LOCKED", receive(Map.of()));
  }

  @Test
  void whatCannotBeDoneNowMayBeSentAgain() {
    bench.transmitter.down = true;
    assertEquals("UNAVAILABLE: the keys of the issuer cannot be fetched", receive(Map.of()));
    bench.transmitter.down = false;
    bench.now = bench.now.plusSeconds(60);
    bench.auditFails = true;
    assertEquals("UNAVAILABLE: the lock cannot be recorded now", receive(Map.of()));
    assertEquals(List.of(), bench.locked());
    bench.auditFails = false;
    assertEquals("LOCKED", receive(Map.of()));
    assertEquals("REPEATED", receive(Map.of()));
  }
}
