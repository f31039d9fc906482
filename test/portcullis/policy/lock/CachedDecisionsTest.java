package portcullis.policy.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.config.Yaml;
import portcullis.crypto.keys.KeyRings;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;
import portcullis.fixture.StubService;
import portcullis.fixture.TokenIssuer;
import portcullis.http.message.Authority;
import portcullis.http.message.Body;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.http.message.RequestPath;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.MemoryCache;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
import portcullis.policy.decision.ProtectedHeaders;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.rule.Catalogues;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleReader;
import portcullis.serve.redis.RedisCache;
import portcullis.serve.redis.RedisSettings;

/** Locks hold whatever was remembered of tokens and of the answers of remote services. */
class CachedDecisionsTest {
  private static final String MECHANISMS = """
      authenticators:
        - {id: jwt, type: jwt, config: {jwks_endpoint: {url: "JWKS"}, assertions: {issuers: ["https://idp.example"]}}}
        - {id: opaque, type: oauth2_introspection, config: {introspection_endpoint: {url: "STUB/introspect"},
            assertions: {issuers: ["https://idp.example"]}, cache_ttl: 10m}}
        - {id: session, type: generic, config: {identity_info_endpoint: {url: "STUB/whoami"}, cache_ttl: 10m,
            authentication_data_source: [{header: Authorization}], subject: {id: sub}}}
      authorizers:
        - {id: asked, type: remote, config: {endpoint: {url: "STUB/allow"}, payload: "{{ .Subject.ID }}",
            cache_ttl: 10m}}
      """;

  private final InstantSource clock = InstantSource.system();
  private final Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(new ByteArrayOutputStream()), clock,
      "");
  private final HttpClient client = HttpClient.newHttpClient();
  private final long now = Instant.now().getEpochSecond();
  private final String claims = "{\"active\":true,\"iss\":\"https://idp.example\",\"sub\":\"alice\",\"sid\":\"s1\","
      + "\"jti\":\"t1\",\"iat\":" + now + ",\"exp\":" + (now + 600) + "}";
  private final StubService service = new StubService(call -> StubService.ok(claims, "Content-Type: application/json"));
  private TokenIssuer issuer;

  @TempDir
  private Path folder;

  @BeforeEach
  void start() throws Exception {
    issuer = new TokenIssuer();
  }

  @AfterEach
  void stop() {
    issuer.close();
    service.close();
    client.close();
  }

  /** An instance of the service with these locks and this cache. */
  private Decider instance(String authenticator, LockTable locks, Cache cache) {
    Problems problems = new Problems();
    MechanismContext context = new MechanismContext(new EndpointClient(() -> client, cache), new KeyRings(clock),
        Enforcement.NONE, clock, clock, log);
    Catalogue catalogue = Catalogue.read(Catalogues.node(MECHANISMS.replace("JWKS", issuer.jwksUrl())
        .replace("STUB", service.url("").replaceAll("/$", "")), problems), context, problems);
    RouteIndex<Rule> index = new RuleReader(catalogue, Optional.empty(), false, Optional.empty()).read("test",
        new SourceFile("f", "version: 1alpha4\nrules:\n- {id: all, match: {routes: [{path: '/**'}]}, execute: "
            + "[{authenticator: " + authenticator + "}, {authorizer: asked}]}\n"),
        problems).set()
        .flatMap(set -> RouteIndex.<Rule>empty().with(List.of(set), problems))
        .orElseThrow(() -> new AssertionError(Catalogues.reported(problems)));
    Snapshot snapshot = new Snapshot(1, catalogue, index, Optional.empty(), ProtectedHeaders.NONE);
    return new Decider(() -> snapshot, log, locks);
  }

  /** Returns the subject, or why it is refused. */
  private String outcome(Decider decider, String token) throws Exception {
    Request request = new Request("GET", "http", Authority.parse("a").orElseThrow(), RequestPath.read("/x"), "",
        Fields.of("Authorization", "Bearer " + token), List.of("192.0.2.7"),
        Body.of("".getBytes(StandardCharsets.UTF_8), ""));
    return switch (decider.decide(request, Observer.NONE)) {
      case Decision.Allow allow -> allow.subject();
      case Decision.Refuse refuse -> refuse.stepFailure().failure().report();
      case Decision.Own _ -> "own";
    };
  }

  private static Lock lock(Lock.Target target, String value) {
    return new Lock(target, value, "", Optional.empty(), "stolen", "command", Instant.now(), Optional.empty());
  }

  @ParameterizedTest
  @CsvSource({"jwt, SUBJECT, alice", "jwt, SESSION, s1", "jwt, TOKEN, t1", "opaque, SUBJECT, alice",
    "opaque, SESSION, s1", "opaque, TOKEN, t1", "session, SUBJECT, alice", "session, SESSION, s1"})
  void dropsCachedDecisionsOfALockedSubject(String authenticator, Lock.Target target, String value)
      throws Exception {
    LockTable locks = new LockTable(clock);
    Decider decider = instance(authenticator, locks, new MemoryCache(1 << 20, 0, clock));
    String token = issuer.token(claims);
    assertEquals("alice", outcome(decider, token));
    int calls = service.receivedCalls().size();
    assertEquals("alice", outcome(decider, token));
    assertEquals(calls, service.receivedCalls().size(), "all answers are cached");
    locks.add(lock(target, value));
    String refusal = outcome(decider, token);
    assertTrue(refusal.startsWith("authentication error: access is locked: "), refusal);
    assertEquals(calls, service.receivedCalls().size(), "nobody has to be asked for that");
    locks.remove(locks.all().getFirst().id());
    assertEquals("alice", outcome(decider, token));
  }

  private RedisCache redis(RedisServer server) {
    Problems problems = new Problems();
    return Yaml
        .read(new SourceFile("f", "{address: '127.0.0.1:" + server.port() + "', tls: {disabled: true}}"), problems)
        .flatMap(node -> RedisSettings.TYPES.get("redis").decode(node, problems))
        .flatMap(settings -> settings.cache(false, new KeyRings(clock), clock, log, problems)).orElseThrow();
  }

  @Test
  void dropsCachedDecisionsInRedisToo() throws Exception {
    Needs.program("redis-server");
    try (RedisServer server = RedisServer.start(folder);
        RedisCache one = redis(server);
        RedisCache two = redis(server)) {
      String token = issuer.token(claims);
      assertEquals("alice", outcome(instance("opaque", new LockTable(clock), one), token));
      int calls = service.receivedCalls().size();
      LockTable locks = new LockTable(clock);
      Decider other = instance("opaque", locks, two);
      assertEquals("alice", outcome(other, token));
      assertEquals(calls, service.receivedCalls().size(), "by what another instance has cached");
      locks.add(lock(Lock.Target.SESSION, "s1"));
      assertTrue(outcome(other, token).startsWith("authentication error: access is locked: "));
    }
  }
}
