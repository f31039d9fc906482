package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Enforcement;
import portcullis.crypto.jwt.EncryptedText;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.serve.runtime.EnvironmentOverrides;
import portcullis.serve.runtime.Settings;

/** Requests of clients with certificates are decided again by what the log has of these. */
class ReplayedCertificatesTest {
  private static final String CONFIG = """
      mechanisms:
        authenticators:
          - { id: machines, type: client_certificate, config: { trust_store: "%s" } }
          - { id: proxied, type: client_certificate, config: { trust_store: "%1$s", certificate_source: client-cert } }
        finalizers:
          - { id: noop, type: noop }
      """;
  private static final String RULES = """
      version: 1alpha4
      rules:
        - { id: own, match: { routes: [ { path: /own } ] }, execute: [ { authenticator: machines } ] }
        - { id: proxied, match: { routes: [ { path: /proxied } ] }, execute: [ { authenticator: proxied } ] }
      """;
  private static final Instant THEN = Instant.parse("2026-01-02T03:04:05Z");
  private static final TestCertificate ROOT = authority("root");

  @TempDir
  private Path folder;
  private SymmetricKey key;
  private String reason = "";
  private String trust = "";

  @BeforeEach
  void readKey() throws Exception {
    key = SymmetricKey.read(Files.writeString(folder.resolve("key"), "a".repeat(64)));
  }

  private static TestCertificate authority(String name) {
    return CertificateDraft.of(name).forAuthority().valid(THEN.minus(Duration.ofDays(9)), THEN.plus(Duration.ofDays(9)))
        .make();
  }

  private static TestCertificate client(TestCertificate issuer, Instant from, Instant to) {
    return CertificateDraft.of("orders").issuedBy(issuer).valid(from, to).make();
  }

  private static String base64(TestCertificate certificate) {
    return Base64.getEncoder().encodeToString(certificate.der());
  }

  /** Returns how a request that was allowed then is decided now. */
  private Optional<Replay.Change> replayed(String path, String headers, String certificates) throws Exception {
    String sealed = "{\"method\":\"GET\",\"scheme\":\"https\",\"host\":\"a.test\",\"path\":\"" + path
        + "\",\"query\":\"\",\"headers\":[" + headers + "],\"clients\":[\"192.0.2.1\"]" + certificates + "}";
    Path log = Files.writeString(folder.resolve("log"),
        "{\"time\":\"" + THEN + "\",\"decision\":\"allowed\",\"request\":"
            + "{\"method\":\"GET\",\"scheme\":\"https\",\"host\":\"a.test\",\"path\":\"" + path + "\"},\"client\":"
            + "[\"192.0.2.1\"],\"steps\":[],\"sealed\":\"" + EncryptedText.seal(sealed, key) + "\"}\n");
    Path roots = Files.writeString(folder.resolve("roots.pem"), ROOT.pem());
    Path rules = Files.writeString(folder.resolve("rules.yaml"), RULES);
    Problems problems = new Problems();
    Settings settings = Settings.read(new SourceFile("config.yaml", trust + CONFIG.formatted(roots)),
        EnvironmentOverrides.ofProcess(Optional.empty()), Enforcement.NONE, problems)
        .orElseThrow(() -> new AssertionError(problems.sorted().toString())).withRules(rules);
    return Replay.run(settings, Enforcement.NONE, List.of(log), Optional.of(key), problems)
        .orElseThrow(() -> new AssertionError(problems.sorted().toString())).changes().stream()
        .peek(changed -> reason = changed.now()).map(Replay.Changed::change).findFirst();
  }

  private Optional<Replay.Change> own(TestCertificate certificate) throws Exception {
    return replayed("/own", "", ",\"certificates\":{\"tls\":[\"" + base64(certificate) + "\"]}");
  }

  @Test
  void acceptsTheCertificatesThatWereValidThen() throws Exception {
    Optional<Replay.Change> denied = Optional.of(Replay.Change.NEWLY_DENIED);
    Instant day = THEN.plus(Duration.ofDays(1));
    assertEquals(Optional.empty(), own(client(ROOT, THEN.minus(Duration.ofDays(1)), day)));
    assertEquals(denied, own(client(ROOT, day, day.plus(Duration.ofDays(1)))), "not yet valid");
    assertEquals(denied, own(client(authority("other"), THEN.minus(Duration.ofDays(1)), day)), "of another issuer");
    assertEquals(denied, replayed("/own", "", ",\"certificates\":{}"), "without certificate");
    assertEquals(denied, replayed("/own", "", ",\"certificates\":{\"tls\":[\"AAAA\"]}"), "not a certificate");
  }

  @Test
  void headersCountOnlyIfTheyCameFromATrustedProxy() throws Exception {
    TestCertificate known = client(ROOT, THEN.minus(Duration.ofDays(1)), THEN.plus(Duration.ofDays(1)));
    String header = "[\"Client-Cert\",\":" + base64(known) + ":\"]";
    trust = "serve: { trusted_proxies: [ 192.0.2.1 ] }\n";
    assertEquals(Optional.empty(), replayed("/proxied", header, ",\"certificates\":{\"proxy\":true}"));
    trust = "";
    assertEquals(Optional.of(Replay.Change.NEWLY_DENIED), replayed("/proxied", header, ",\"certificates\":{}"));
  }

  /** Lines of earlier versions do not have them, not even where there were some. */
  @Test
  void doesNotGuessCertificatesThatAreNotInTheLog() throws Exception {
    assertEquals(Optional.of(Replay.Change.UNDECIDED), replayed("/own", "", ""));
    assertEquals(Optional.of(Replay.Change.UNDECIDED), replayed("/proxied", "", ""));
    assertEquals("the certificate of the client is not known", reason);
  }
}
