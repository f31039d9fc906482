package portcullis.serve.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
import portcullis.policy.limit.Bucket;
import portcullis.policy.limit.Rate;
import portcullis.policy.limit.RateStore;

/** Rates that all instances that share Redis count together. */
class RatesInRedisTest {
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

  private static Bucket bucket(String rate, long burst) {
    return Bucket.of(Rate.parse(rate).orElseThrow(), burst);
  }

  @Test
  void instancesCountTogether() throws Exception {
    Needs.program("redis-server");
    try (RedisServer server = RedisServer.start(folder);
        RedisCache one = cache(server);
        RedisCache two = cache(server);
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Bucket bucket = bucket("40/1h", 40);
      List<Future<RateStore.Result>> all = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        RedisCache instance = i % 2 == 0 ? one : two;
        all.add(threads.submit(() -> instance.take(CacheKey.of("rate", "ann"), bucket)));
      }
      int allowed = 0;
      for (Future<RateStore.Result> verdict : all) {
        allowed += verdict.get().allowed() ? 1 : 0;
      }
      assertEquals(40, allowed);
      assertTrue(two.take(CacheKey.of("rate", "bob"), bucket).allowed());
    }
  }

  @Test
  void verdictsSayWhatIsLeft() throws Exception {
    Needs.program("redis-server");
    try (RedisServer server = RedisServer.start(folder); RedisCache cache = cache(server)) {
      Bucket bucket = bucket("3/1h", 3);
      for (int left = 2; left >= 0; left--) {
        RateStore.Result verdict = cache.take(CacheKey.of("rate", "ann"), bucket);
        assertTrue(verdict.allowed());
        assertEquals(left, verdict.remaining());
        assertEquals((3 - left) * 1200, Math.round(verdict.full().toMillis() / 1000.0), 1);
      }
      RateStore.Result refused = cache.take(CacheKey.of("rate", "ann"), bucket);
      assertFalse(refused.allowed());
      assertEquals(1200, refused.retry().toSeconds(), 1);
    }
  }

  @Test
  void tokensComeBack() throws Exception {
    Needs.program("redis-server");
    try (RedisServer server = RedisServer.start(folder); RedisCache cache = cache(server)) {
      Bucket bucket = bucket("100/s", 1);
      assertTrue(cache.take(CacheKey.of("rate", "ann"), bucket).allowed());
      long begin = System.nanoTime();
      while (!cache.take(CacheKey.of("rate", "ann"), bucket).allowed()) {
        assertTrue(System.nanoTime() - begin < 5_000_000_000L);
      }
    }
  }

  @Test
  void withoutRedisNothingIsKnown() {
    try (RedisCache cache = new RedisCache(() -> {
      throw new RedisOperations.RedisException("down");
    }, new Seal(Optional.empty()), clock, clock, log)) {
      assertThrows(RateStore.UnavailableException.class, () -> cache.take(CacheKey.of("a"), bucket("1/s", 1)));
      assertThrows(RateStore.UnavailableException.class, () -> cache.take(CacheKey.of("a"), bucket("1/s", 1)),
          "paused");
    }
  }
}
