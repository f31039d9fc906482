package portcullis.serve.redis;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Yaml;
import portcullis.crypto.keys.KeyRings;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.UsedOnce;

/** What may be used once, by all instances that share Redis. */
class UsedOnceInRedisTest {
  private final InstantSource clock = InstantSource.system();
  private final Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(new ByteArrayOutputStream()), clock,
      "");

  @TempDir
  private Path folder;

  private RedisCache cache(RedisServer server) {
    Problems problems = new Problems();
    return Yaml
        .read(new SourceFile("f", "{address: '127.0.0.1:" + server.port() + "', tls: {disabled: true}}"), problems)
        .flatMap(node -> RedisSettings.TYPES.get("redis").decode(node, problems))
        .flatMap(settings -> settings.cache(false, new KeyRings(clock), clock, log, problems)).orElseThrow();
  }

  @Test
  void usedOnceIsKnownToAllInstances() throws Exception {
    Needs.program("redis-server");
    CacheKey proof = CacheKey.of("dpop", "key", "id");
    try (RedisServer server = RedisServer.start(folder);
        RedisCache one = cache(server);
        RedisCache two = cache(server)) {
      assertTrue(one.isFirst(proof, "key", Duration.ofMinutes(1)));
      assertFalse(two.isFirst(proof, "key", Duration.ofMinutes(1)));
      assertFalse(one.isFirst(proof, "key", Duration.ofMinutes(1)));
      assertTrue(two.isFirst(CacheKey.of("dpop", "key", "other"), "key", Duration.ofMinutes(1)));
    }
  }

  @Test
  void whatMayBeUsedOnceIsNotAcceptedWithoutRedis() {
    try (RedisCache cache = new RedisCache(() -> {
      throw new RedisOperations.RedisException("down");
    }, new Seal(Optional.empty()), clock, clock, log)) {
      CacheKey proof = CacheKey.of("dpop", "key", "id");
      assertThrows(UsedOnce.UnknownException.class, () -> cache.isFirst(proof, "key", Duration.ofMinutes(1)));
      assertThrows(UsedOnce.UnknownException.class, () -> cache.isFirst(proof, "key", Duration.ofMinutes(1)), "paused");
    }
  }
}
