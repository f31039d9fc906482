package portcullis.serve.redis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
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

class ExpiredCopiesTest {
  private static final CacheKey KEY = CacheKey.of("test", "a");
  private static final byte[] VALUE = {7, 0, -1};

  private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());

  @TempDir
  private Path folder;

  private RedisCache cache(RedisServer server, Log log) {
    Problems problems = new Problems();
    String settings = "{address: '127.0.0.1:" + server.port() + "', tls: {disabled: true}, secret: of-all-instances}";
    return Yaml.read(new SourceFile("f", settings), problems)
        .flatMap(node -> RedisSettings.TYPES.get("redis").decode(node, problems))
        .flatMap(s -> s.cache(false, new KeyRings(now::get), now::get, now::get, log, problems)).orElseThrow();
  }

  /** Who may write to Redis, but has not the secret, has seen it there. */
  @Test
  void aCopyThatIsPutBackHasExpired() {
    Needs.program("redis-server");
    try (LogWriter writer = new LogWriter(OutputStream.nullOutputStream());
        RedisServer server = RedisServer.start(folder);
        RedisCache cache = cache(server, new Log(Level.INFO, LogFormat.TEXT, writer, now::get, ""))) {
      cache.put(KEY, VALUE, Duration.ofSeconds(5));
      assertEquals(":1", server.say("PERSIST portcullis:2:" + KEY.hash()));
      assertArrayEquals(VALUE, cache.get(KEY).orElseThrow());
      now.set(now.get().plusSeconds(60)); // clocks of instances may differ by a minute
      assertArrayEquals(VALUE, cache.get(KEY).orElseThrow());
      now.set(now.get().plusSeconds(6));
      assertTrue(cache.get(KEY).isEmpty());
    }
  }
}
