package portcullis.serve.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
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
import portcullis.policy.cache.CacheCodec;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.SingleFlight;

/** Instances that share Redis fetch what they need at the same time once. */
class FlightsInRedisTest {
  private static final Duration HOUR = Duration.ofHours(1);
  private static final CacheKey KEY = CacheKey.of("test", "a");

  private final InstantSource clock = InstantSource.system();
  private final Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(new ByteArrayOutputStream()), clock,
      "");
  private final AtomicInteger fetches = new AtomicInteger();
  private final CountDownLatch begun = new CountDownLatch(1);

  @TempDir
  private Path folder;

  @BeforeEach
  void redis() {
    Needs.program("redis-server");
  }

  private RedisCache cache(RedisServer server) {
    Problems problems = new Problems();
    return Yaml
        .read(new SourceFile("f", "{address: '127.0.0.1:" + server.port() + "', tls: {disabled: true}}"), problems)
        .flatMap(node -> RedisSettings.TYPES.get("redis").decode(node, problems))
        .flatMap(settings -> settings.cache(false, new KeyRings(clock), clock, log, problems)).orElseThrow();
  }

  private FutureTask<Integer> started(RedisCache cache, CountDownLatch until) {
    FutureTask<Integer> task = new FutureTask<>(
        () -> new SingleFlight(cache, HOUR).fetchOnce(KEY, CacheCodec.BYTES, HOUR, () -> {
          begun.countDown();
          until.await();
          return new byte[] {(byte) fetches.incrementAndGet()};
        }, bytes -> new SingleFlight.Read<>((int) bytes[0], HOUR)));
    Thread.ofVirtual().start(task);
    return task;
  }

  @Test
  void threeInstancesFetchOnce() throws Exception {
    try (RedisServer server = RedisServer.start(folder);
        RedisCache one = cache(server);
        RedisCache two = cache(server);
        RedisCache three = cache(server)) {
      CountDownLatch go = new CountDownLatch(1);
      List<FutureTask<Integer>> all = new ArrayList<>();
      for (RedisCache cache : List.of(one, two, three)) {
        all.add(started(cache, go));
      }
      begun.await();
      go.countDown();
      for (FutureTask<Integer> task : all) {
        assertEquals(1, task.get());
      }
      assertEquals(1, fetches.get());
    }
  }

  @Test
  void nobodyWaitsForAnInstanceWithoutRedis() throws Exception {
    for (boolean frozen : new boolean[] {false, true}) {
      try (RedisServer server = RedisServer.start(folder);
          RedisCache one = cache(server);
          RedisCache two = cache(server)) {
        CountDownLatch go = new CountDownLatch(1);
        FutureTask<Integer> first = started(one, go);
        begun.await();
        FutureTask<Integer> second = started(two, new CountDownLatch(0));
        if (frozen) {
          server.freeze();
        } else {
          server.kill();
        }
        second.get(1, TimeUnit.MINUTES);
        go.countDown();
        first.get(1, TimeUnit.MINUTES);
      }
    }
  }
}
