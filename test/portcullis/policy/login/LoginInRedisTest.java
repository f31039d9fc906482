package portcullis.policy.login;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Yaml;
import portcullis.crypto.keys.KeyRings;
import portcullis.fixture.Await;
import portcullis.fixture.Needs;
import portcullis.fixture.RedisServer;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.mechanism.LoginState;
import portcullis.policy.mechanism.Mechanism;
import portcullis.serve.redis.RedisCache;
import portcullis.serve.redis.RedisSettings;

/** Sessions of instances that share a real Redis. */
class LoginInRedisTest {
  private static final String NONE = "authentication error: no session";

  @TempDir
  private Path folder;

  private static RedisCache cache(RedisServer server) {
    InstantSource clock = InstantSource.system();
    Problems problems = new Problems();
    Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(new ByteArrayOutputStream()), clock, "");
    return Yaml
        .read(new SourceFile("f", "{address: '127.0.0.1:" + server.port() + "', tls: {disabled: true}}"), problems)
        .flatMap(node -> RedisSettings.TYPES.get("redis").decode(node, problems))
        .flatMap(settings -> settings.cache(false, new KeyRings(clock), clock, log, problems)).orElseThrow();
  }

  @Test
  void instancesRefreshOnceAndKnowWhoSignedOut() throws Exception {
    Needs.program("redis-server");
    try (RedisServer server = RedisServer.start(folder);
        RedisCache one = cache(server);
        RedisCache two = cache(server);
        LoginBench bench = new LoginBench(folder)) {
      for (String store : List.of("cookie", "cache")) {
        String yaml = bench.yaml(", store: " + store, "");
        List<Mechanism.Authenticator> instances = List.of(bench.otherInstance(yaml, one),
            bench.otherInstance(yaml, two));
        LoginBench.Browser browser = bench.new Browser();
        browser.signIn(instances.getFirst(), "/");
        int before = bench.provider.calls("/token").size();
        bench.passes(60);
        List<Future<String>> seen = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
          for (int i = 0; i < 20; i++) {
            LoginBench.Browser tab = bench.new Browser();
            tab.cookies.putAll(browser.cookies);
            Mechanism.Authenticator instance = instances.get(i % 2);
            seen.add(threads.submit(() -> tab.visit(instance)));
          }
          for (Future<String> one20th : seen) {
            assertEquals("ann", one20th.get());
          }
        }
        assertEquals(before + 1, bench.provider.calls("/token").size(), store);
        assertEquals("", bench.provider.wrongCalls);
        LoginBench.Browser copy = bench.new Browser();
        copy.cookies.putAll(browser.cookies);
        browser.get(instances.getFirst(), "/.portcullis/logout");
        assertEquals(NONE, copy.visit(instances.getLast()), store);
      }
    }
  }

  @Test
  void aLogoutWhileRedisIsAwayLasts() throws Exception {
    Needs.program("redis-server");
    try (RedisServer server = RedisServer.start(folder);
        RedisCache one = cache(server);
        RedisCache two = cache(server);
        LoginBench bench = new LoginBench(folder)) {
      String yaml = bench.yaml(", store: cache", "");
      LoginState state = new LoginState(Integer.MAX_VALUE);
      Mechanism.Authenticator here = bench.instance(yaml, state, one);
      Mechanism.Authenticator there = bench.otherInstance(yaml, two);
      LoginBench.Browser browser = bench.new Browser();
      browser.signIn(here, "/");
      LoginBench.Browser copy = bench.new Browser();
      copy.cookies.putAll(browser.cookies);
      assertEquals("ann", copy.visit(there));
      server.freeze();
      String report = copy.visit(there);
      assertTrue(report.startsWith("communication error: the session cannot be looked up: 127.0.0.1:"), report);
      assertEquals(503, browser.get(here, "/.portcullis/logout").status());
      server.thaw();
      Await.until(() -> one.problem().isEmpty() && copy.visit(there).equals("ann"));
      assertEquals(NONE, copy.visit(here));
      Await.until(() -> {
        state.share(one, bench.now); // as the service does every ten seconds
        return copy.visit(there).equals(NONE);
      });
    }
  }
}
