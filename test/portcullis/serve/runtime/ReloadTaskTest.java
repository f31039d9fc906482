package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.serve.runtime.Site.rule;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestKeys;
import portcullis.lang.value.JsonText;
import portcullis.observe.telemetry.OngoingProblem;
import portcullis.policy.decision.Snapshot;
import portcullis.policy.rule.RuleOrigin;

/** The configuration and its keys change while a program runs. */
class ReloadTaskTest {
  @TempDir
  private Path folder;
  private Site site;

  @BeforeEach
  void prepare() throws Exception {
    site = new Site(folder);
    site.rules("r.yaml", rule("r", "/r"));
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Snapshot snapshot() {
    return site.program().reloader().snapshot();
  }

  @Test
  void appliesChangedFileIfConfigured() throws Exception {
    site.config("watch: true\n" + site.defaultConfig()).start();
    Snapshot before = snapshot();
    site.config("watch: true\n"
        + site.defaultConfig().replace("id: none", "id: nobody").replace("authenticator: none",
            "authenticator: nobody"));
    site.awaitLog("Configuration reloaded");
    assertEquals("r", site.found("/r"));
    assertNotEquals(before.catalogue(), snapshot().catalogue());
    site.rules("s.yaml", rule("s", "/s", "nobody"));
    site.awaitFound("/s", "s");
    assertFalse(site.log().contains("failed"), site.log());
  }

  @Test
  void appliesChangesOnlyOnRequestByDefault() throws Exception {
    site.config(site.defaultConfig()).start();
    site.config(site.defaultConfig() + "watch: true\n");
    Await.pause(700); // a slow machine looks at the file less often, and has even less to log
    assertFalse(site.log().contains("Configuration reload"), site.log());
    site.reloadTask().request();
    site.awaitLog("Configuration reloaded");
    site.config("watch: true\n" + site.defaultConfig().replace("none", "nobody"));
    site.rules("s.yaml", rule("s", "/s", "nobody"));
    site.awaitFound("/s", "s");
  }

  @Test
  void keepsOldConfigurationAndLogsErrorsWithLines() throws Exception {
    site.config(site.defaultConfig()).start();
    Snapshot before = snapshot();
    site.config(site.defaultConfig().replace("type: noop", "type: nop") + "logg: {}\n");
    site.reloadTask().request();
    site.awaitLog("config.yaml:6:1: unknown key `logg`");
    site.config(site.defaultConfig().replace("type: noop", "type: nop"));
    site.reloadTask().request();
    site.awaitLog("config.yaml:3:33: mechanisms.finalizers[0].type: no type of finalizer is called `nop`");
    assertEquals(before, snapshot());
    site.config("\tmechanisms: [");
    site.reloadTask().request();
    site.awaitLog("config.yaml:1:");
    Files.delete(folder.resolve("config.yaml"));
    site.reloadTask().request();
    site.awaitLog("no such configuration file");
    assertEquals(before, snapshot());
    site.rules("s.yaml", rule("s", "/s"));
    site.awaitFound("/s", "s");
  }

  @Test
  void refusesAReloadThatNeedsARestart() throws Exception {
    site.config(site.defaultConfig() + "serve: {port: 4456, respond: {verbose: true}}\nlog: {level: info}\n").start();
    Snapshot before = snapshot();
    String other = site.defaultConfig().replace("none", "nobody");
    site.config(other + "serve: {port: 4458, host: 127.0.0.1, respond: {verbose: true}}\n");
    site.reloadTask().request();
    site.awaitLog("config.yaml:6:15: serve.port: a change of this requires a restart; nothing was reloaded");
    site.awaitLog(": serve.host: a change of this requires a restart");
    site.awaitLog(": log: a change of this requires a restart");
    assertFalse(site.log().contains("serve.respond"), site.log());
    assertFalse(site.log().contains("Configuration reloaded"), site.log());
    assertSame(before, snapshot());
    assertFalse(site.program().loadHistory().configuration().orElseThrow().applied());
    site.config(other + "serve: {port: 4456, respond: {verbose: true}}\nlog: {level: info}\n");
    site.reloadTask().request();
    site.awaitLog("Configuration reloaded");
    assertNotEquals(before.catalogue(), snapshot().catalogue());
  }

  @Test
  void refusesAReloadWithAnUnusableTlsStore() throws Exception {
    String good = CertificateDraft.of("gate").keys(TestKeys.ec(256)).make().keyStore();
    Path store = Files.writeString(folder.resolve("tls.pem"), good);
    Path trust = Files.writeString(folder.resolve("clients.pem"), CertificateDraft.authority("one").pem());
    String tls = "serve: {tls: {key_store: {path: \"%s\"}, client_auth: {trust_store: \"%s\"}}}\n"
        .formatted(store, trust);
    site.config(tls + site.defaultConfig()).start();
    Snapshot before = snapshot();
    SSLContext context = site.program().tls().main().orElseThrow().context();
    site.config(tls + site.defaultConfig().replace("none", "nobody"));
    Files.writeString(trust, CertificateDraft.authority("two").pem());
    Files.writeString(store, TestKeys.pem(TestKeys.ec(384)));
    site.reloadTask().request();
    site.awaitLog("error=\"TLS key store `" + store + "`: ");
    assertSame(before, snapshot());
    assertSame(context, site.program().tls().main().orElseThrow().context());
    assertFalse(site.log().contains("reloaded"), site.log());
    Files.writeString(store, CertificateDraft.of("gate").keys(TestKeys.ec(384)).make().keyStore());
    site.reloadTask().request();
    site.awaitLog("Configuration reloaded");
    assertNotEquals(before.catalogue(), snapshot().catalogue());
    assertNotSame(context, site.program().tls().main().orElseThrow().context());
  }

  @Test
  void refusesToReloadTlsWithAWrongConfiguration() throws Exception {
    Path store = Files.writeString(folder.resolve("tls.pem"), CertificateDraft.of("gate").make().keyStore());
    String tls = "serve: {tls: {key_store: {path: \"%s\"}}}\n".formatted(store);
    site.config(tls + site.defaultConfig()).start();
    String first = site.program().tls().main().orElseThrow().keys().getFirst().id();
    Files.writeString(store, CertificateDraft.of("gate").keys(TestKeys.ec(384)).make().keyStore());
    site.config(tls + site.defaultConfig().replace("type: noop", "type: nop"));
    site.reloadTask().request();
    site.awaitLog("no type of finalizer is called `nop`");
    assertEquals(first, site.program().tls().main().orElseThrow().keys().getFirst().id());
    site.config(tls + site.defaultConfig());
    site.reloadTask().request();
    site.awaitLog("Configuration reloaded");
    assertNotEquals(first, site.program().tls().main().orElseThrow().keys().getFirst().id());
  }

  @Test
  void aConfigurationThatItsRulesDoNotFitWaitsForThem() throws Exception {
    site.config(site.defaultConfig()).start();
    site.config(site.defaultConfig().replace("id: anon", "id: anybody"));
    site.reloadTask().request();
    site.awaitLog("Configuration reload failed");
    site.awaitLog("r.yaml:3:");
    assertEquals("r", site.found("/r"));
    site.rules("r.yaml", rule("r2", "/r", "anybody"));
    site.awaitFound("/r", "r2");
    site.awaitLog("Configuration reloaded");
  }

  @Test
  void appliesWaitingRulesWithTheNewConfiguration() throws Exception {
    site.config(site.defaultConfig()).start();
    site.rules("r.yaml", rule("r2", "/r", "anybody"));
    site.rules("s.yaml", rule("s", "/s", "wrong"));
    site.awaitLog("no authenticator `wrong`");
    site.awaitLog("no authenticator `anybody`");
    site.config(site.defaultConfig().replace("{id: anon,", "{id: anybody, type: anonymous}, {id: anon,"));
    site.reloadTask().request();
    site.awaitFound("/r", "r2");
    assertEquals("-", site.found("/s"));
    site.rules("s.yaml", rule("s", "/s"));
    site.awaitFound("/s", "s");
  }

  @Test
  void replacesTheFolderOfRules() throws Exception {
    site.config(site.defaultConfig()).start();
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.writeString(other.resolve("o.yaml"), "version: 1alpha4\nrules:\n" + rule("o", "/o"));
    site.config(Site.MECHANISMS + Site.FILES.formatted(other));
    site.reloadTask().request();
    site.awaitFound("/o", "o");
    assertEquals("-", site.found("/r"));
    site.rules("r.yaml", rule("r", "/r"), rule("r2", "/r2"));
    Files.writeString(other.resolve("p.yaml"), "version: 1alpha4\nrules:\n" + rule("p", "/p"));
    site.awaitFound("/p", "p");
    assertEquals("-", site.found("/r2"));
    site.config(Site.MECHANISMS);
    site.reloadTask().request();
    site.awaitFound("/p", "-");
  }

  @Test
  void reloadsSigningKeysWhenTheirFileChanges() throws Exception {
    Path store = Files.writeString(folder.resolve("keys.pem"), TestKeys.pem(TestKeys.ec(256)));
    String signer = "{id: jwt, type: jwt, config: {signer: {key_store: {path: \"%s\"}}}}, ".formatted(store);
    site.config(
        "secrets_reload_enabled: true\n" + site.defaultConfig().replace("finalizers: [", "finalizers: [" + signer))
        .start();
    String first = keyId();
    Files.writeString(store, "no key at all");
    site.awaitLog("Signer key store reload failed");
    assertEquals(first, keyId());
    Files.writeString(store, TestKeys.pem(TestKeys.ec(384)));
    site.awaitLog("Signer key store reloaded");
    assertNotEquals(first, keyId());
  }

  @Test
  void apiKeysAreReloadedWheneverTheirFileChanges() throws Exception {
    Path keys = Files.writeString(folder.resolve("api.yaml"), "keys: []\n");
    site.config(site.defaultConfig().replace("{id: anon,", "{id: keys, type: api_key, config: {keys: " + keys
        + "}}, {id: anon,")).start();
    Files.writeString(keys, "keys: [{id: a}]\n");
    site.awaitLog("ERR API key file reload failed");
    Files.writeString(keys, "keys: [{id: a, subject: ann, sha256: \"" + "0".repeat(64) + "\"}]\n");
    site.awaitLog("API key file reloaded");
    site.await(() -> problems().isEmpty(), "the problem lasts");
  }

  /** Keys that were exchanged while the service was down are found by comparing the starts in the audit chain. */
  @Test
  void aStartKnowsTheDigestsOfItsKeys() throws Exception {
    Path keys = Files.writeString(folder.resolve("api.yaml"), "keys: []\n");
    site.config(site.defaultConfig().replace("{id: anon,", "{id: keys, type: api_key, config: {keys: " + keys
        + "}}, {id: anon,")).start();
    assertEquals("[{\"file\":\"" + keys + "\",\"kind\":\"API key file\",\"sha256\":\"" + RuleOrigin.digest("keys: []\n")
        + "\"}]", JsonText.plain(site.reloadTask().know()));
  }

  @Test
  void forgetsTheFailureOfAKeyStoreThatIsNotUsedAnyMore() throws Exception {
    Path store = Files.writeString(folder.resolve("keys.pem"), TestKeys.pem(TestKeys.ec(256)));
    String signer = "{id: jwt, type: jwt, config: {signer: {key_store: {path: \"%s\"}}}}, ".formatted(store);
    String config = "secrets_reload_enabled: true\nwatch: true\n" + site.defaultConfig();
    site.config(config.replace("finalizers: [", "finalizers: [" + signer)).start();
    Files.writeString(store, "no key at all");
    site.awaitLog("ERR Signer key store reload failed");
    assertEquals(1, problems().size());
    site.config(config);
    site.awaitLog("Configuration reloaded");
    Files.writeString(store, "not read");
    site.await(() -> problems().isEmpty(), "the problem of an unused file lasts");
  }

  private List<String> problems() {
    return site.program().context().log().problems().stream().map(OngoingProblem::text).toList();
  }

  private String keyId() {
    return snapshot().catalogue().finalizers().definitions().stream().flatMap(d -> d.mechanism().keys().stream())
        .findFirst().orElseThrow().id();
  }

  @Test
  void reloadsListenerCertificatesWhenTheirFileChanges() throws Exception {
    Path store = Files.writeString(folder.resolve("tls.pem"),
        CertificateDraft.of("gate").keys(TestKeys.ec(256)).make().keyStore());
    site.config(
        "secrets_reload_enabled: true\nserve: {tls: {key_store: {path: \"%s\"}}}\n".formatted(store)
            + site.defaultConfig())
        .start();
    String first = site.program().tls().main().orElseThrow().keys().getFirst().id();
    Files.writeString(store, TestKeys.pem(TestKeys.ec(384)));
    site.awaitLog("ERR TLS key store reload failed");
    assertTrue(problems().getFirst().startsWith("TLS key store reload failed " + store), problems().toString());
    assertEquals(first, site.program().tls().main().orElseThrow().keys().getFirst().id());
    Files.writeString(store, CertificateDraft.of("gate").keys(TestKeys.ec(384)).make().keyStore());
    site.awaitLog("INF TLS key store reloaded");
    assertEquals(List.of(), problems());
    assertNotEquals(first, site.program().tls().main().orElseThrow().keys().getFirst().id());
    assertTrue(site.log().contains("_file=" + store), site.log());
  }

  @Test
  void reloadsTrustOfListenersWhenFilesChange() throws Exception {
    Path store = Files.writeString(folder.resolve("tls.pem"),
        CertificateDraft.of("gate").keys(TestKeys.ec(256)).make().keyStore());
    Path trust = Files.writeString(folder.resolve("clients.pem"), CertificateDraft.authority("one").pem());
    site.config(
        "secrets_reload_enabled: true\nserve: {tls: {key_store: {path: \"%s\"}, client_auth: {trust_store: \"%s\"}}}\n"
            .formatted(store, trust)
            + site.defaultConfig())
        .start();
    SSLContext first = site.program().tls().main().orElseThrow().context();
    Files.writeString(trust, "rubbish");
    site.awaitLog("TLS trust store reload failed");
    assertSame(first, site.program().tls().main().orElseThrow().context());
    Files.writeString(trust, CertificateDraft.authority("two").pem());
    site.awaitLog("TLS trust store reloaded");
    assertNotSame(first, site.program().tls().main().orElseThrow().context());
  }
}
