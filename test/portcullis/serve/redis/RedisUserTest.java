package portcullis.serve.redis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Yaml;
import portcullis.crypto.keys.KeyRings;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;
import portcullis.fixture.RedisUsers;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.limit.Bucket;
import portcullis.policy.limit.Lockout;
import portcullis.policy.limit.LockoutStore;
import portcullis.policy.limit.Rate;

/** The user of Redis that the documentation defines for the cache. */
class RedisUserTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final byte[] VALUE = {1, 2};

  private final InstantSource clock = InstantSource.system();
  private final Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(new ByteArrayOutputStream()), clock,
      "");

  @TempDir
  private Path folder;

  private RedisCache cache(RedisServer server, InstantSource clock) {
    Problems problems = new Problems();
    return Yaml.read(new SourceFile("f", "{address: '127.0.0.1:" + server.port() + "', tls: {disabled: true}, db: 2, "
        + "credentials: {username: cache, password: PASSWORD}}"), problems)
        .flatMap(node -> RedisSettings.TYPES.get("redis").decode(node, problems))
        .flatMap(settings -> settings.cache(false, new KeyRings(clock), clock, log, problems)).orElseThrow();
  }

  @Test
  void theLatestReasonWhyRedisCannotBeUsedIsListed() {
    Needs.program("redis-server");
    AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    try (RedisServer server = RedisServer.start(folder)) {
      server.say(RedisUsers.line("cache"));
      try (RedisCache cache = cache(server, now::get)) {
        cache.probe();
        assertEquals(List.of(), log.problems());
        server.say("ACL SETUSER cache resetpass >another", "CLIENT KILL USER cache");
        for (int i = 0; i < 5; i++) {
          now.updateAndGet(time -> time.plus(RedisCache.QUIET));
          cache.probe();
        }
        assertEquals(1, log.problems().size());
        assertTrue(log.problems().getFirst().text().contains("WRONGPASS"), log.problems()::toString);
      }
    }
  }

  @Test
  void itIsPermittedWhatTheCacheNeeds() throws Exception {
    Needs.program("redis-server");
    try (RedisServer server = RedisServer.start(folder)) {
      assertEquals("+OK", server.say(RedisUsers.line("cache")));
      try (RedisCache cache = cache(server, clock)) {
        CacheKey key = CacheKey.of("test", "a");
        assertEquals(Optional.empty(), cache.problem());
        assertTrue(cache.put(key, VALUE, MINUTE));
        assertArrayEquals(VALUE, cache.get(key).orElseThrow());
        assertTrue(cache.isFirst(key, "", MINUTE));
        assertEquals(Cache.Claim.OWN, cache.claim(CacheKey.of("test", "b"), MINUTE));
        cache.release(CacheKey.of("test", "b"));
        assertTrue(cache.take(key, Bucket.of(Rate.parse("1/1m").orElseThrow(), 1)).allowed());
        Lockout lockout = new Lockout(2, Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(1));
        for (int i = 0; i < 300; i++) { // some have ended, and are removed to make room
          cache.record(CacheKey.of("credential", Integer.toString(i % 200)), "192.0.2.1", lockout, i % 7 == 0);
        }
        LockoutStore.State state = cache.record(key, "192.0.2.2", lockout, true);
        assertEquals(0, state.failures());
        cache.forget("192.0.2.1");
        assertEquals("*0", server.say("ACL LOG"), "what was not permitted");
        assertEquals(List.of(), log.problems());
      }
    }
  }
}
