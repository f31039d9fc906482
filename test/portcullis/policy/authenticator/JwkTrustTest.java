package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.http.message.Request;

class JwkTrustTest {
  private static final String CLAIMS = "{\"iss\":\"a\",\"sub\":\"alice\"}";

  @TempDir
  private Path folder;
  private final Bench bench = new Bench();
  private final StubIssuer stub = new StubIssuer();
  private final Instant from = bench.clock.instant().minus(Duration.ofDays(1));
  private final TestCertificate root = draft("root", Duration.ofDays(300)).forAuthority().make();
  private final TestCertificate middle = draft("middle", Duration.ofDays(200)).forAuthority().issuedBy(root).make();
  private final TestCertificate leaf = draft("leaf", Duration.ofDays(100)).issuedBy(middle).make();

  private CertificateDraft draft(String name, Duration life) {
    return CertificateDraft.of(name).valid(from, from.plus(life));
  }

  @AfterEach
  void close() {
    bench.close();
    stub.close();
  }

  private Bench.Made<?> make(String more) {
    return bench.make(JwtAuthenticator.TYPE,
        "{jwks_endpoint: {url: '" + stub.url("/jwks") + "'}, assertions: {issuers: [a]}" + more + "}");
  }

  /** With a trust store of that certificate. */
  private Bench.Made<?> trusting(TestCertificate certificate) throws IOException {
    Path file = Files.writeString(folder.resolve("trust.pem"), certificate.pem());
    return make(", trust_store: '" + file + "'");
  }

  private String outcome(Bench.Made<?> made, Issuer issuer) {
    stub.answer("/jwks", Issuer.jwks(issuer));
    bench.clock.pass(Duration.ofMillis(1));
    return made.outcome(Bench.bearer(issuer.token(CLAIMS)));
  }

  @Test
  void certificatesHaveToLeadToATrustedOne() throws IOException {
    assertEquals("alice", outcome(trusting(root), Issuer.of("k1", leaf, middle)));
    assertEquals("alice", outcome(trusting(middle), Issuer.of("k2", leaf, middle)));
    assertEquals("alice", outcome(trusting(leaf), Issuer.of("k3", leaf)));
    TestCertificate stranger = draft("stranger", Duration.ofDays(100))
        .issuedBy(draft("x", Duration.ofDays(100)).forAuthority().make()).make();
    assertTrue(outcome(trusting(root), Issuer.of("k4", stranger)).startsWith(
        "authentication error: JWK for keyID=k4 is invalid: certificate `CN=stranger` (serial "));
    assertTrue(outcome(trusting(root), Issuer.of("k5", leaf)).contains("is invalid: certificate `CN=leaf`"),
        "the middle is missing");
  }

  @Test
  void theSystemsAreTrustedWhereNoneAreNamed() {
    assertTrue(outcome(make(""), Issuer.of("k", leaf, middle, root)).startsWith("authentication error: JWK for "
        + "keyID=k is invalid: "));
  }

  @Test
  void nothingIsCheckedWhereThatIsSwitchedOff() {
    assertEquals("alice", outcome(make(", validate_jwk: false"), Issuer.of("k", leaf)));
  }

  @Test
  void keysWithoutCertificatesNeedNone() throws IOException {
    assertEquals("alice", outcome(trusting(root), Issuer.of("k")));
  }

  @Test
  void certificatesForOtherUsesAreRefused() throws IOException {
    TestCertificate sealed = draft("sealed", Duration.ofDays(100)).issuedBy(root).notForSigning().make();
    assertTrue(outcome(trusting(root), Issuer.of("k", sealed)).endsWith("is not for digital signatures (key usage)"));
  }

  @Test
  void aRememberedTokenEndsWithTheCertificate() throws IOException {
    Bench.Made<?> made = trusting(root);
    TestCertificate brief = draft("brief", Duration.ofDays(1).plusMinutes(5)).issuedBy(root).make();
    Issuer issuer = Issuer.of("k", brief);
    Request request = Bench.bearer(issuer.token(CLAIMS));
    stub.answer("/jwks", Issuer.jwks(issuer));
    assertEquals("alice", made.outcome(request));
    bench.clock.pass(Duration.ofSeconds(299));
    stub.receivedCalls();
    assertEquals("alice", made.outcome(request));
    assertEquals("", stub.receivedCalls(), "token and keys are known");
    bench.clock.pass(Duration.ofSeconds(2));
    String refused = made.outcome(request);
    assertTrue(refused.startsWith("authentication error: JWK for keyID=k is invalid: certificate `CN=brief`"), refused);
    Issuer renewed = Issuer.of("k", new TestCertificate(brief.keys(),
        draft("brief", Duration.ofDays(10)).keys(brief.keys()).issuedBy(root).make().certificate()));
    bench.clock.pass(IssuerKeys.COOL_DOWN);
    assertEquals("alice", outcome(made, renewed), "the new one is asked for");
  }
}
