package portcullis.serve.redis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Decoder;
import portcullis.config.Yaml;
import portcullis.crypto.keys.KeyRings;
import portcullis.fixture.Await;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.FreePort;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.observe.telemetry.OngoingProblem;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheKey;

/** Over real sockets to a real redis-server. */
class RedisCacheTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final CacheKey KEY = CacheKey.of("test", "a");
  private static final byte[] VALUE = {7, 0, -1};
  private static final String CLEAR = ", tls: {disabled: true}";
  private static final String PATIENT = CLEAR + ", timeout: {write: 10s}";

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(out);
  private final Log log = new Log(Level.INFO, LogFormat.TEXT, writer, now::get, "");

  @TempDir
  private Path folder;

  @BeforeEach
  void needsRedis() {
    Needs.program("redis-server");
  }

  @AfterEach
  void close() {
    writer.close();
  }

  private RedisCache cache(String type, String settings) {
    Problems problems = new Problems();
    Decoder<RedisSettings> decoder = RedisSettings.TYPES.get(type);
    Optional<RedisCache> cache = Yaml.read(new SourceFile("f", "{" + settings + "}"), problems)
        .flatMap(node -> decoder.decode(node, problems))
        .flatMap(s -> s.cache(false, new KeyRings(now::get), now::get, now::get, log, problems));
    return cache.orElseThrow(() -> new AssertionError(problems.sorted().stream().map(Problem::text).toList()));
  }

  private RedisCache cache(RedisServer server, String more) {
    return cache("redis", "address: '127.0.0.1:" + server.port() + "'" + more);
  }

  private static void works(RedisCache cache) {
    assertEquals(Optional.empty(), cache.problem());
    cache.put(KEY, VALUE, MINUTE);
    assertArrayEquals(VALUE, cache.get(KEY).orElseThrow());
    assertTrue(cache.get(CacheKey.of("test", "b")).isEmpty());
  }

  private String logged() {
    writer.close();
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void keepsValuesAndSharesThem() {
    try (RedisServer server = RedisServer.start(folder);
        RedisCache one = cache(server, CLEAR);
        RedisCache other = cache(server, CLEAR)) {
      works(one);
      assertArrayEquals(VALUE, other.get(KEY).orElseThrow());
      one.put(KEY, new byte[] {1}, MINUTE);
      assertArrayEquals(new byte[] {1}, other.get(KEY).orElseThrow());
    }
  }

  @Test
  void oneInstanceClaimsAKey() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        RedisCache one = cache(server, CLEAR);
        RedisCache other = cache(server, CLEAR)) {
      assertEquals(Cache.Claim.OWN, one.claim(KEY, MINUTE));
      assertEquals(Cache.Claim.OTHER, other.claim(KEY, MINUTE));
      assertEquals(Cache.Claim.OTHER, one.claim(KEY, MINUTE));
      assertEquals(Cache.Claim.OWN, other.claim(CacheKey.of("test", "another"), MINUTE));
      one.release(KEY);
      assertEquals(Cache.Claim.EACH, other.claim(KEY, MINUTE), "the result could not be shared");
      Await.until(() -> other.claim(KEY, MINUTE) == Cache.Claim.OWN); // but may be later
      server.kill();
      assertEquals(Cache.Claim.EACH, one.claim(KEY, MINUTE));
    }
  }

  @Test
  void aValueEndsWithItsTime() throws Exception {
    try (RedisServer server = RedisServer.start(folder); RedisCache cache = cache(server, CLEAR)) {
      cache.put(KEY, VALUE, Duration.ofSeconds(Long.MAX_VALUE));
      assertTrue(cache.get(KEY).isPresent());
      cache.put(KEY, VALUE, Duration.ofMillis(1500));
      int left = Integer.parseInt(server.say("PTTL portcullis:2:" + KEY.hash()).substring(1));
      assertTrue(left > 0 && left <= 1500, left + " ms");
      cache.put(KEY, VALUE, Duration.ofMillis(1));
      Await.until(() -> cache.get(KEY).isEmpty());
      cache.put(KEY, VALUE, Duration.ZERO);
      cache.put(KEY, VALUE, Duration.ofSeconds(-1));
      assertTrue(cache.get(KEY).isEmpty());
    }
  }

  @Test
  void valuesAreBounded() {
    try (RedisServer server = RedisServer.start(folder); RedisCache cache = cache(server, CLEAR)) {
      byte[] most = new byte[RedisCache.MOST_BYTES];
      cache.put(KEY, most, MINUTE);
      assertEquals(most.length, cache.get(KEY).orElseThrow().length);
      cache.put(CacheKey.of("test", "large"), new byte[most.length + 1], MINUTE);
      assertEquals(":1", server.say("DBSIZE"));
      server.say("SETRANGE portcullis:2:" + KEY.hash() + " 400000000 x");
      assertTrue(cache.get(KEY).isEmpty(), "of what others wrote no more than that is read");
    }
  }

  @Test
  void whatOthersWroteIsNotUsed() {
    try (RedisServer server = RedisServer.start(folder);
        RedisCache cache = cache(server, CLEAR + ", secret: of-all-instances")) {
      works(cache);
      CacheKey other = CacheKey.of("test", "other");
      assertEquals("+OK", server.say("RENAME portcullis:2:" + KEY.hash() + " portcullis:2:" + other.hash()));
      assertTrue(cache.get(other).isEmpty(), "an answer to another question");
      server.say("SET portcullis:2:" + KEY.hash() + " {\"allowed\":true}");
      assertTrue(cache.get(KEY).isEmpty());
      server.say("DEL portcullis:2:" + KEY.hash(), "LPUSH portcullis:2:" + KEY.hash() + " x");
      assertTrue(cache.get(KEY).isEmpty(), "a value of another kind");
    }
  }

  @Test
  void aLostConnectionCostsACallAndNothingElse() {
    try (RedisServer server = RedisServer.start(folder); RedisCache cache = cache(server, CLEAR)) {
      works(cache);
      server.kill();
      for (int i = 0; i < 1000; i++) {
        assertTrue(cache.get(KEY).isEmpty());
        cache.put(KEY, VALUE, MINUTE);
      }
      assertTrue(cache.problem().isPresent());
      server.start();
      now.updateAndGet(n -> n.plus(RedisCache.QUIET));
      cache.put(KEY, VALUE, MINUTE);
      while (cache.get(KEY).isEmpty()) { // other connections of the pool may be lost too
        now.updateAndGet(n -> n.plus(RedisCache.QUIET));
        cache.put(KEY, VALUE, MINUTE);
      }
    }
    String reported = logged();
    assertTrue(
        reported.contains("ERR Redis cannot be used, responses are not cached")
            && reported.contains("INF Redis can be used again"),
        reported);
    assertTrue(reported.lines().count() < 20, reported);
  }

  @Test
  void aLossIsNoticedWithoutRequests() {
    try (RedisServer server = RedisServer.start(folder); RedisCache cache = cache(server, CLEAR)) {
      cache.probe();
      assertEquals(List.of(), log.problems());
      server.kill();
      Instant lost = now.get();
      cache.probe();
      now.updateAndGet(n -> n.plus(RedisCache.QUIET));
      cache.probe();
      assertEquals(List.of(lost), log.problems().stream().map(OngoingProblem::since).toList());
      assertTrue(
          log.problems().getFirst().text().startsWith("Redis cannot be used, responses are not cached: 127.0.0.1:"),
          log.problems().toString());
      server.start();
      long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
      while (!log.problems().isEmpty() && System.nanoTime() < end) { // connections of the pool may be lost too
        now.updateAndGet(n -> n.plus(RedisCache.QUIET));
        cache.probe();
      }
      assertEquals(List.of(), log.problems());
    }
    List<String> causes = logged().lines().filter(line -> line.contains("ERR Redis cannot be used"))
        .map(line -> line.substring(line.indexOf("ERR"))).toList();
    assertTrue(!causes.isEmpty() && causes.size() == Set.copyOf(causes).size(), this::logged);
    assertEquals(1, logged().lines().filter(line -> line.contains("INF Redis can be used again")).count(), logged());
  }

  @Test
  void cachesNothingWithoutAServer() {
    try (RedisCache cache = cache("redis", "address: '127.0.0.1:" + FreePort.next() + "'" + CLEAR)) {
      cache.put(KEY, VALUE, MINUTE);
      assertTrue(cache.get(KEY).isEmpty());
      assertTrue(cache.problem().isPresent());
    }
  }

  @Test
  void aServerThatSaysNothingIsWaitedForShortly() throws IOException {
    try (java.net.ServerSocket silent = new java.net.ServerSocket(0);
        RedisCache cache = cache("redis",
            "address: '127.0.0.1:" + silent.getLocalPort() + "', timeout: {write: 100ms}" + CLEAR)) {
      long begin = System.nanoTime();
      for (int i = 0; i < 500; i++) {
        assertTrue(cache.get(KEY).isEmpty());
      }
      assertTrue(System.nanoTime() - begin < Duration.ofSeconds(25).toNanos());
    }
  }

  @Test
  void answersAreWaitedForAsLongAsReadSays() throws IOException {
    try (java.net.ServerSocket silent = new java.net.ServerSocket(0);
        RedisCache cache = cache("redis", "address: '127.0.0.1:" + silent.getLocalPort() + "', timeout: {write: 10s, "
            + "read: 100ms}" + CLEAR)) {
      long begin = System.nanoTime();
      assertTrue(cache.get(KEY).isEmpty());
      assertTrue(System.nanoTime() - begin < Duration.ofSeconds(5).toNanos());
    }
  }

  @Test
  void closesUnusedConnections() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        RedisCache watcher = cache(server, PATIENT);
        RedisCache cache = cache(server, CLEAR + ", timeout: {write: 10s, idle: 50ms}")) {
      works(cache);
      works(watcher);
      Await.until(() -> server.clients("portcullis") == 1);
      works(cache);
    }
  }

  @Test
  void usersPasswordsAndDataBases() throws IOException {
    try (RedisServer server = RedisServer.start(folder, "--requirepass", "pass1", "--user", "gate", "on", ">pass2",
        "~portcullis:*", "+@all")) {
      Path file = Files.writeString(folder.resolve("login.yaml"), "username: gate\npassword: pass2\n");
      try (RedisCache inWords = cache(server, ", db: 3, credentials: {password: pass1}" + CLEAR);
          RedisCache inFile = cache(server, ", credentials: {path: " + file + "}" + CLEAR);
          RedisCache wrong = cache(server, ", credentials: {username: gate, password: pass1}" + CLEAR);
          RedisCache nobody = cache(server, CLEAR)) {
        works(inWords);
        assertTrue(inFile.get(KEY).isEmpty(), "another data base");
        works(inFile);
        assertTrue(wrong.problem().isPresent() && nobody.problem().isPresent());
        assertFalse(wrong.problem().get().contains("pass1"));
      }
    }
  }

  @Test
  void aChangedFileOfCredentialsCountsForNewConnections() throws IOException {
    try (RedisServer server = RedisServer.start(folder, "--requirepass", "pass1")) {
      Path file = Files.writeString(folder.resolve("login.json"), "{\"password\": \"pass1\"}");
      try (RedisCache cache = cache(server, ", credentials: {path: " + file + "}" + CLEAR)) {
        works(cache);
        Files.writeString(file, "{\"password\": ");
        server.say("AUTH pass1", "CLIENT KILL TYPE normal SKIPME yes");
        assertTrue(again(cache), "a file that cannot be read changes nothing");
        server.say("AUTH pass1", "CONFIG SET requirepass pass2");
        Files.writeString(file, "{\"password\": \"pass2\"}");
        server.say("AUTH pass2", "CLIENT KILL TYPE normal SKIPME yes");
        assertTrue(again(cache));
      }
    }
    assertTrue(logged().contains("ERR Credentials of Redis not reloaded"), this::logged);
  }

  /** Whether values are found once connections that were ended are given up. */
  private boolean again(RedisCache cache) {
    for (int i = 0; i < 100; i++) {
      now.updateAndGet(n -> n.plus(RedisCache.QUIET));
      if (cache.get(KEY).isPresent()) {
        return true;
      }
    }
    return false;
  }

  @Test
  void usesAndVerifiesTlsByDefault() throws IOException {
    TestCertificate authority = CertificateDraft.authority("authority");
    TestCertificate server = CertificateDraft.of("redis").issuedBy(authority).hosts("localhost").make();
    TestCertificate client = CertificateDraft.of("gate").issuedBy(authority).make();
    Path trust = Files.writeString(folder.resolve("ca.pem"), authority.pem());
    Path certificate = Files.writeString(folder.resolve("redis.pem"), server.pem());
    Path key = Files.writeString(folder.resolve("redis.key"), TestKeys.pem(server.keys()));
    Path own = Files.writeString(folder.resolve("gate.pem"), client.keyStore());
    try (RedisServer redis = RedisServer.startTls(folder, "--tls-cert-file", certificate.toString(), "--tls-key-file",
        key.toString(), "--tls-ca-cert-file", trust.toString(), "--tls-auth-clients", "yes")) {
      String named = "address: 'localhost:" + redis.port() + "'";
      String shown = ", tls: {trust_store: " + trust + ", key_store: {path: " + own + "}}";
      try (RedisCache good = cache("redis", named + shown);
          RedisCache unnamed = cache("redis", "address: '127.0.0.1:" + redis.port() + "'" + shown);
          RedisCache withoutKey = cache("redis", named + ", tls: {trust_store: " + trust + "}");
          RedisCache distrustful = cache("redis", named);
          RedisCache open = cache("redis", named + CLEAR)) {
        works(good);
        assertTrue(unnamed.problem().isPresent(), "the certificate is for another host");
        assertTrue(withoutKey.problem().isPresent());
        for (RedisCache one : List.of(unnamed, withoutKey, distrustful)) {
          assertFalse(one.problem().get().contains("disabled"), one.problem()::get);
        }
        assertTrue(distrustful.problem().get().contains("in `tls.trust_store`"), distrustful.problem()::get);
        assertTrue(open.problem().get().contains("remove `tls: { disabled: true }`"), open.problem()::get);
      }
    }
    try (RedisServer redis = RedisServer.start(folder);
        RedisCache secure = cache("redis", "address: 'localhost:" + redis.port() + "'")) {
      assertTrue(secure.problem().get().contains("a Redis without TLS needs"), secure.problem()::get);
    }
  }

  @Test
  void sentinelsNameTheMaster() {
    try (RedisServer master = RedisServer.start(folder); RedisServer sentinel = RedisServer.sentinel(folder, master)) {
      try (RedisCache cache = cache("redis-sentinel",
          "nodes: ['127.0.0.1:" + sentinel.port() + "'], master: mymaster, db: 1" + PATIENT)) {
        works(cache);
      }
      try (RedisCache other = cache("redis-sentinel",
          "nodes: ['127.0.0.1:" + sentinel.port() + "'], master: other" + CLEAR)) {
        assertTrue(other.problem().isPresent());
        assertTrue(other.get(KEY).isEmpty());
      }
    }
  }

  @Test
  void sentinelsMayAskForAPasswordOfTheirOwn() {
    try (RedisServer master = RedisServer.start(folder, "--requirepass", "pass1");
        RedisServer sentinel = RedisServer.sentinel(folder, master, "requirepass pass2", "sentinel auth-pass "
            + "mymaster pass1")) {
      String settings = "nodes: ['127.0.0.1:" + sentinel.port() + "'], master: mymaster, credentials: {password: "
          + "pass1}" + PATIENT;
      try (RedisCache good = cache("redis-sentinel", settings + ", sentinel_credentials: {password: pass2}");
          RedisCache wrong = cache("redis-sentinel", settings + ", sentinel_credentials: {password: pass1}");
          RedisCache nobody = cache("redis-sentinel", settings)) {
        works(good);
        assertTrue(wrong.problem().isPresent() && nobody.problem().isPresent());
        assertFalse(wrong.problem().get().contains("pass1"));
      }
    }
  }

  @Test
  void aClusterIsFoundByOneNode() throws Exception {
    try (RedisServer one = RedisServer.start(folder, "--cluster-enabled", "yes", "--cluster-config-file", "one.conf",
        "--cluster-port", Integer.toString(FreePort.next()))) {
      assertEquals("+OK", one.say("CLUSTER ADDSLOTSRANGE 0 16383"));
      Await.until(() -> one.say("SET ready 1").equals("+OK"));
      try (RedisCache cache = cache("redis-cluster", "nodes: ['127.0.0.1:" + one.port() + "']" + PATIENT)) {
        works(cache);
      }
    }
  }
}
