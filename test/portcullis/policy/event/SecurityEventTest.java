package portcullis.policy.event;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.policy.lock.Lock;
import portcullis.policy.rule.Catalogues;

class SecurityEventTest {
  private static final String ISSUER = Transmitter.ISSUER;
  private static final String OF = "` of `" + ISSUER + "`";
  private final EventBench bench = new EventBench();

  @AfterEach
  void close() {
    bench.close();
  }

  private String receive(Map<String, Value> changed) {
    return bench.receive(EventKind.EVENT, bench.transmitter.event(changed));
  }

  static Stream<Arguments> subjects() {
    return Stream.of(
        Arguments.of("{\"format\":\"iss_sub\",\"iss\":\"" + ISSUER + "\",\"sub\":\"u1\"}", List.of("subject `u1" + OF)),
        Arguments.of("{\"format\":\"email\",\"email\":\"U1@A.example\"}", List.of("email `u1@a.example" + OF)),
        Arguments.of("{\"format\":\"opaque\",\"id\":\"x\"}", List.of("session `x" + OF, "subject `x" + OF)),
        Arguments.of("{\"format\":\"jwt_id\",\"iss\":\"" + ISSUER + "\",\"jti\":\"t1\"}", List.of("token `t1" + OF)),
        Arguments.of("{\"format\":\"complex\",\"session\":{\"format\":\"opaque\",\"id\":\"s1\"},\"user\":"
            + "{\"format\":\"opaque\",\"id\":\"u1\"}}", List.of("session `s1" + OF)),
        Arguments.of("{\"format\":\"complex\",\"user\":{\"format\":\"opaque\",\"id\":\"u1\"},\"device\":"
            + "{\"format\":\"opaque\",\"id\":\"d\"}}", List.of("subject `u1" + OF)),
        Arguments.of("{\"format\":\"aliases\",\"identifiers\":[{\"format\":\"email\",\"email\":\"a@b\"},"
            + "{\"format\":\"iss_sub\",\"iss\":\"" + ISSUER + "\",\"sub\":\"u1\"}]}",
            List.of("email `a@b" + OF, "subject `u1" + OF)));
  }

  @ParameterizedTest
  @MethodSource("subjects")
  void locksWhomItIsAbout(String subject, List<String> locked) throws Exception {
    assertEquals("LOCKED", receive(Map.of("sub_id", Json.read(subject))));
    assertEquals(locked, bench.locked());
  }

  @ParameterizedTest
  @CsvSource({"sub, subject", "sid, session"})
  void locksByPlainClaims(String claim, String target) {
    assertEquals("LOCKED", receive(Map.of("sub_id", Value.NULL, claim, Value.of("x"))));
    assertEquals(List.of(target + " `x" + OF), bench.locked());
  }

  @Test
  void anEmailLocksUsersOfTheIssuer() {
    receive(Map.of("sub_id", Transmitter.subject("email", "email", "u1@a.example")));
    assertTrue(bench.isLocked(bench.user(ISSUER, "u1", "s", 5)));
    assertEquals(false, bench.isLocked(bench.user(ISSUER, "u1", "s", -5)), "who has logged in since then");
    assertEquals(false, bench.isLocked(bench.user("https://other.example", "u1", "s", 5)));
  }

  @Test
  void countsFromTheTimeOfTheEvent() {
    long at = bench.now.minusSeconds(100).getEpochSecond();
    assertEquals("LOCKED", receive(Map.of("events", Value.dict(EventKind.SESSION_REVOKED,
        new Value.Dict(Map.of("event_timestamp", Value.of(at), "reason_admin",
            Value.dict("en", Value.of("laptop\nstolen"))))))));
    assertTrue(bench.isLocked(bench.user(ISSUER, "u1", "s", 100)));
    assertEquals(false, bench.isLocked(bench.user(ISSUER, "u1", "s", 50)));
    assertEquals("security event token j1: laptop stolen", bench.locks.all().getFirst().reason());
  }

  static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of("{\"iss\":\"https://evil.example\"}",
            "INVALID_ISSUER: the issuer is not one of those accepted here"),
        Arguments.of("{\"aud\":[\"other\"]}", "INVALID_AUDIENCE: no expected audience present"),
        Arguments.of("{\"jti\":null}", "INVALID_REQUEST: `jti` is missing"),
        Arguments.of("{\"iat\":null}", "INVALID_REQUEST: `iat` is missing"),
        Arguments.of("{\"iat\":1893369589}", "INVALID_REQUEST: the security event token is too old"),
        Arguments.of("{\"events\":[]}", "INVALID_REQUEST: `events` is not an object of events"),
        Arguments.of("{\"events\":{\"" + EventKind.SESSION_REVOKED + "\":{\"event_timestamp\":1893456000000}}}",
            "INVALID_REQUEST: `event_timestamp` is later than `iat`"),
        Arguments.of("{\"sub_id\":null}", "INVALID_REQUEST: `sub_id` is missing"),
        Arguments.of("{\"sub_id\":\"u1\"}", "INVALID_REQUEST: `sub_id` is not an object"),
        Arguments.of("{\"sub\":\"u2\"}", "INVALID_REQUEST: `sub_id` excludes `sub` and `sid`"),
        Arguments.of("{\"sub_id\":{\"id\":\"x\"}}", "INVALID_REQUEST: `sub_id` has no `format`"),
        Arguments.of("{\"sub_id\":{\"format\":\"opaque\"}}",
            "INVALID_REQUEST: `id` of the subject identifier is missing"),
        Arguments.of("{\"sub_id\":{\"format\":\"iss_sub\",\"iss\":\"https://other.example\",\"sub\":\"u1\"}}",
            "INVALID_REQUEST: the subject is of an issuer that is not among `subject_issuers`"),
        Arguments.of("{\"sub_id\":{\"format\":\"complex\",\"session\":{\"format\":\"complex\"}}}",
            "INVALID_REQUEST: `session` is not a simple subject identifier"),
        Arguments.of("{\"sub_id\":{\"format\":\"aliases\",\"identifiers\":[{\"format\":\"aliases\"}]}}",
            "INVALID_REQUEST: an alias is not a subject identifier"),
        Arguments.of("{\"sub_id\":{\"format\":\"aliases\",\"identifiers\":[]}}",
            "INVALID_REQUEST: `identifiers` of aliases are a list of 1 to 10"));
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
  @CsvSource({"secevent+jwt, true", "application/secevent+jwt, true", "JWT, false", "logout+jwt, false", "'', false"})
  void hasToBeTypedAsSecurityEvent(String type, boolean accepted) {
    assertEquals(accepted ? "LOCKED" : "INVALID_REQUEST: the type of the token is not that of a security event token",
        bench.receive(EventKind.EVENT, bench.transmitter.event(type, Map.of())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://schemas.openid.net/secevent/caep/event-type/credential-change",
    "https://schemas.openid.net/secevent/caep/event-type/token-claims-change",
    "https://schemas.openid.net/secevent/ssf/event-type/verification"})
  void otherEventsHaveNoConsequence(String event) {
    assertEquals("IGNORED", receive(Map.of("events", Value.dict(event, Value.Dict.EMPTY))));
    assertEquals(List.of(), bench.locked());
  }

  @Test
  void ofDevicesAloneNothingIsKnown() {
    assertEquals("IGNORED", receive(Map.of("sub_id", new Value.Dict(Map.of("format", Value.of("complex"), "device",
        Transmitter.subject("opaque", "id", "d"))))));
  }

  @Test
  void anIgnoredEventHasToBeSignedToo() {
    String token = bench.transmitter.event(Map.of("events", Value.dict("https://x.example/e", Value.Dict.EMPTY)));
    try (EventBench other = new EventBench()) {
      assertTrue(other.receive(EventKind.EVENT, token).startsWith("AUTHENTICATION_FAILED"));
    }
  }

  @Test
  void aTransmitterMayReportUsersOfOtherIssuers() {
    try (EventBench edr = new EventBench(", subject_issuers: [ https://a.example, https://b.example ], lock_for: 1h")) {
      assertEquals("LOCKED", edr.receive(EventKind.EVENT, edr.transmitter.event(Map.of("sub_id",
          Transmitter.subject("iss_sub", "iss", "https://b.example", "sub", "u1")))));
      assertEquals(List.of("subject `u1` of `https://b.example`"), edr.locked());
      assertEquals(edr.now.plus(Duration.ofHours(1)), edr.locks.all().getFirst().until().orElseThrow());
      assertEquals("LOCKED", edr.receive(EventKind.EVENT, edr.transmitter.event(Map.of("jti", Value.of("j2"), "sub_id",
          Transmitter.subject("email", "email", "a@b.example")))));
      assertEquals(3, edr.locked().size());
    }
  }

  @Test
  void anEventTakesNothingBackThatIsLocked() {
    Lock operators = new Lock(Lock.Target.SUBJECT, "u1", ISSUER, Optional.empty(), "stolen", "command", bench.now,
        Optional.empty());
    bench.locks.add(operators);
    assertEquals("LOCKED", receive(Map.of()));
    assertTrue(bench.isLocked(bench.user(ISSUER, "u1", "s", -60)), "after a new login too");
    bench.locks.remove(operators.id());
    assertEquals(false, bench.isLocked(bench.user(ISSUER, "u1", "s", -60)));
    bench.locks.add(new Lock(Lock.Target.SESSION, "s1", ISSUER, Optional.empty(), "stolen", "command", bench.now,
        Optional.empty()));
    assertEquals("LOCKED", bench.receive(EventKind.LOGOUT, bench.transmitter.logout(Map.of("jti", Value.of("j3")))));
    bench.now = bench.now.plus(Duration.ofDays(2));
    assertTrue(bench.isLocked(bench.user(ISSUER, "u1", "s1", 0)), "without end, as before");
  }

  @ParameterizedTest
  @CsvSource({"http://idp.example/jwks, false", "https://idp.example/jwks, true"})
  void keysAreFetchedByTlsWhereThatIsEnforced(String jwks, boolean usable) {
    EventSettings settings = EventBench.settings(EventBench.yaml(jwks, ""), new Problems()).orElseThrow();
    Problems problems = new Problems();
    settings.check(Catalogues.context(Enforcement.ALL), problems);
    assertEquals(usable, !problems.hasErrors(), EventBench.text(problems));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      issuers: []                                                              | issuers
      {}                                                                       | issuers
      issuers: [{issuer: i, jwks_endpoint: {url: "https://a"}}]                | audience
      issuers: [{issuer: i, audience: [a]}]                                    | `jwks_endpoint` and `metadata_endpoint`
      issuers: [{issuer: "i/*", audience: [a], jwks_endpoint: {url: "https://a"}}] | invalid issuer `i/*`
      issuers: [{issuer: i, audience: [a], jwks_endpoint: {url: "https://a"}, allowed_algorithms: [HS256]}] | HS256
      issuers: [{issuer: i, audience: [a], jwks_endpoint: {url: "https://a"}, lock_for: 0s}] | a time of zero
      issuers: [{issuer: i, audience: [a], jwks_endpoint: {url: "https://a"}}, {issuer: i, audience: [a], \
      jwks_endpoint: {url: "https://a"}}] | the issuer `i` is there twice
      """)
  void refusesWrongSettings(String yaml, String problem) {
    Problems problems = new Problems();
    assertEquals(Optional.empty(), EventBench.settings(yaml, problems));
    assertTrue(EventBench.text(problems).contains(problem), EventBench.text(problems));
    assertTrue(EventBench.settings(EventBench.yaml("https://idp.example/jwks", ""), new Problems()).isPresent());
  }
}
