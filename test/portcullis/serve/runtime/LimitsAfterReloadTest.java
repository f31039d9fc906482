package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.lang.address.Network;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.decision.Decider;
import portcullis.policy.decision.Decision;
import portcullis.policy.limit.Lockout;
import portcullis.policy.limit.Lockouts;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.rule.Rules;

/** Who has reached a limit is not freed by a reload. */
class LimitsAfterReloadTest {
  private static final Lockout ONE = new Lockout(1, Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1));
  private static final CacheKey ALICE = CacheKey.of("user", "alice");
  private static final Optional<Network> HERE = Network.parse("192.0.2.1");

  @TempDir
  private Path folder;

  private String config(String rate) {
    return Site.MECHANISMS.replace("  finalizers:",
        "  authorizers: [{id: few, type: rate_limit, config: {key: all, rate: " + rate + "}}]\n  finalizers:")
        + Site.FILES.formatted(folder.resolve("rules"));
  }

  private static String limited(String id) {
    return "- {id: " + id + ", match: {routes: [{path: /a}]}, execute: [{authenticator: anon}, {authorizer: few}]}\n";
  }

  private static void reload(Site site, String config, String id) throws Exception {
    site.config(config).rules("a.yaml", limited(id));
    site.reloadTask().request();
    site.awaitFound("/a", id);
  }

  private static boolean isAllowed(Site site) throws Exception {
    return new Decider(() -> site.program().reloader().snapshot(), site.program().context().log())
        .decide(Rules.request("/a", ""), Observer.NONE) instanceof Decision.Allow;
  }

  @Test
  void countsSurviveReloadsUnlessTheirLimitIsAnother() throws Exception {
    try (Site site = new Site(folder)) {
      site.config(config("1/1h")).rules("a.yaml", limited("first")).start();
      Lockouts before = site.program().context().limits().lockouts();
      before.failed(ALICE, HERE, ONE);
      assertEquals(true, isAllowed(site));
      assertEquals(false, isAllowed(site));
      reload(site, config("1/1h") + "# another one\n", "second");
      assertEquals(false, isAllowed(site));
      assertEquals(true, site.program().context().limits().lockouts().remaining(ALICE, HERE).isPresent());
      reload(site, config("2/1h"), "third");
      assertEquals(true, isAllowed(site), "with another rate the bucket is full");
    }
  }
}
