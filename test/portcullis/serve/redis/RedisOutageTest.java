package portcullis.serve.redis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Yaml;
import portcullis.crypto.keys.KeyRings;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheException;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.UsedOnce;

/** A real redis-server that starts again, or is gone. */
class RedisOutageTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final CacheKey KEY = CacheKey.of("test", "a");
  private static final byte[] VALUE = {7, 0, -1};

  private final InstantSource clock = InstantSource.system();
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(out);
  private final Map<String, byte[]> stored = new HashMap<>();

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

  private RedisCache cache(RedisServer server) {
    Problems problems = new Problems();
    String settings = "{address: '127.0.0.1:" + server.port() + "', tls: {disabled: true}, timeout: {write: 10s}}";
    return Yaml.read(new SourceFile("f", settings), problems)
        .flatMap(node -> RedisSettings.TYPES.get("redis").decode(node, problems))
        .flatMap(s -> s.cache(false, new KeyRings(clock), clock,
            new Log(Level.INFO, LogFormat.TEXT, writer, clock, ""), problems))
        .orElseThrow(() -> new AssertionError(problems.sorted().stream().map(Problem::text).toList()));
  }

  @Test
  void whatRedisRefusesToStoreStopsNoReads() throws Exception {
    try (RedisServer server = RedisServer.start(folder); RedisCache cache = cache(server)) {
      cache.store(KEY, VALUE, MINUTE);
      server.say("CONFIG SET maxmemory 1");
      assertThrows(CacheException.class, () -> cache.store(KEY, VALUE, MINUTE));
      assertArrayEquals(VALUE, cache.find(KEY).orElseThrow());
      assertThrows(UsedOnce.UnknownException.class, () -> cache.isFirst(KEY, "o", MINUTE));
      assertArrayEquals(VALUE, cache.find(KEY).orElseThrow());
      server.say("CONFIG SET maxmemory 0");
      assertTrue(cache.isFirst(KEY, "o", MINUTE));
      assertFalse(cache.isFirst(KEY, "o", MINUTE));
    }
    writer.close();
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertEquals(2, lines.size(), lines.toString());
    assertTrue(lines.getFirst().contains("ERR Redis refuses commands") && lines.getFirst().contains("OOM"),
        lines.toString());
    assertTrue(lines.getLast().contains("INF Redis does what it is asked for again"), lines.toString());
  }

  @Test
  void whatIsRepeatedSinceItsResponseWasLostIsStillTheFirst() throws Exception {
    AtomicInteger calls = new AtomicInteger();
    RedisOperations executedTwice = (RedisOperations) Proxy.newProxyInstance(getClass().getClassLoader(),
        new Class<?>[] {RedisOperations.class}, (_, method, arguments) -> switch (method.getName()) {
          case "writeNew" -> {
            stored.putIfAbsent((String) arguments[0], (byte[]) arguments[1]);
            yield calls.incrementAndGet() < 0;
          }
          case "read" -> stored.getOrDefault(arguments[0], new byte[0]);
          default -> null;
        });
    try (RedisCache cache = new RedisCache(() -> executedTwice, new Seal(Optional.empty()), clock, clock,
        new Log(Level.INFO, LogFormat.TEXT, writer, clock, ""))) {
      assertTrue(cache.isFirst(KEY, "o", MINUTE));
      assertFalse(cache.isFirst(KEY, "o", MINUTE));
      assertEquals(Cache.Claim.OWN, cache.claim(KEY, MINUTE));
      assertEquals(Cache.Claim.OTHER, cache.claim(KEY, MINUTE));
    }
    assertEquals(4, calls.get());
  }

  @Test
  void aRestartCostsNoCall() throws Exception {
    try (RedisServer server = RedisServer.start(folder); RedisCache cache = cache(server)) {
      assertTrue(cache.put(KEY, VALUE, MINUTE));
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        threads.invokeAll(List.of(() -> cache.get(KEY), () -> cache.get(KEY), () -> cache.get(KEY)));
      }
      server.kill();
      server.start();
      assertTrue(cache.put(KEY, VALUE, MINUTE));
      assertArrayEquals(VALUE, cache.get(KEY).orElseThrow());
    }
    writer.close();
    assertEquals("", out.toString(StandardCharsets.UTF_8));
  }

  @Test
  void whatCannotBeLookedUpIsNotMissing() throws Exception {
    try (RedisServer server = RedisServer.start(folder); RedisCache cache = cache(server)) {
      cache.store(KEY, VALUE, MINUTE);
      assertArrayEquals(VALUE, cache.find(KEY).orElseThrow());
      server.kill();
      for (int i = 0; i < 2; i++) { // the second time Redis is not called
        String reason = assertThrows(CacheException.class, () -> cache.find(KEY)).getMessage();
        assertTrue(reason.startsWith("127.0.0.1:" + server.port()), reason);
        assertThrows(CacheException.class, () -> cache.store(KEY, VALUE, MINUTE));
      }
      assertTrue(cache.get(KEY).isEmpty());
    }
  }
}
