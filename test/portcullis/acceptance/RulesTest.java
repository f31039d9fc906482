package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rules change while the built image runs. */
class RulesTest {
  @TempDir
  private Path folder;

  @Test
  void aBrokenChangeChangesNothingIsToldWithItsLineAndTakenUpOnceMended() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, GuardedSite::hello)) {
      site.rules(site.rule("r", "/open/**") + site.rule("s", "/two").replace("anon", "anno"));
      site.image().await("r\\.yaml:10:\\d+: rules\\[1\\]\\.execute\\[0\\]\\.authenticator: no authenticator `anno`, did you mean `anon`\\?");
      assertEquals(200, site.status("/open/x"));
      assertEquals(401, site.status("/two"));
      site.rules(site.rule("r", "/open/**") + site.rule("s", "/two"));
      site.awaitStatus("/two", 200);
    }
  }

  @Test
  void aFileThatIsOverwrittenEmptiedOrRemovedIsTakenUp() throws Exception {
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
  void noRequestSeesAnErrorWhileRulesAreSwapped() throws Exception {
    try (GuardedSite site = GuardedSite.start(folder, GuardedSite::hello)) {
      AtomicBoolean done = new AtomicBoolean();
      List<Integer> odd = new ArrayList<>();
      Thread asking = Thread.ofVirtual().start(() -> {
        while (!done.get()) {
          int status = quietly(site);
          if (status != 200) {
            odd.add(status);
          }
        }
      });
      for (int i = 0; i < 100; i++) {
        site.rules(site.rule("r", "/open/**") + site.rule("s" + i, "/n" + i));
        Thread.sleep(10);
      }
      site.awaitStatus("/n99", 200);
      done.set(true);
      asking.join();
      assertEquals(List.of(), odd);
    }
  }

  private static int quietly(GuardedSite site) {
    try {
      return site.status("/open/x");
    } catch (IOException e) {
      return -1;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 200;
    }
  }
}
