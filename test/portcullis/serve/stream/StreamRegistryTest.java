package portcullis.serve.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.Await;
import portcullis.fixture.StubService;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.lang.value.Value;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockTable;
import portcullis.policy.mechanism.Credential;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.Observer;

class StreamRegistryTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final String ALLOWED = "[{authenticator: anon}]";

  private final AtomicReference<Instant> now = new AtomicReference<>(START);
  private final InstantSource clock = now::get;
  private final LockTable locks = new LockTable(clock);
  private final SnapshotSource rules = new SnapshotSource();
  private final Decider decider = new Decider(rules, rules.log(), locks);
  private final BlockingQueue<String> ended = new LinkedBlockingQueue<>();
  private Optional<StreamRegistry> registry = Optional.empty();

  @AfterEach
  void close() {
    registry.ifPresent(StreamRegistry::close);
  }

  private StreamRegistry registry(StreamSettings settings) {
    StreamRegistry made = new StreamRegistry(decider, locks, settings, clock,
        () -> Duration.between(START, now.get()).toNanos(), rules.log());
    registry = Optional.of(made);
    return made;
  }

  private static Request request(byte[] body) throws Exception {
    return new Request("GET", "http", Authority.parse("a.example").orElseThrow(), RequestPath.read("/a"), "",
        Fields.NONE,
        List.of("192.0.2.7"), Body.of(body, ""));
  }

  private LiveStream open(StreamKind kind, Subject subject) throws Exception {
    Decision decision = decider.assuming(Optional.of(subject)).decide(request(new byte[0]), Observer.NONE);
    return open(kind, (Decision.Allow) decision);
  }

  private LiveStream open(StreamKind kind, Decision.Allow allow) {
    return registry.orElseThrow().open(kind, allow, new StreamControl() {
      @Override
      public void end(EndReason reason) {
        ended.add(reason.text());
      }

      @Override
      public void kill() {
        ended.add("killed");
      }
    });
  }

  private static Subject subject(Credential credential) {
    return new Subject("anonymous", Value.Dict.EMPTY).by(credential);
  }

  private static Credential expiring(Duration in, Duration leeway) {
    return Credential.NONE.expiring(Optional.of(START.plus(in)), leeway);
  }

  private void after(Duration time) {
    Instant end = START.plus(time);
    while (now.get().isBefore(end)) {
      now.set(now.get().plus(StreamRegistry.TICK));
      registry.orElseThrow().tick();
    }
  }

  private void assertEnds(String reason) throws InterruptedException {
    assertEquals(reason, ended.poll(20, TimeUnit.SECONDS));
  }

  private void assertEnds(LiveStream stream, String reason) throws InterruptedException {
    if (reason == null) {
      Await.until(() -> List.copyOf(rules.get().index().values()).equals(List.of(stream.rule())));
      assertEquals(Optional.empty(), stream.ended());
    } else {
      assertEnds(reason);
    }
  }

  @ParameterizedTest
  @CsvSource({"WEBSOCKET, 5, 0, 5", "EVENTS, 5, 10, 5", "CALL, 5, 0, 5", "ANSWER, 5, 0, 10", "ANSWER, 90, 0, 90",
    "WEBSOCKET, -1, 10, 9", "WEBSOCKET, 300, 0, 300", "CALL, -9, 10, 1"})
  void endsWithCredential(StreamKind kind, int expires, int leeway, int ends) throws Exception {
    rules.use(ALLOWED);
    registry(StreamSettings.DEFAULT);
    open(kind, subject(expiring(Duration.ofSeconds(expires), Duration.ofSeconds(leeway))));
    after(Duration.ofMillis(ends * 1000 - 200));
    assertEquals(Optional.empty(), Optional.ofNullable(ended.poll()));
    after(Duration.ofMillis(ends * 1000 + 300));
    assertEnds("expired");
    assertEquals(1, registry.get().ended(EndReason.EXPIRED));
  }

  @Test
  void isKilledIfItDoesNotEnd() throws Exception {
    rules.use(ALLOWED);
    registry(StreamSettings.DEFAULT);
    open(StreamKind.WEBSOCKET, subject(expiring(Duration.ofSeconds(1), Duration.ZERO)));
    after(Duration.ofMillis(1300));
    assertEnds("expired");
    after(Duration.ofMillis(2600));
    assertEnds("killed");
    assertEquals(0, registry.get().active().get(StreamKind.WEBSOCKET), "nothing of it is left");
  }

  @Test
  void endsAtTheFirstOfItsDeadlines() throws Exception {
    rules.use(ALLOWED);
    registry(new StreamSettings(Optional.of(Duration.ofHours(1))));
    open(StreamKind.WEBSOCKET, subject(Credential.NONE));
    open(StreamKind.WEBSOCKET, subject(expiring(Duration.ofHours(2), Duration.ZERO)));
    after(Duration.ofMinutes(59));
    assertEquals(2, registry.get().active().get(StreamKind.WEBSOCKET));
    after(Duration.ofMillis(3_600_300));
    assertEnds("max_age");
    assertEnds("max_age");
  }

  @Test
  void noticesThatTheClockWasSet() throws Exception {
    rules.use(ALLOWED);
    AtomicReference<Instant> wall = new AtomicReference<>(START);
    StreamRegistry made = new StreamRegistry(decider, locks, StreamSettings.DEFAULT, wall::get,
        () -> Duration.between(START, now.get()).toNanos(), rules.log());
    registry = Optional.of(made);
    open(StreamKind.WEBSOCKET, subject(expiring(Duration.ofHours(2), Duration.ZERO)));
    wall.set(START.plus(Duration.ofHours(3)));
    after(Duration.ofSeconds(61));
    assertEnds("expired");
  }

  @Test
  void whatWasClosedIsNotEnded() throws Exception {
    rules.use(ALLOWED);
    registry(StreamSettings.DEFAULT);
    open(StreamKind.WEBSOCKET, subject(expiring(Duration.ofSeconds(1), Duration.ZERO))).close();
    after(Duration.ofSeconds(3));
    assertEquals(0, registry.get().ended(EndReason.EXPIRED));
    assertEquals(0, registry.get().active().get(StreamKind.WEBSOCKET));
  }

  @Test
  void becomingAnotherKindChangesItsEnd() throws Exception {
    rules.use(ALLOWED);
    registry(StreamSettings.DEFAULT);
    LiveStream stream = open(StreamKind.ANSWER, subject(expiring(Duration.ofSeconds(2), Duration.ZERO)));
    stream.becomes(StreamKind.EVENTS);
    after(Duration.ofMillis(2300));
    assertEnds("expired");
  }

  private Lock lock(Lock.Target target, String value) {
    return new Lock(target, value, "", Optional.empty(), "test", "command", START, Optional.empty());
  }

  @ParameterizedTest
  @CsvSource({"SUBJECT, anonymous, true", "SUBJECT, other, false", "SESSION, s1, true", "SESSION, s2, false",
    "TOKEN, t1, true", "TOKEN, t2, false", "CLIENT, 192.0.2.0/24, true", "CLIENT, 198.51.100.0/24, false"})
  void aLockEndsWhatItNames(Lock.Target target, String value, boolean ends) throws Exception {
    rules.use(ALLOWED);
    registry(StreamSettings.DEFAULT);
    open(StreamKind.WEBSOCKET,
        subject(new Credential("", "", "", "s1", "t1", Optional.empty(), Optional.empty(), Duration.ZERO)));
    locks.add(lock(target, value));
    assertEquals(ends ? 1 : 0, registry.get().ended(EndReason.LOCKED));
  }

  @Test
  void aLockBetweenDecisionAndRegistrationEndsItToo() throws Exception {
    rules.use(ALLOWED);
    registry(StreamSettings.DEFAULT);
    Decision made = decider.assuming(Optional.of(subject(Credential.NONE))).decide(request(new byte[0]), Observer.NONE);
    locks.add(lock(Lock.Target.SUBJECT, "anonymous"));
    open(StreamKind.EVENTS, (Decision.Allow) made);
    assertEnds("locked");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
            [{authenticator: anon, id: again}]          |
            [{authenticator: anon}, {authorizer: no}]   | rules
            [{authenticator: other}]                    | rules
            [{authenticator: none}]                     | rules
            """)
  void aReloadEndsWhatTheRulesNoLongerAllow(String steps, String reason) throws Exception {
    rules.use(ALLOWED);
    registry(StreamSettings.DEFAULT).start();
    LiveStream stream = open(StreamKind.WEBSOCKET, (Decision.Allow) decider.decide(request(new byte[0]),
        Observer.NONE));
    rules.use(steps);
    assertEnds(stream, reason);
  }

  @ParameterizedTest
  @CsvSource({"host: a.test, ", "host: A.test, ", "host: b.test, rules", "'host: \"a.test:81\"', rules",
    "'host: a.test, rewrite: {scheme: http}', rules", ", rules"})
  void aReloadEndsWhatTheRulesForwardElsewhereOrNoMore(String upstream, String reason) throws Exception {
    rules.use(ALLOWED + ", forward_to: {host: a.test}");
    registry(StreamSettings.DEFAULT).start();
    LiveStream stream = open(StreamKind.WEBSOCKET, (Decision.Allow) decider.decide(request(new byte[0]),
        Observer.NONE));
    rules.use("[{authenticator: anon, id: again}]" + (upstream == null ? "" : ", forward_to: {" + upstream + "}"));
    if (reason == null) {
      Await.until(() -> List.copyOf(rules.get().index().values()).equals(List.of(stream.rule())));
      assertEquals(Optional.empty(), stream.ended());
    } else {
      assertEnds(reason);
    }
  }

  /** What is in front of a service that is down answers for it. */
  @ParameterizedTest
  @CsvSource({"500, false", "503, false", "429, false", "403, true", "404, true"})
  void aServiceThatRefusesEndsItAndOneThatFailsDoesNot(int status, boolean ends) throws Exception {
    try (StubService service = new StubService(_ -> StubService.answer(status, "x"))) {
      rules.far = service.url("/");
      rules.client = Optional.of(HttpClient.newHttpClient());
      rules.use(ALLOWED + ", revalidate: 5m");
      registry(StreamSettings.DEFAULT);
      LiveStream stream = open(StreamKind.WEBSOCKET, subject(Credential.NONE));
      rules.useSilently("[{authenticator: anon}, {authorizer: far}], revalidate: 5m");
      after(Duration.ofMinutes(5).plusMillis(800));
      decidedAgain(stream, Duration.ZERO);
      assertEquals(ends ? 1 : 0, registry.get().ended(EndReason.RULES));
      assertEquals(!ends, stream.hasFailed());
    }
  }

  /** @param reload, kept, ends in tenths of a second since the request was allowed */
  @ParameterizedTest
  @CsvSource({"ANSWER, 20, 99, 152", "ANSWER, 97, 99, 152", "ANSWER, 110, 110, 112", "CALL, 5, 9, 62",
    "CALL, 20, 20, 22", "EVENTS, 5, 5, 7"})
  void aReloadEndsShortRequestsWhenTheirTimeIsOver(StreamKind kind, int reload, int kept, int ends) throws Exception {
    rules.use(ALLOWED);
    registry(StreamSettings.DEFAULT);
    open(kind, subject(Credential.NONE));
    after(Duration.ofMillis(100L * reload));
    rules.use("[{authenticator: none}]");
    after(Duration.ofMillis(100L * kept));
    Await.pause(50); // what it may do too early is done by other threads
    assertEquals(0, registry.get().ended(EndReason.RULES));
    after(Duration.ofMillis(100L * ends));
    Await.until(() -> registry.get().ended(EndReason.RULES) == 1);
  }

  @Test
  void aRequestWhoseBodyTheRulesReadCannotBeDecidedAgain() throws Exception {
    String reading = "[{authenticator: anon}, {authorizer: body}]";
    rules.use(reading);
    registry(StreamSettings.DEFAULT).start();
    open(StreamKind.EVENTS, (Decision.Allow) decider.decide(request("yes".getBytes()), Observer.NONE));
    rules.use(reading);
    assertEnds("rules");
  }

  @Test
  void aRuleThatRevalidatesDecidesAgain() throws Exception {
    rules.use(ALLOWED + ", revalidate: 5m");
    registry(StreamSettings.DEFAULT);
    open(StreamKind.WEBSOCKET, subject(Credential.NONE).by(Credential.NONE));
    after(Duration.ofMinutes(4));
    assertEquals(0, registry.get().ended(EndReason.RULES));
    rules.useSilently("[{authenticator: none}]");
    after(Duration.ofMinutes(5).plusMillis(800)); // a second later it would be killed
    assertEnds("rules");
  }

  /** Waits until it was decided again, and returns for how long it has been open then. */
  private Duration decidedAgain(LiveStream stream, Duration before) throws InterruptedException {
    Await.until(() -> stream.checked() > before.toNanos());
    return Duration.ofNanos(stream.checked());
  }

  /** @param outcomes of deciding again: x for a service that fails */
  @ParameterizedTest
  @CsvSource({"xxx, true", "xx, false", "xxoxx, false"})
  void aServiceThatFailsThreeTimesInARowEndsIt(String outcomes, boolean ends) throws Exception {
    rules.use(ALLOWED + ", revalidate: 10m");
    registry(StreamSettings.DEFAULT);
    LiveStream stream = open(StreamKind.WEBSOCKET, subject(Credential.NONE));
    after(Duration.ofMinutes(2)); // as long as the rules count as just reloaded, others are looked for
    Duration last = Duration.ZERO;
    for (char outcome : outcomes.toCharArray()) {
      Duration interval = stream.hasFailed() ? Duration.ofSeconds(30) : Duration.ofMinutes(10);
      int calls = rules.calls.get();
      rules.useSilently((outcome == 'x' ? "[{authenticator: anon}, {authorizer: far}]" : ALLOWED)
          + ", revalidate: 10m");
      after(last.plus(interval).minusSeconds(1));
      assertEquals(calls, rules.calls.get());
      after(last.plus(interval).plusSeconds(1));
      last = decidedAgain(stream, last);
      assertEquals(calls + (outcome == 'x' ? 1 : 0), rules.calls.get());
    }
    assertEquals(ends ? 1 : 0, registry.get().ended(EndReason.RULES));
  }

  @Test
  void sixteenAreDecidedAgainAtATime() throws Exception {
    rules.use(ALLOWED + ", revalidate: 3m");
    registry(StreamSettings.DEFAULT);
    for (int i = 0; i < 40; i++) {
      open(StreamKind.WEBSOCKET, subject(Credential.NONE));
    }
    after(Duration.ofMinutes(2));
    rules.gate = new CountDownLatch(1);
    rules.useSilently("[{authenticator: anon}, {authorizer: far}]");
    after(Duration.ofSeconds(181));
    Await.until(() -> rules.calls.get() >= 16);
    Await.pause(200); // a slow machine decides fewer of the others meanwhile, of which none may be
    assertEquals(16, rules.calls.get());
    rules.gate.countDown();
    Await.until(() -> rules.calls.get() >= 40);
    assertEquals(40, rules.calls.get());
  }

  @Test
  void decidingAgainTakesNoTokenOfALimit() throws Exception {
    rules.use("[{authenticator: anon}, {authorizer: few}], revalidate: 1m");
    registry(StreamSettings.DEFAULT);
    LiveStream stream = open(StreamKind.EVENTS, (Decision.Allow) decider.decide(request(new byte[0]), Observer.NONE));
    assertEquals(true, decider.decide(request(new byte[0]), Observer.NONE) instanceof Decision.Refuse);
    after(Duration.ofSeconds(61));
    decidedAgain(stream, Duration.ZERO);
    assertEquals(List.of(Optional.empty(), false), List.of(stream.ended(), stream.hasFailed()));
  }

  @Test
  void endsWithTheFirstOfSeveralPrincipals() throws Exception {
    rules.use(ALLOWED);
    registry(StreamSettings.DEFAULT);
    open(StreamKind.WEBSOCKET, Subject.of(new TreeMap<>(Map.of("default",
        subject(expiring(Duration.ofHours(1), Duration.ZERO)), "user",
        subject(expiring(Duration.ofSeconds(5), Duration.ZERO))))));
    after(Duration.ofMillis(5300));
    assertEnds("expired");
  }

  @Test
  void tenThousandStreamsAreSmall() throws Exception {
    rules.use(ALLOWED);
    registry(StreamSettings.DEFAULT);
    Decision.Allow allow = (Decision.Allow) decider.decide(request(new byte[0]), Observer.NONE);
    List<LiveStream> all = Collections.synchronizedList(new ArrayList<>());
    System.gc();
    long before = used();
    for (int i = 0; i < 10_000; i++) {
      all.add(open(StreamKind.WEBSOCKET, allow));
    }
    System.gc();
    long each = (used() - before) / all.size();
    assertEquals(10_000, registry.get().active().get(StreamKind.WEBSOCKET));
    assertEquals(true, each < 1024, "a stream takes " + each + " bytes");
  }

  private static long used() {
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }
}
