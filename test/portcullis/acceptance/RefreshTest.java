package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Browser;
import portcullis.fixture.BrowserPage;
import portcullis.fixture.FreePort;
import portcullis.fixture.Needs;
import portcullis.fixture.RawUpstream;
import portcullis.fixture.RedisServer;
import portcullis.fixture.RunningImage;

/**
 * Two instances of the built image that share a Redis, and a provider (oidc-provider) that takes each refresh token
 * once: another use of it would end the session.
 */
final class RefreshTest {
  private static final Path MODULES = Path.of("build/openid").toAbsolutePath();
  private static final String TOKEN_LIFE_SECONDS = "4";
  private static final int AT_ONCE = 8;
  private static final long LONGEST_NANOS = 90_000_000_000L;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;
  private final int provider = FreePort.next();
  private final List<Integer> instances = List.of(FreePort.next(), FreePort.next());
  private final String origin = "http://localhost:" + instances.getFirst();

  @ParameterizedTest
  @ValueSource(strings = {"cookie", "cache"})
  void concurrentRequestsAtTwoInstancesRefreshOnce(String store) throws Exception {
    Optional<Path> chromium = Browser.installed();
    Needs.installed(chromium.isPresent(), "chromium");
    Needs.installed(Files.isDirectory(MODULES.resolve("node_modules/oidc-provider")), "oidc-provider");
    Needs.program("redis-server");
    try (RedisServer redis = RedisServer.start(folder);
        RawUpstream application = RawUpstream.of(Application::serve);
        Started issuer = Started.of(folder, "the provider serves", "node",
            Path.of("test/data/login/provider.mjs").toAbsolutePath().toString(), MODULES.toString(),
            Integer.toString(provider), origin, TOKEN_LIFE_SECONDS);
        RunningImage _ = image(instances.getFirst(), redis, application, store);
        RunningImage _ = image(instances.getLast(), redis, application, store);
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Set<String> cookies = Set.of(signedIn(chromium.orElseThrow()));
      long before = issuer.count("refreshed");
      for (int refresh = 1; refresh <= 2; refresh++) {
        cookies = asked(threads, issuer, cookies.iterator().next(), before + refresh);
        if (store.equals("cookie")) { // requests with the old cookie get the tokens of the one refresh
          assertEquals(before + refresh, issuer.count("refreshed"));
        }
      }
      assertEquals(0, issuer.count("refused"));
    }
  }

  /**
   * Sends requests with one cookie to both instances at once, again and again, until the tokens have been refreshed,
   * and some more; returns the cookies that they are to be followed by.
   */
  private Set<String> asked(ExecutorService threads, Started issuer, String cookie, long refreshes)
      throws IOException, InterruptedException, ExecutionException {
    Set<String> next = new TreeSet<>();
    long end = System.nanoTime() + LONGEST_NANOS;
    for (int more = 3; more > 0; more -= issuer.count("refreshed") >= refreshes ? 1 : 0) {
      assertTrue(System.nanoTime() < end, () -> "the tokens are not refreshed:\n" + issuer.output());
      List<Future<LimitedSite.Answer>> answers = new ArrayList<>();
      for (int i = 0; i < AT_ONCE; i++) {
        int port = instances.get(i % 2);
        answers.add(threads.submit(() -> LimitedSite.ask(port, "127.0.0.1", "/orders", "Cookie: " + cookie)));
      }
      for (Future<LimitedSite.Answer> answer : answers) {
        assertEquals(200, answer.get().status(), () -> issuer.output());
        String kept = answer.get().field("set-cookie").replaceFirst(";.*", "");
        if (!kept.isEmpty()) {
          next.add(kept);
        }
      }
    }
    return next.isEmpty() ? Set.of(cookie) : next;
  }

  /** Signs in at the first instance; returns the cookies of the session. */
  private String signedIn(Path chromium) throws IOException {
    try (Browser browser = Browser.start(chromium, folder.resolve("profile"))) {
      BrowserPage page = browser.page();
      page.open(origin + "/orders");
      page.text("document.querySelector('[name=login]').value = 'ann'");
      page.text("document.querySelector('[name=password]').value = 'any'");
      page.click("button[type=submit]");
      page.click("button[type=submit]"); // the user agrees
      assertEquals("/orders", page.address());
      String cookies = page.cookies(origin + "/orders");
      int at = cookies.indexOf("__Host-portcullis=");
      assertTrue(at >= 0, cookies);
      return cookies.substring(at).replaceFirst(";.*", "");
    }
  }

  private RunningImage image(int port, RedisServer redis, RawUpstream application, String store) throws IOException {
    Path own = Files.createDirectory(folder.resolve("instance-" + port));
    Files.writeString(own.resolve("session.keys"), "0123456789abcdef".repeat(4));
    Files.writeString(own.resolve("config.yaml"), """
        log: { level: info, format: text }
        tracing: { enabled: false }
        metrics: { enabled: false }
        serve: { host: 127.0.0.1, port: %d }
        management: { host: 127.0.0.1, port: %d }
        cache: { type: redis, config: { address: "127.0.0.1:%d", tls: { disabled: true } } }
        mechanisms:
          authenticators:
            - id: login
              type: oidc
              config:
                providers:
                  - issuer: http://localhost:%d
                    client_id: shop
                    client_auth: { client_secret: shop-secret }
                session: { keys: session.keys, store: %s }
          finalizers: [ { id: user, type: header, config: { headers: { X-User: "{{ .Subject.ID }}" } } } ]
        providers: { file_system: { src: rules.yaml } }
        """.formatted(port, FreePort.next(), redis.port(), provider, store));
    Files.writeString(own.resolve("rules.yaml"), """
        version: "1alpha4"
        rules:
          - id: all
            match: { routes: [ { path: /** } ] }
            forward_to: { host: 127.0.0.1:%d, rewrite: { scheme: http } }
            execute: [ { authenticator: login }, { finalizer: user } ]
        """.formatted(application.port()));
    RunningImage image = RunningImage.startIn(own, "serve", "proxy", "-c", "config.yaml", "--insecure");
    image.await("Starting listening .*_service=proxy");
    return image;
  }
}
