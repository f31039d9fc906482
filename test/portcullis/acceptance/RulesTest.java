package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;

/** Rules change while the built image runs. */
class RulesTest {
  @TempDir
  private Path folder;

  @Test
  void keepsOldRulesUntilABrokenFileIsFixed() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, GuardedSite::hello)) {
      site.rules(site.rule("r", "/open/**") + site.rule("s", "/two").replace("anon", "anno"));
      site.image().await("r\\.yaml:10:\\d+: rules\\[1\\]\\.execute\\[0\\]\\.authenticator: no authenticator `anno`, "
          + "did you mean `anon`\\?");
      site.image()
          .await("ERR Rule set refused, its last good rules stay in force _src=file_system:.*r\\.yaml _errors=1 "
              + "_rules=1 _sha256=[0-9a-f]{64}$");
      assertEquals(200, site.status("/open/x"));
      assertEquals(401, site.status("/two"));
      site.rules(site.rule("r", "/open/**") + site.rule("s", "/two"));
      site.awaitStatus("/two", 200);
    }
  }

  @Test
  void reloadsOverwrittenEmptiedAndRemovedFiles() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, GuardedSite::hello)) {
      String text = Files.readString(site.rulesFile());
      Files.writeString(site.rulesFile(), text.replace("/open/**", "/other"));
      site.awaitStatus("/other", 200);
      assertEquals(401, site.status("/open/x"));
      Files.writeString(site.rulesFile(), "");
      site.awaitStatus("/other", 401);
      Files.writeString(site.rulesFile(), text);
      site.awaitStatus("/open/x", 200);
      Files.delete(site.rulesFile());
      site.awaitStatus("/open/x", 401);
    }
  }

  @Test
  void disablesARuleFileThatIsRenamed() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, GuardedSite::hello)) {
      Path copy = site.rulesFile().resolveSibling("r.yaml.bak");
      Files.copy(site.rulesFile(), copy);
      site.image().await("WRN Rule file ignored .*r\\.yaml\\.bak");
      assertEquals(200, site.status("/open/x"));
      Files.move(site.rulesFile(), site.rulesFile().resolveSibling("r.yaml.disabled"));
      site.awaitStatus("/open/x", 401);
      site.image().await("WRN Rule file ignored .*r\\.yaml\\.disabled");
      Files.move(copy, site.rulesFile());
      site.awaitStatus("/open/x", 200);
    }
  }

  @Test
  void reportsAnEmptiedFileAsAnError() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, GuardedSite::hello)) {
      Files.writeString(site.rulesFile(), "");
      site.awaitStatus("/open/x", 401);
      site.image().await("ERR Rule set has no rules any more .*_rule_set=.*/rules/r\\.yaml.*_count=1");
    }
  }

  /**
   * Both rules change with each swap, to the same number of an upstream's path prefix; a request that sees a mixture of
   * two versions would be told two numbers. Each swap is under way while requests are.
   */
  @Test
  void thousandReloadsCauseNoErrorAndNoMixture() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, RulesTest::echo)) {
      site.rules(version(site, 0));
      site.awaitStatus("/b/x", 200);
      AtomicBoolean done = new AtomicBoolean();
      List<Asking> asking = List.of(new Asking(site, done), new Asking(site, done), new Asking(site, done));
      List<Thread> threads = asking.stream().map(a -> Thread.ofVirtual().start(a)).toList();
      for (int i = 1; i <= 1000; i++) {
        site.rules(version(site, i));
        if (i % 50 == 0) {
          awaitVersion(site, i);
        }
      }
      assertEquals("/v1000/a/1000/x", site.body("/a/x"));
      done.set(true);
      for (Thread thread : threads) {
        thread.join();
      }
      for (Asking one : asking) {
        assertEquals(List.of(), one.odd);
        assertTrue(one.versions.size() > 5, "only these were seen: " + one.versions);
      }
    }
  }

  /** Waits until the version is in force. */
  private static void awaitVersion(GuardedSite site, int version) throws Exception {
    Await.until(() -> site.body("/a/x").equals("/v" + version + "/a/" + version + "/x"), site.image()::output);
  }

  private static void echo(HttpExchange exchange) throws IOException {
    byte[] path = exchange.getRequestURI().getPath().getBytes();
    exchange.sendResponseHeaders(200, path.length);
    exchange.getResponseBody().write(path);
    exchange.close();
  }

  /** Rules whose every part tells the number of the version: the path is cut and put anew by two settings. */
  private static String version(GuardedSite site, int number) {
    return site.rule("a" + number, "/a/**").replace("scheme: http", "scheme: http, strip_path_prefix: /a, "
        + "add_path_prefix: /v"
        + number + "/a/" + number) + site.rule("b" + number, "/b/**");
  }

  /** Asks again and again and remembers what was odd. */
  private static final class Asking implements Runnable {
    private final GuardedSite site;
    private final AtomicBoolean done;
    private final List<String> odd = new ArrayList<>();
    private final Set<Integer> versions = new TreeSet<>();

    Asking(GuardedSite site, AtomicBoolean done) {
      this.site = site;
      this.done = done;
    }

    @Override
    public void run() {
      int last = 0;
      while (!done.get() && odd.size() < 10) {
        String shown = shown();
        String[] parts = shown.split("/");
        boolean good = parts.length == 5 && parts[1].equals("v" + parts[3]) && Integer.parseInt(parts[3]) >= last;
        if (good) {
          last = Integer.parseInt(parts[3]);
          versions.add(last);
        } else {
          odd.add(shown);
        }
      }
    }

    private String shown() {
      try {
        int other = site.status("/b/x");
        return other == 200 ? site.body("/a/x") : "status " + other;
      } catch (IOException e) {
        return e.toString();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return e.toString();
      }
    }
  }
}
