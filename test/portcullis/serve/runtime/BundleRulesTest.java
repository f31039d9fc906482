package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.serve.runtime.Site.rule;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Enforcement;
import portcullis.fixture.RawUpstream;
import portcullis.lang.source.Problems;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.JsonText;
import portcullis.observe.telemetry.Log;
import portcullis.serve.bundle.Bundle;
import portcullis.serve.bundle.KnownCounters;
import portcullis.serve.bundle.SignatureRequirement;
import portcullis.serve.bundle.SignedBundle;
import portcullis.serve.provider.Change;
import portcullis.serve.service.LoadHistory;

/** A service whose rules come in a signed bundle. */
final class BundleRulesTest {
  @TempDir
  private Path folder;
  private Site site;
  private KeyPair key;
  private Path file;

  @BeforeEach
  void start() throws Exception {
    key = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    Files.writeString(folder.resolve("key.pem"), "-----BEGIN PUBLIC KEY-----\n"
        + Base64.getEncoder().encodeToString(key.getPublic().getEncoded()) + "\n-----END PUBLIC KEY-----\n");
    file = folder.resolve("rules.bundle");
    Files.writeString(file, bundle(5, Instant.now(), "a", "b"));
    site = new Site(folder);
    site.config(Site.MECHANISMS + """
        providers:
          file_system:
            src: %s
            require_signature: { keys: [%s], threshold: 1, state: %s }
        """.formatted(file, folder.resolve("key.pem"), folder.resolve("state")));
    site.start();
  }

  @AfterEach
  void close() {
    site.close();
  }

  /** Returns a bundle with a file for each rule, valid for an hour from then. */
  private String bundle(long counter, Instant from, String... rules) throws Exception {
    SequencedMap<String, String> files = new LinkedHashMap<>();
    for (String id : rules) {
      files.put(id + ".yaml", "version: 1alpha4\nrules:\n" + rule(id, "/" + id));
    }
    Bundle bundle = new Bundle(counter, from, from.plus(Duration.ofHours(1)), Optional.empty(), Optional.empty(),
        Optional.empty(), files);
    return SignedBundle.of(bundle).signedBy(key.getPrivate(), key.getPublic()).text();
  }

  private void apply(String text) {
    site.program().reloader().apply(List.of(new Change("file_system:" + file,
        Optional.of(new SourceFile(file.toString(), text)))));
  }

  private void assertRefused(String text, String reason) {
    apply(text);
    assertEquals("a", site.found("/a"));
    assertEquals("-", site.found("/c"));
    site.awaitLog(reason);
    String problems = site.program().loadHistory().problems().toString();
    assertTrue(problems.contains(reason), problems);
  }

  @Test
  void appliesAllFilesOfTheNextBundleAndKeepsItsCounter() throws Exception {
    assertEquals("a", site.found("/a"));
    assertEquals("b", site.found("/b"));
    assertTrue(Files.readString(folder.resolve("state")).startsWith("5 "));
    apply(bundle(6, Instant.now(), "c"));
    assertEquals("c", site.found("/c"));
    assertEquals("-", site.found("/a"));
    assertTrue(Files.readString(folder.resolve("state")).startsWith("6 "));
    assertEquals(List.of(), site.program().loadHistory().problems());
  }

  @Test
  void aBundleWithoutACounterBeforeItIsLogged() {
    site.awaitLog("There was no state file, so this bundle was accepted whatever its counter");
  }

  @Test
  void aRunningServiceKnowsTheCounterOfAStateFileThatIsRemoved() throws Exception {
    Files.delete(folder.resolve("state"));
    assertRefused(bundle(4, Instant.now(), "c"), "its counter 4 is lower than 5");
    assertRefused(bundle(3, Instant.now(), "c"), "its counter 3 is lower than 5");
    assertEquals(2, site.log().split("The state file of signed bundles was removed or", -1).length, "logged once");
    apply(bundle(6, Instant.now(), "a"));
    assertTrue(Files.readString(folder.resolve("state")).startsWith("6 "), "it is written again");
    Files.delete(folder.resolve("state"));
    site.reloadTask().request();
    site.awaitLog("its counter 5 is lower than 6");
    site.await(() -> Files.exists(folder.resolve("state")), "the bundle in force is not recorded again");
    Files.delete(folder.resolve("state"));
    assertRefused(bundle(5, Instant.now(), "c"), "its counter 5 is lower than 6");
  }

  @Test
  void rolledBackBundlesAreNamedWithBothCounters() {
    Bundle older = new Bundle(5, Instant.EPOCH, Instant.EPOCH, Optional.empty(), Optional.empty(), Optional.empty(),
        new LinkedHashMap<>());
    List<AppliedRules> sets = Stream.of(Optional.of(7L), Optional.<Long>empty())
        .map(before -> new AppliedRules("file_system:" + before.isPresent(), new SourceFile("", ""), Set.of(), 0, 0,
            List.of(), new Problems(), Optional.of(new SignatureRequirement.Accepted(older,
                new SignatureRequirement(List.of(), 1, "state", true), "digest", before, new KnownCounters()))))
        .toList();
    assertEquals("[{\"counter\":5,\"counter_before\":7,\"rule_set\":\"file_system:true\"}]",
        JsonText.plain(BundleRules.rolledBack(sets)));
  }

  @Test
  void bundleWhoseStateCannotBeWrittenIsRefusedUntilItCan() throws Exception {
    Path obstacle = Files.createDirectories(folder.resolve("state.new/full"));
    assertRefused(bundle(6, Instant.now(), "c"), "its counter cannot be recorded in `");
    assertTrue(Files.readString(folder.resolve("state")).startsWith("5 "));
    Files.delete(obstacle);
    Files.delete(obstacle.getParent());
    site.program().reloader().retryBlocked();
    assertEquals("c", site.found("/c"), "it is applied as soon as it can be recorded");
    assertTrue(Files.readString(folder.resolve("state")).startsWith("6 "));
    assertEquals(List.of(), site.program().loadHistory().problems());
  }

  @Test
  void refusedBundleLeavesTheOldRulesInForceAndIsNamed() throws Exception {
    assertRefused(bundle(4, Instant.now(), "c"), "its counter 4 is lower than 5");
    assertRefused(bundle(6, Instant.now().minus(Duration.ofHours(2)), "c"), "it has expired");
    assertRefused(bundle(6, Instant.now().plus(Duration.ofHours(1)), "c"), "it is not valid before");
    assertRefused(bundle(6, Instant.now(), "c").replace("\"sig\":\"", "\"sig\":\"AAAA"), "is invalid: the bundle was");
    assertRefused("version: 1alpha4\nrules:\n" + rule("c", "/c"), "it is not a bundle");
    assertTrue(Files.readString(folder.resolve("state")).startsWith("5 "));
    apply(bundle(6, Instant.now(), "c"));
    assertEquals("c", site.found("/c"));
  }

  @Test
  void errorInRulesNamesTheFileOfTheBundle() throws Exception {
    Bundle wrong = new Bundle(6, Instant.now(), Instant.now().plus(Duration.ofHours(1)), Optional.empty(),
        Optional.empty(), Optional.empty(), new LinkedHashMap<>(Map.of("wrong.yaml", "version: 1alpha4\nrule: []\n")));
    apply(SignedBundle.of(wrong).signedBy(key.getPrivate(), key.getPublic()).text());
    site.awaitLog("rules.bundle!wrong.yaml:2:");
    assertEquals("a", site.found("/a"));
  }

  /** Answers with what is next in the list, then with the last of it for ever. */
  private static RawUpstream served(List<String> bodies) throws IOException {
    AtomicInteger count = new AtomicInteger();
    return RawUpstream.of(peer -> {
      while (!peer.head().isEmpty()) {
        String body = bodies.get(Math.min(count.getAndIncrement(), bodies.size() - 1));
        peer.say("HTTP/1.1 " + (body.isEmpty() ? "404 No" : "200 OK") + "\r\nContent-Length: " + body.length()
            + "\r\nContent-Type: application/octet-stream\r\n\r\n" + body);
      }
    });
  }

  private void startWithEndpoint(String url, String more) throws Exception {
    site.close();
    site = new Site(folder);
    site.config(Site.MECHANISMS + """
        providers:
          http_endpoint:
            endpoints: [ { url: "%s" } ]
            watch_interval: 20ms
            %s
        """.formatted(url, more));
    site.start();
  }

  @Test
  void endpointOfABundleIsHeldToTheSameRequirements() throws Exception {
    Files.delete(folder.resolve("state"));
    List<String> bodies = List.of(bundle(5, Instant.now(), "a"), "", bundle(4, Instant.now(), "c"),
        bundle(6, Instant.now(), "c").replace("\"sig\":\"", "\"sig\":\"AAAA"), bundle(7, Instant.now(), "d"));
    try (RawUpstream upstream = served(bodies)) {
      startWithEndpoint(upstream.uri("/rules.bundle").toString(), "require_signature: { keys: [%s], state: %s }"
          .formatted(folder.resolve("key.pem"), folder.resolve("state")));
      site.awaitLog("New rule set received _rule_set=http_endpoint:");
      site.awaitLog("Signed bundle removed, its rules stay in force");
      site.awaitLog("its counter 4 is lower than 5");
      site.awaitLog("is invalid: the bundle was changed");
      site.awaitLog("Update of a rule set received");
      assertEquals("d", site.found("/d"));
      assertEquals("-", site.found("/a"));
      assertTrue(Files.readString(folder.resolve("state")).startsWith("7 "));
    }
  }

  @Test
  void bundleThatIsTakenAwayIsNamedUntilItIsBack() throws Exception {
    site.close();
    site = new Site(folder);
    site.config(Site.MECHANISMS + """
        providers:
          file_system:
            src: %s
            watch: true
            require_signature: { keys: [%s], threshold: 1, state: %s }
        """.formatted(file, folder.resolve("key.pem"), folder.resolve("state")));
    site.start();
    String good = Files.readString(file);
    Files.delete(file);
    site.await(() -> site.program().loadHistory().problems().toString().contains("is not there any more"),
        "the problem is not named");
    assertEquals("a", site.found("/a"));
    site.reloadTask().request();
    site.awaitLog("Configuration reload failed");
    assertEquals("a", site.found("/a"));
    Files.writeString(folder.resolve("aside"), good);
    Files.move(folder.resolve("aside"), file);
    site.await(() -> site.program().loadHistory().problems().isEmpty(), "the problem is still named");
  }

  @Test
  void rulesStayInForceWhenTheirBundleExpires() throws Exception {
    site.ahead = Duration.ofHours(2);
    assertEquals("a", site.found("/a"));
    Log log = site.program().context().log();
    try (ProblemMonitor monitor = new ProblemMonitor(site.program(), () -> Instant.now().plus(site.ahead), log)) {
      monitor.look();
    }
    assertTrue(log.problems().toString().contains("signed bundle 5 of file_system:" + file + " expired "),
        log.problems().toString());
    site.awaitLog("Signed bundle has expired");
    site.reloadTask().request();
    site.awaitLog("it has expired");
    site.awaitLog("Configuration reload failed");
    assertEquals("a", site.found("/a"));
  }

  /** No watch sees a bundle that comes back while the configuration is reloaded. */
  @Test
  void aReloadThatFindsTheBundleAgainNamesItNoMore() {
    site.program().loadHistory().missing("file_system:" + file, LoadHistory.Kept.BUNDLE);
    assertTrue(site.program().loadHistory().problems().toString().contains("is not there any more"));
    site.reloadTask().request();
    site.await(() -> site.program().loadHistory().problems().isEmpty(), "the problem is still named");
  }

  @Test
  void anEndpointOfSomethingElseIsSaidToHaveNoBundle() throws Exception {
    try (RawUpstream upstream = served(List.of("<html>please log in</html>"))) {
      startWithEndpoint(upstream.uri("/rules.bundle").toString(), "require_signature: { keys: [%s], state: %s }"
          .formatted(folder.resolve("key.pem"), folder.resolve("state")));
      site.awaitLog("the response is not a bundle, which `portcullis bundle sign` writes");
    }
  }

  @Test
  void endpointOfABundleWithoutKeysIsRefused() throws Exception {
    try (RawUpstream upstream = served(List.of(bundle(5, Instant.now(), "a")))) {
      startWithEndpoint(upstream.uri("/rules.bundle").toString(), "");
      site.awaitLog("this is a signed bundle, and there are no keys to check it with");
      assertEquals("-", site.found("/a"));
    }
  }

  @Test
  void dryRunChecksTheBundleAndKeepsNoCounter() throws Exception {
    Files.delete(folder.resolve("state"));
    assertFalse(dryRun(file).hasErrors());
    assertFalse(Files.exists(folder.resolve("state")));
    Path bad = Files.writeString(folder.resolve("bad.bundle"), Files.readString(file).replace("\"sig\":\"",
        "\"sig\":\"AAAA"));
    assertTrue(dryRun(bad).sorted().getFirst().text().contains("the bundle is refused"));
  }

  private Problems dryRun(Path rules) {
    Problems problems = new Problems();
    Settings settings = new ConfigurationFile(Optional.of(folder.resolve("config.yaml").toString()),
        new EnvironmentOverrides(Map.of(), List.of()), Enforcement.NONE).settings(problems).orElseThrow();
    ConfigurationPlan plan = ConfigurationPlan.of(settings.withRules(rules), site.program().context(), false, problems);
    try {
      ParsedRules.all(plan, Map.of("file_system:" + rules,
          new SourceFile(rules.toString(), Files.readString(rules))), new KnownCounters())
          .forEach(one -> problems.addAll(one.problems()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return problems;
  }
}
