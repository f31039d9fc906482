package portcullis.serve.redis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
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

class SharedRedisTest {
  private static final String SET = "locks";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final InstantSource clock = InstantSource.system();
  private final Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(new ByteArrayOutputStream()), clock,
      "");

  @TempDir
  private Path folder;

  @BeforeEach
  void redis() {
    Needs.program("redis-server");
  }

  private SharedRedis shared(RedisServer server) {
    Problems problems = new Problems();
    return Yaml
        .read(new SourceFile("f", "{address: '127.0.0.1:" + server.port() + "', tls: {disabled: true}}"), problems)
        .flatMap(node -> RedisSettings.TYPES.get("redis").decode(node, problems))
        .flatMap(settings -> settings.shared(false, new KeyRings(clock), log, problems)).orElseThrow();
  }

  private static List<String> ids(int count) {
    return IntStream.range(0, count).mapToObj("%016x"::formatted).toList();
  }

  private static List<SharedRedis.Entry> entries(int count) {
    byte[] value = new byte[SharedRedis.MOST_BYTES];
    return ids(count).stream().map(id -> new SharedRedis.Entry(id, 1, value, Optional.of(PATIENCE))).toList();
  }

  @Test
  void manyLargeEntriesAreWrittenReadAndForgotten() throws Exception {
    try (RedisServer server = RedisServer.start(folder); SharedRedis redis = shared(server)) {
      redis.write(SET, entries(300));
      assertEquals(300, redis.ids(SET).size());
      assertEquals(300,
          redis.read(SET, ids(300)).values().stream().filter(SharedRedis.Whole.class::isInstance).count());
      redis.forget(SET, ids(250));
      assertEquals(50, redis.ids(SET).size());
      redis.remove(SET, ids(300));
      assertEquals(0, redis.ids(SET).size());
      assertEquals(300, redis.read(SET, ids(300)).values().stream().filter(SharedRedis.Missing.class::isInstance)
          .count());
    }
  }

  @Test
  void noneOfTheseWaitForeverWhereRedisReadsNothing() throws Exception {
    try (RedisServer server = RedisServer.start(folder); SharedRedis redis = shared(server)) {
      for (Executable one : List.<Executable>of(() -> redis.write(SET, entries(1000)),
          () -> redis.forget(SET, ids(SharedRedis.MOST_IDS)), () -> redis.remove(SET, ids(SharedRedis.MOST_IDS)))) {
        redis.write(SET, entries(1)); // there is a connection
        server.freeze();
        assertTimeoutPreemptively(PATIENCE, () -> assertThrows(SharedRedis.UnavailableException.class, one));
        server.thaw();
      }
    }
  }
}
