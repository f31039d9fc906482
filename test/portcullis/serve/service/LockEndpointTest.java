package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.crypto.keys.PublishedKeys;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.lang.address.Network;
import portcullis.observe.decisions.AuditEvent;
import portcullis.observe.decisions.AuditException;
import portcullis.observe.decisions.AuditTrail;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.limit.Lockout;
import portcullis.policy.limit.Lockouts;
import portcullis.policy.lock.Lock;
import portcullis.policy.lock.LockTable;

/** Who may change locks, how, and what is recorded of it. */
class LockEndpointTest {
  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05Z");
  private static final String KEY = "0b".repeat(32);
  private static final String AUTHORIZED = "Authorization: Bearer " + KEY;
  private static final String LOCK = "{\"target\":\"subject\",\"value\":\"ann\",\"reason\":\"left\"}";

  private final LockTable locks = new LockTable(InstantSource.fixed(NOW));
  private volatile Lockouts lockouts = new Lockouts(InstantSource.fixed(NOW));
  private final List<AuditEvent> recorded = new CopyOnWriteArrayList<>();
  private final AtomicBoolean auditFails = new AtomicBoolean();
  private final AtomicBoolean unsaved = new AtomicBoolean();
  private final AtomicBoolean unshared = new AtomicBoolean();
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(written);
  private Listener listener;

  @BeforeEach
  void start() throws Exception {
    Log log = new Log(Level.INFO, LogFormat.TEXT, writer, InstantSource.system(), "test");
    LockEndpoint endpoint = new LockEndpoint(locks,
        new LockEndpoint.Reach(() -> !unsaved.get(), () -> !unshared.get()), () -> lockouts,
        SymmetricKey.parse(KEY, "test"),
        this::record,
        InstantSource.fixed(NOW), log);
    PublishedKeys none = PublishedKeys.of(List.of());
    StatusSource condition = new StatusSource() {
      @Override
      public List<String> unreadyReasons() {
        return List.of();
      }

      @Override
      public StatusReport report() {
        throw new IllegalStateException("not asked for");
      }
    };
    listener = new Services(TelemetrySinks.NONE, log, InstantSource.system()).management(
        ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), () -> none, condition,
        new ManagementEndpoints(Optional.of(endpoint), Optional.empty(), Optional.empty()));
  }

  private void record(AuditEvent event) throws AuditException {
    if (auditFails.get()) {
      throw new AuditException("the disk is full");
    }
    recorded.add(event);
  }

  @AfterEach
  void stop() {
    listener.stop(Duration.ZERO);
    writer.close();
  }

  private String shown() {
    listener.stop(Duration.ZERO);
    writer.close();
    return written.toString(StandardCharsets.UTF_8);
  }

  private String send(String method, String target, String... fields) throws IOException {
    return OneRequest.receivedCalls(listener.port(), method, target, fields);
  }

  private String post(String body, String... fields) throws IOException {
    List<String> all = new ArrayList<>(List.of(fields));
    all.add("Content-Length: " + body.length());
    return OneRequest.answer(listener.port(),
        OneRequest.text("POST", "/locks", all.toArray(String[]::new)) + "\r\n" + body);
  }

  private static void assertAnswer(int status, String part, String answer) {
    assertEquals(status, OneRequest.status(answer), answer);
    assertTrue(OneRequest.body(answer).contains(part), () -> part + " is not in " + answer);
  }

  @Test
  void locksAreAddedListedAndRemoved() throws IOException {
    assertEquals("{\"lockouts\":[],\"locks\":[]}", OneRequest.body(send("GET", "/locks", AUTHORIZED)));
    String added = post(LOCK, AUTHORIZED);
    Lock lock = locks.all().getFirst();
    String document = """
        {"authenticated_until":null,"id":"%s","issuer":"","origin":"command","reason":"left",\
        "since":"2030-01-02T03:04:05Z","target":"subject","until":null,"value":"ann"}""".formatted(lock.id());
    assertAnswer(201, "", added);
    assertEquals(document, OneRequest.body(added));
    assertEquals("{\"lockouts\":[],\"locks\":[" + document + "]}", OneRequest.body(send("GET", "/locks", AUTHORIZED)));
    String removed = send("DELETE", "/locks/" + lock.id(), AUTHORIZED);
    assertAnswer(200, "", removed);
    assertEquals(document, OneRequest.body(removed));
    assertEquals(List.of(), locks.all());
    for (String answer : List.of(added, removed)) {
      assertEquals("application/json", OneRequest.field(answer, "Content-Type"));
      assertEquals("no-store", OneRequest.field(answer, "Cache-Control"));
      assertEquals("nosniff", OneRequest.field(answer, "X-Content-Type-Options"));
    }
  }

  @Test
  void lockoutsAreListedAndEnded() throws Exception {
    Lockout settings = new Lockout(1, Duration.ofMinutes(15), Duration.ofMinutes(1), Duration.ofHours(1));
    for (String client : List.of("192.0.2.7/32", "2001:db8::/64")) {
      lockouts.failed(CacheKey.of("user", "ann"), Network.parse(client), settings);
    }
    lockouts.failed(CacheKey.of("user", "ann"), Optional.empty(), settings);
    String list = OneRequest.body(send("GET", "/locks", AUTHORIZED));
    assertTrue(list.contains("{\"client\":\"192.0.2.7/32\",\"credentials\":1,\"until\":\"2030-01-02T03:05:05Z\"}"),
        list);
    assertAnswer(401, "", send("DELETE", "/locks/lockouts/192.0.2.7"));
    assertAnswer(405, "DELETE", send("GET", "/locks/lockouts/192.0.2.7", AUTHORIZED));
    assertAnswer(422, "neither an IP address nor", send("DELETE", "/locks/lockouts/ann", AUTHORIZED));
    for (String wide : List.of("192.0.2.0/24", "192.0.2.7/31", "2001:db8::/32")) {
      assertAnswer(422, "is a network: name one address", send("DELETE", "/locks/lockouts/" + wide, AUTHORIZED));
    }
    auditFails.set(true);
    assertAnswer(503, "the disk is full", send("DELETE", "/locks/lockouts/192.0.2.7", AUTHORIZED));
    auditFails.set(false);
    assertEquals(3, lockouts.current().size());
    assertAnswer(200, "192.0.2.7/32", send("DELETE", "/locks/lockouts/192.0.2.7", AUTHORIZED));
    assertAnswer(404, "there is no failed attempt", send("DELETE", "/locks/lockouts/192.0.2.7", AUTHORIZED));
    assertAnswer(200, "2001:db8", send("DELETE", "/locks/lockouts/2001:db8::1", AUTHORIZED));
    assertAnswer(200, "unknown", send("DELETE", "/locks/lockouts/unknown", AUTHORIZED));
    assertEquals(List.of(), lockouts.current());
    assertEquals(List.of("unlock", "unlock", "unlock"), recorded.stream().map(AuditEvent::kind).toList());
    assertTrue(shown().contains("Lockouts ended _of=192.0.2.7/32"));
  }

  @Test
  void lockoutsAreNotEndedWhileTheirStoreIsAway() throws IOException {
    lockouts = Lockouts.shared(InstantSource.fixed(NOW), (_, _, _, _) -> {
      throw new IllegalStateException("not asked for");
    }, false);
    assertAnswer(503, "the store forgets nothing: the lockout is not ended, try again",
        send("DELETE", "/locks/lockouts/192.0.2.7", AUTHORIZED));
    assertFalse(shown().contains("Lockouts ended"));
  }

  @Test
  void nothingIsRecordedWithoutAuditChain() {
    assertSame(AuditTrail.NONE, TelemetrySinks.NONE.audit());
  }

  @Test
  void changesAreRecordedAndLogged() throws IOException {
    post(LOCK, AUTHORIZED);
    String id = locks.all().getFirst().id();
    send("DELETE", "/locks/" + id, AUTHORIZED);
    assertEquals(List.of(
        AuditEvent.of("lock", "management 127.0.0.1").with("lock", id).with("target", "subject")
            .withSecret("value", "ann").with("reason", "left"),
        AuditEvent.of("unlock", "management 127.0.0.1").with("lock", id).with("target", "subject")
            .withSecret("value", "ann")),
        recorded);
    String log = shown();
    for (String event : List.of("Locked", "Unlocked")) {
      String line = log.lines().filter(one -> one.contains(event)).findFirst().orElse("");
      for (String part : List.of("_lock=" + id, "_target=", "subject `ann`", "_client=127.0.0.1",
          event.equals("Locked") ? "_reason=left" : "_target=")) {
        assertTrue(line.contains(part), () -> part + " is not in " + line);
      }
    }
    assertFalse(log.contains("refused"), log);
  }

  @Test
  void changesThatCannotBeRecordedAreRefused() throws IOException {
    post(LOCK, AUTHORIZED);
    auditFails.set(true);
    assertAnswer(503, "the audit chain refuses the change: the disk is full",
        post(LOCK.replace("ann", "bob"), AUTHORIZED));
    assertAnswer(503, "the audit chain refuses the change",
        send("DELETE", "/locks/" + locks.all().getFirst().id(), AUTHORIZED));
    assertEquals(List.of("ann"), locks.all().stream().map(Lock::value).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Authorization: Bearer ", "Authorization: Basic " + "0b0b", "Authorization: bearer x",
    "Authorization: Bearer 0b0b", "X: Bearer"})
  void requestsWithoutTheKeyAreRefused(String field) throws IOException {
    String[] fields = field.isEmpty() ? new String[0] : new String[] {field};
    for (String answer : List.of(send("GET", "/locks", fields), post(LOCK, fields),
        send("DELETE", "/locks/x", fields))) {
      assertAnswer(401, "the key of management.locks.key_file is required", answer);
      assertEquals("Bearer", OneRequest.field(answer, "WWW-Authenticate"));
    }
    assertEquals(List.of(), recorded);
    String log = shown();
    assertTrue(log.contains("A request without the key of locks was refused _client=127.0.0.1"), log);
  }

  @Test
  void theKeyIsAcceptedOnceOnly() throws IOException {
    assertEquals(401, OneRequest.status(send("GET", "/locks", AUTHORIZED, AUTHORIZED)));
    assertEquals(200, OneRequest.status(send("GET", "/locks", AUTHORIZED + " ")));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "{\"target\":\"subject\",\"value\":\"ann\"}|400|a lock has `target`",
    "{\"target\":\"subject\",\"value\":\"ann\",\"reason\":\" \"}|400|a lock has `target`",
    "{}|400|a lock has `target`", "{\"target\":\"subject\",\"reason\":\"x\"}|400|a lock has `target`",
    "{\"target\":\"subject\",\"value\":\"ann\",\"reason\":\"x\",\"value\":\"bob\"}|400|not a lock as JSON: invalid",
    "{\"target\":\"planet\",\"value\":\"ann\",\"reason\":\"x\"}|400|`target` is not one of subject, email, session",
    "{\"target\":\"subject\",\"value\":\"ann\",\"reason\":\"x\",\"until\":\"soon\"}|400|`until` is not a time as 2026-",
    "{\"target\":\"subject\",\"value\":\"ann\",\"reason\":\"x\",\"untill\":\"soon\"}|400|`untill` is not a member; a",
    "{\"target\":\"subject\",\"value\":7,\"reason\":\"x\"}|400|`value` is not a string",
    "[]|400|it is not an object; a lock has `target`",
    "{|400|the request is not a lock as JSON: invalid JSON at line 1",
    "{\"target\":\"client\",\"value\":\"ann\",\"reason\":\"x\"}|422|`ann` is neither an IP address nor a network",
    "{\"target\":\"client\",\"value\":\"10.0.0.1/8\",\"reason\":\"x\"}|422|10.0.0.0/8",
    "{\"target\":\"subject\",\"value\":\"ann\",\"reason\":\"x\",\"until\":\"2001-02-03T04:05:06Z\"}|422|which is over"})
  void whatIsNotALockIsRefusedWithAReason(String body, int status, String reason) throws IOException {
    String answer = post(body, AUTHORIZED);
    assertAnswer(status, reason, answer);
    assertAnswer(status, "{\"error\":\"", answer);
    assertEquals(List.of(), locks.all());
    assertEquals(List.of(), recorded);
  }

  /** Of those of pages that a name leads here (DNS rebinding) none is taken, not even with the key. */
  @Test
  void locksAreForListedHostsOnly() throws IOException {
    String request = OneRequest.text("GET", "/locks", AUTHORIZED) + "\r\n";
    assertAnswer(403, "not listed in management.status_hosts",
        OneRequest.answer(listener.port(), request.replace("Host: localhost", "Host: evil.local")));
    assertAnswer(200, "{\"lockouts\":[],\"locks\":[]}", OneRequest.answer(listener.port(), request));
  }

  @Test
  void aLockMayEndInTheFuture() throws IOException {
    String end = NOW.plusSeconds(1).toString();
    assertAnswer(201, "\"until\":\"" + end + "\"", post(LOCK.replace("}", ",\"until\":\"" + end + "\"}"), AUTHORIZED));
    assertEquals(Optional.of(NOW.plusSeconds(1)), locks.all().getFirst().until());
    assertAnswer(422, "is over", post(LOCK.replace("}", ",\"until\":\"" + NOW + "\"}"), AUTHORIZED));
  }

  @Test
  void membersAreBounded() throws IOException {
    assertAnswer(201, "ann", post(LOCK.replace("left", "l".repeat(1024)), AUTHORIZED));
    assertAnswer(400, "`reason` is longer than 1,024 characters",
        post(LOCK.replace("left", "l".repeat(1025)), AUTHORIZED));
  }

  @Test
  void whatNobodyMeansIsRefused() throws IOException {
    String end = ",\"until\":\"%s\"}";
    assertAnswer(201, "9999", post(LOCK.replace("}", end.formatted("9999-12-31T23:59:59Z")), AUTHORIZED));
    assertAnswer(422, "`until` is after the year 9999",
        post(LOCK.replace("}", end.formatted("+10000-01-01T00:00:00Z")), AUTHORIZED));
    assertAnswer(422, "`issuer` has no meaning for a client", post(
        "{\"target\":\"client\",\"value\":\"192.0.2.7\",\"reason\":\"x\",\"issuer\":\"i\"}", AUTHORIZED));
    for (String strange : List.of("\\u0000", "\\n", "\\ud800", "\\u0085")) {
      assertAnswer(422, "`issuer` has a control character",
          post(LOCK.replace("}", ",\"issuer\":\"i" + strange + "\"}"), AUTHORIZED));
      assertAnswer(422, "`value` has a control character", post(LOCK.replace("ann", "ann" + strange), AUTHORIZED));
    }
    assertAnswer(201, "until", post(LOCK.replace("left", "l\\u00e9ft"), AUTHORIZED));
  }

  @Test
  void spacesAreHardlyMeant() throws IOException {
    assertAnswer(422, "`value` is blank", post(LOCK.replace("ann", " \\u2003"), AUTHORIZED));
    for (String spaced : List.of("ann ", " ann")) {
      assertAnswer(201, "\"warning\":\"what it locks begins or ends with a space", post(LOCK.replace("ann", spaced),
          AUTHORIZED));
    }
    assertFalse(post(LOCK, AUTHORIZED).contains("warning"));
  }

  @Test
  void aChangeThatCouldNotBeSavedIsAnsweredWithAWarning() throws IOException {
    unsaved.set(true);
    assertAnswer(201, "\"warning\":\"it is in force, but not saved: a restart would lose it", post(LOCK, AUTHORIZED));
    assertAnswer(200, "\"warning\":\"it is removed, but that is not saved: a restart would lock again",
        send("DELETE", "/locks/" + locks.all().getFirst().id(), AUTHORIZED));
  }

  @Test
  void whoChangesALockLearnsThatOtherInstancesDoNotKnowIt() throws IOException {
    String later = " on this instance; the other instances will know it when Redis can be used again; the log and";
    unshared.set(true);
    assertAnswer(201, "\"warning\":\"it is in force" + later, post(LOCK, AUTHORIZED));
    unsaved.set(true);
    assertAnswer(201, "a restart would lose it; it is in force" + later, post(LOCK, AUTHORIZED));
    unsaved.set(false);
    assertAnswer(200, "\"warning\":\"it is removed" + later,
        send("DELETE", "/locks/" + locks.all().getFirst().id(), AUTHORIZED));
    unshared.set(false);
    assertFalse(post(LOCK, AUTHORIZED).contains("warning"));
  }

  @Test
  void bodiesAreBounded() throws IOException {
    assertAnswer(201, "ann", post(LOCK + " ".repeat((16 << 10) - LOCK.length()), AUTHORIZED));
    assertAnswer(400, "it has more than 16384 bytes",
        post(LOCK + " ".repeat((16 << 10) + 1 - LOCK.length()), AUTHORIZED));
  }

  @Test
  void tooManyLocksAreRefused() throws IOException {
    for (int i = 0; i < LockTable.MOST_CLIENTS; i++) {
      locks.add(new Lock(Lock.Target.CLIENT, "10.0." + i / 256 + "." + i % 256, "", Optional.empty(), "x", "test", NOW,
          Optional.empty()));
    }
    assertAnswer(422, "too many locks",
        post("{\"target\":\"client\",\"value\":\"192.0.2.1\",\"reason\":\"x\"}", AUTHORIZED));
    assertAnswer(201, "ann", post(LOCK, AUTHORIZED));
  }

  @Test
  void otherMethodsAndUnknownLocksAreRefused() throws IOException {
    String collection = send("PUT", "/locks", AUTHORIZED);
    assertAnswer(405, "GET and POST are possible", collection);
    assertEquals("GET, POST", OneRequest.field(collection, "Allow"));
    String single = send("GET", "/locks/x", AUTHORIZED);
    assertAnswer(405, "DELETE is possible", single);
    assertEquals("DELETE", OneRequest.field(single, "Allow"));
    assertAnswer(404, "there is no such lock", send("DELETE", "/locks/x", AUTHORIZED));
  }

  @Test
  void whatOnlyBeginsLikeALockIsNoPathOfLocks() throws IOException {
    for (String path : List.of("/locksmith", "/lock", "/status/locks")) {
      assertAnswer(404, "404 page not found", send("GET", path, AUTHORIZED));
    }
  }

  @Test
  void theLockOfThisIdIsRemovedAndNoOther() throws IOException {
    post(LOCK, AUTHORIZED);
    post(LOCK.replace("ann", "bob"), AUTHORIZED);
    assertAnswer(404, "there is no such lock", send("DELETE", "/locks/x", AUTHORIZED));
    assertEquals(2, locks.all().size());
    String bob = locks.all().stream().filter(lock -> lock.value().equals("bob")).findFirst().orElseThrow().id();
    assertAnswer(200, "bob", send("DELETE", "/locks/" + bob, AUTHORIZED));
    assertEquals(List.of("ann"), locks.all().stream().map(Lock::value).toList());
  }
}
