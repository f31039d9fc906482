package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.acceptance.LimitedSite.OWNER;
import static portcullis.acceptance.LimitedSite.STRANGER;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Await;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;

/** Limits per caller at the built image: rates, in one instance and on Redis, and lockouts. */
final class LimitsTest {
  @TempDir
  private Path folder;

  private static String basic(String credentials) {
    return "Authorization: Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"proxy", "decision"})
  void ratesBoundEachCallerByItself(String service) throws Exception {
    try (LimitedSite site = LimitedSite.start(folder, service, "")) {
      for (int left = 1; left >= 0; left--) {
        LimitedSite.Answer allowed = site.limited("/few", "ann");
        assertEquals("200 \"few\";r=" + left, allowed.summary());
        assertEquals("\"few\";q=2;w=3600", allowed.field("ratelimit-policy"));
        assertEquals("", allowed.field("retry-after"));
        assertEquals((2 - left) * 1800, allowed.seconds(), 60);
      }
      LimitedSite.Answer refused = site.limited("/few", "ann");
      assertEquals("429 \"few\";r=0", refused.summary());
      assertEquals("\"few\";q=2;w=3600", refused.field("ratelimit-policy"));
      assertEquals(1800, refused.seconds(), 60);
      assertEquals(Long.toString(refused.seconds()), refused.field("retry-after"));
      assertEquals("200 \"few\";r=1", site.limited("/few", "bob").summary());
      assertEquals(service.equals("proxy") ? 3 : 0, site.reached());
    }
  }

  @Test
  void instancesCountTogetherOnRedis() throws Exception {
    Needs.program("redis-server");
    try (RedisServer redis = RedisServer.start(folder);
        LimitedSite one = LimitedSite.startShared(Files.createDirectory(folder.resolve("one")), redis.port());
        LimitedSite two = LimitedSite.startShared(Files.createDirectory(folder.resolve("two")), redis.port())) {
      assertShared(one, two, "/deny", "ann");
    }
  }

  private static void assertShared(LimitedSite one, LimitedSite two, String path, String who) throws IOException {
    String name = "\"" + path.substring(1) + "\"";
    assertEquals("200 " + name + ";r=1", one.limited(path, who).summary());
    assertEquals("200 " + name + ";r=0", two.limited(path, who).summary());
    assertEquals("429 " + name + ";r=0", one.limited(path, who).summary());
    LimitedSite.Answer refused = two.limited(path, who);
    assertEquals("429 " + name + ";r=0", refused.summary());
    assertEquals(Long.toString(refused.seconds()), refused.field("retry-after"));
    assertEquals("200 " + name + ";r=1", two.limited(path, who + "'s neighbour").summary());
  }

  @ParameterizedTest
  @ValueSource(strings = {"killed", "frozen"})
  void withoutRedisRequestsAreCountedAllowedOrDenied(String outage) throws Exception {
    Needs.program("redis-server");
    try (RedisServer redis = RedisServer.start(folder);
        LimitedSite one = LimitedSite.startShared(Files.createDirectory(folder.resolve("one")), redis.port());
        LimitedSite two = LimitedSite.startShared(Files.createDirectory(folder.resolve("two")), redis.port())) {
      assertShared(one, two, "/memory", "before");
      if (outage.equals("killed")) {
        redis.kill();
      } else {
        redis.freeze();
      }
      for (LimitedSite site : List.of(one, two)) {
        assertEquals(List.of("200 \"memory\";r=1", "200 \"memory\";r=0", "429 \"memory\";r=0"),
            summaries(site, "/memory", 3));
        assertEquals(List.of("200 ", "200 ", "200 ", "200 "), summaries(site, "/allow", 4));
        assertEquals(List.of("502 ", "502 "), summaries(site, "/deny", 2));
      }
      Duration longest = longestOfMany(one);
      System.out.println("limits: Redis " + outage + ", the slowest of 100 requests took " + longest.toMillis()
          + " ms");
      redis.thaw();
      redis.revive();
      await(one, "/deny");
      await(two, "/deny");
      assertShared(one, two, "/memory", "after");
      assertShared(one, two, "/deny", "after");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"allow", "deny"})
  void instancesLockOutTogetherAndWithoutRedisAsConfigured(String outage) throws Exception {
    Needs.program("redis-server");
    String wrong = basic("alice:guess");
    String right = basic("alice:U*U");
    Path other = Files.createDirectory(folder.resolve("fleet"));
    try (RedisServer redis = RedisServer.start(folder);
        RedisServer fleet = RedisServer.start(other);
        LimitedSite one = LimitedSite.startInFleet(Files.createDirectory(folder.resolve("one")), redis.port(),
            fleet.port(), outage);
        LimitedSite two = LimitedSite.startInFleet(Files.createDirectory(folder.resolve("two")), redis.port(),
            fleet.port(), outage)) {
      assertEquals(401, one.ask(STRANGER, "/people", wrong).status());
      assertEquals(401, two.ask(STRANGER, "/people", wrong).status());
      for (LimitedSite site : List.of(one, two, one)) {
        LimitedSite.Answer locked = site.ask(STRANGER, "/people", right);
        assertEquals(429, locked.status(), locked.text());
        assertEquals(1800, Long.parseLong(locked.field("retry-after")), 60);
        assertEquals(429, site.ask(STRANGER, "/people", wrong).status());
        assertEquals(200, site.ask(STRANGER, "/people", basic("bob:U*U")).status(), "another credential");
        assertEquals(200, site.ask(OWNER, "/people", right).status(), "another network");
      }
      assertEquals(401, one.ask(OWNER, "/people", basic("bob:guess")).status());
      assertEquals(200, two.ask(OWNER, "/people", basic("bob:U*U")).status());
      assertEquals(401, one.ask(OWNER, "/people", basic("bob:guess")).status());
      assertEquals(200, one.ask(OWNER, "/people", basic("bob:U*U")).status(),
          "a right one forgets failures everywhere");
      redis.kill();
      assertEquals(429, two.ask(STRANGER, "/people", right).status(), "what is known stays in force");
      int expected = outage.equals("allow") ? 401 : 503;
      for (LimitedSite site : List.of(one, two)) {
        assertEquals(expected, site.ask(OWNER, "/people", wrong).status());
        assertEquals(expected, site.ask(OWNER, "/people", wrong).status());
        assertEquals(outage.equals("allow") ? 429 : 503, site.ask(OWNER, "/people", right).status());
      }
      redis.revive();
      await(two, "/deny");
      assertEquals(429, two.ask(STRANGER, "/people", right).status());
    }
  }

  private static List<String> summaries(LimitedSite site, String path, int count) throws IOException {
    List<String> out = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      out.add(site.limited(path, "ann").summary());
    }
    return out;
  }

  /** Each fails if it takes too long, so none of many at the same time hangs. */
  private static Duration longestOfMany(LimitedSite site) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<LimitedSite.Answer>> all = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        all.add(threads.submit(() -> site.limited("/allow", "many")));
      }
      Duration longest = Duration.ZERO;
      for (Future<LimitedSite.Answer> answer : all) {
        assertEquals("200 ", answer.get().summary());
        longest = answer.get().time().compareTo(longest) > 0 ? answer.get().time() : longest;
      }
      return longest;
    }
  }

  /** Waits until Redis is used again. */
  private static void await(LimitedSite site, String path) throws Exception {
    AtomicInteger asked = new AtomicInteger();
    Await.until(() -> site.limited(path, "waiting " + asked.getAndIncrement()).status() == 200, site.image()::output);
  }

  @Test
  void aStrangerLocksOutNoUserElsewhere() throws Exception {
    try (LimitedSite site = LimitedSite.start(folder, "decision", "")) {
      assertLockedOutElsewhereOnly(site, "/people", basic("alice:guess"), basic("alice:U*U"), basic("bob:U*U"));
    }
  }

  @Test
  void anOperatorEndsALockout() throws Exception {
    try (LimitedSite site = LimitedSite.start(folder, "decision", "")) {
      String right = basic("alice:U*U");
      assertEquals("0 ", site.run("locks", "-c", "config.yaml"));
      for (int status : new int[] {401, 401, 429}) {
        assertEquals(status, site.ask(STRANGER, "/people", basic("alice:guess")).status());
      }
      assertEquals(429, site.ask(STRANGER, "/people", right).status());
      String list = site.run("locks", "-c", "config.yaml");
      assertTrue(list.startsWith("0 lockout  127.0.0.2/32  credentials: 1  until: 20"), list);
      assertTrue(site.run("unlock", "-c", "config.yaml", "--lockout", OWNER).startsWith("1 "), "another network");
      assertEquals(429, site.ask(STRANGER, "/people", right).status());
      assertEquals("0 ended: lockouts of 127.0.0.2/32\n",
          site.run("unlock", "-c", "config.yaml", "--lockout", STRANGER));
      site.image().await("Lockouts ended _of=127\\.0\\.0\\.2/32");
      assertEquals(200, site.ask(STRANGER, "/people", right).status());
      assertTrue(site.run("unlock", "-c", "config.yaml", "--lockout", "alice").contains("is followed by one address"));
      assertTrue(site.run("unlock", "-c", "config.yaml", "--lockout", "127.0.0.0/8").contains("is a network"));
      assertTrue(site.run("unlock", "-c", "config.yaml", "lockout").contains("`--lockout ADDRESS`"));
    }
  }

  @Test
  void aStrangerLocksOutNoApiKeyElsewhere() throws Exception {
    try (LimitedSite site = LimitedSite.start(folder, "proxy", "")) {
      String key = site.key();
      String other = key.replaceFirst("_[^_]*_", "_aaaaaaaaaaaa_");
      String wrong = key.substring(0, key.length() - 4) + "aaaa";
      assertLockedOutElsewhereOnly(site, "/machines", "X-Api-Key: " + wrong, "X-Api-Key: " + key,
          "X-Api-Key: " + other);
    }
  }

  private static void assertLockedOutElsewhereOnly(LimitedSite site, String path, String wrong, String right,
      String other) throws IOException {
    int others = site.ask(STRANGER, path, other).status();
    assertEquals(401, site.ask(STRANGER, path, wrong).status());
    assertEquals(401, site.ask(STRANGER, path, wrong).status());
    int reached = site.reached();
    for (String credential : List.of(wrong, right)) {
      LimitedSite.Answer locked = site.ask(STRANGER, path, credential);
      assertEquals(429, locked.status(), locked.text());
      assertEquals(1800, Long.parseLong(locked.field("retry-after")), 60);
    }
    assertEquals(reached, site.reached());
    assertEquals(others, site.ask(STRANGER, path, other).status(), "another credential");
    assertEquals(200, site.ask(OWNER, path, right).status());
    assertEquals(401, site.ask(OWNER, path, wrong).status());
    assertEquals(200, site.ask(OWNER, path, right).status(), "a right one forgets failures");
    assertEquals(401, site.ask(OWNER, path, wrong).status());
    assertEquals(200, site.ask(OWNER, path, right).status());
    site.image().await("locked out for network 127.0.0.2/32");
  }
}
