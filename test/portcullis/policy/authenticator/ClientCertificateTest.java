package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.config.Enforcement;
import portcullis.crypto.keys.ClientIdentity;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.http.message.Authority;
import portcullis.http.message.BodyFormat;
import portcullis.http.message.Content;
import portcullis.http.message.Fields;
import portcullis.http.message.Forwarding;
import portcullis.http.message.ReportedRequest;
import portcullis.http.message.Request;
import portcullis.http.message.ResponseStatusException;
import portcullis.http.message.Target;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.ValidRequest;
import portcullis.lang.address.Network;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.ParseBudget;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Credential;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.rule.Rules;

class ClientCertificateTest {
  private static final String CLIENTS = "1.3.6.1.5.5.7.3.2";
  private static final String SERVERS = "1.3.6.1.5.5.7.3.1";

  private final Bench bench = new Bench();
  private final Instant now = bench.clock.instant();
  private final TestCertificate root = valid(CertificateDraft.of("root").forAuthority());
  private final TestCertificate orders = client("orders", "spiffe://shop.example/orders");

  @TempDir
  private Path folder;
  private Path trust;

  @BeforeEach
  void place() throws IOException {
    trust = Files.writeString(folder.resolve("trust.pem"), root.pem());
  }

  @AfterEach
  void close() {
    bench.close();
  }

  private TestCertificate valid(CertificateDraft draft) {
    return draft.valid(now.minusSeconds(3600), now.plusSeconds(3600)).make();
  }

  private TestCertificate client(String name, String... names) {
    return valid(CertificateDraft.of(name).hosts(names).purposes(CLIENTS).issuedBy(root));
  }

  private Bench.Made<?> made(String more) {
    return bench.make(ClientCertificate.TYPE, "{ trust_store: " + trust + more + " }");
  }

  /** A request as it arrives on a connection from 192.0.2.1 with this chain; 192.0.2.0/24 may be trusted. */
  private static Request arrived(boolean trusted, Fields fields, TestCertificate... chain) {
    try {
      TrustedProxies proxies = trusted ? new TrustedProxies(List.of(Network.parse("192.0.2.0/24").orElseThrow()))
          : new TrustedProxies(List.of());
      return Forwarding.of(new ValidRequest("GET", new Target.Resource("/a", ""),
          Authority.parse("gate.test").orElseThrow(), fields, InetAddress.getByName("192.0.2.1"), "192.0.2.1", true,
          Content.of(new byte[0]), () -> Fields.NONE,
          () -> Stream.of(chain).map(TestCertificate::certificate).toList()), proxies)
          .request(ParseBudget.DEFAULT, BodyFormat::of);
    } catch (ResponseStatusException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Request tls(TestCertificate... chain) {
    return arrived(false, Fields.NONE, chain);
  }

  private static String encoded(TestCertificate certificate) {
    return URLEncoder.encode(certificate.pem(), StandardCharsets.US_ASCII).replace("+", "%20");
  }

  private static String bytes(TestCertificate certificate) {
    return ":" + Base64.getEncoder().encodeToString(certificate.der()) + ":";
  }

  @Test
  void locksAndStreamsKnowCertificateAndItsEnd() {
    Credential known = made("").accepts(tls(orders)).credential();
    assertEquals(Optional.of(orders.certificate().getNotAfter().toInstant()), known.expires());
    assertEquals(made("").accepts(tls(orders)).attributes().get("x5t#S256"), Optional.of(Value.of(known.tokenId())));
  }

  @Test
  void namesOfTheCertificateAreTheSubject() {
    Subject subject = made("").accepts(tls(client("Ann", "spiffe://shop.example/orders", "a.test", "b.test",
        "ann@a.test")));
    assertEquals("spiffe://shop.example/orders", subject.id());
    String attributes = subject.attributes().toString();
    for (String part : List.of("CN=Ann", "a.test", "ann@a.test", "shop.example", "CN=root")) {
      assertTrue(attributes.contains(part), attributes);
    }
    assertEquals("CN=orders", made("").outcome(tls(client("orders"))));
    assertEquals("orders", made(", subject_from: [ common_name ]").outcome(tls(orders)));
    assertEquals("ann@a.test", made(", subject_from: [ dns, email ]").outcome(tls(client("x", "ann@a.test"))));
    assertEquals("https://a.test/b", made(", subject_from: [ uri ]").outcome(tls(client("x", "https://a.test/b"))));
    assertTrue(made(", subject_from: [ uri ]").outcome(tls(client("x", "https://a.test/b", "https://a.test/c")))
        .startsWith("authentication error: the client certificate has none of the names uri, or more than one"));
    assertTrue(made(", subject_from: [ dns ]").outcome(tls(client("x", "a.test", "b.test")))
        .startsWith("authentication error: the client certificate has none of the names dns, or more than one"));
    assertTrue(made(", subject_from: [ distinguished_name ]").outcome(tls(client("a\u0007b")))
        .startsWith("authentication error: the client certificate has none of the names distinguished_name"));
  }

  @Test
  void attributesAreAllThatTheCertificateSays() throws Exception {
    TestCertificate all = client("Ann", "spiffe://shop.example/orders", "a.test", "ann@a.test", "192.0.2.7");
    X509Certificate certificate = all.certificate();
    assertEquals("{\"common_name\":\"Ann\",\"distinguished_name\":\"CN=Ann\",\"dns_names\":[\"a.test\"],\"emails\":"
        + "[\"ann@a.test\"],\"ip_addresses\":[\"192.0.2.7\"],\"issuer\":\"CN=root\",\"not_after\":\""
        + certificate.getNotAfter().toInstant() + "\",\"serial_number\":\""
        + certificate.getSerialNumber().toString(16) + "\",\"spiffe_id\":\"spiffe://shop.example/orders\","
        + "\"trust_domain\":\"shop.example\",\"uris\":[\"spiffe://shop.example/orders\"],\"x5t#S256\":\""
        + ClientIdentity.thumbprint(certificate) + "\"}",
        JsonText.plain(made("").accepts(tls(all)).attributes()));
  }

  /** RFC 5280, 4.2.1.12: the purpose of a client, any purpose, or none that is named. */
  @Test
  void certificatesForAnyPurposeAreAccepted() {
    assertEquals("CN=x", made("").outcome(tls(valid(CertificateDraft.of("x").purposes("2.5.29.37.0").issuedBy(root)))));
    assertEquals("CN=x", made("").outcome(tls(valid(CertificateDraft.of("x").issuedBy(root)))));
  }

  @ParameterizedTest
  @ValueSource(strings = {"spiffe://shop.example", "spiffe://shop.example/", "spiffe://Shop.example/a",
    "spiffe://shop.example/a//b", "spiffe://shop.example/../a", "spiffe://shop.example/a?b", "SPIFFE://shop.example/a",
    "https://shop.example/a", "spiffe://user@shop.example/a", "spiffe://shop.example:1/a"})
  void malformedSpiffeIdsDoNotCount(String id) {
    assertEquals("authentication error: the client certificate has no valid SPIFFE ID",
        made(", trust_domains: [ shop.example ]").outcome(tls(client("x", id))));
  }

  @Test
  void trustDomainsOfTheRuleAreRequired() {
    var made = made("");
    assertEquals("spiffe://shop.example/orders",
        made.refined("{ trust_domains: [ shop.example ] }").outcome(tls(orders)));
    assertEquals("authentication error: the trust domain `shop.example` of the client certificate is not accepted",
        made.refined("{ trust_domains: [ other.example ] }").outcome(tls(orders)));
    assertTrue(made.refined("{ trust_domains: [ shop.example ] }")
        .outcome(tls(client("x", "spiffe://shop.example/a", "spiffe://other.example/b"))).contains("no valid SPIFFE"));
  }

  @Test
  void onlyCurrentClientsOfTheTrustedIssuersAreAccepted() {
    var made = made("");
    assertEquals("authentication error: no client certificate", made.outcome(tls()));
    TestCertificate other = valid(CertificateDraft.of("root").forAuthority());
    for (TestCertificate bad : List.of(
        valid(CertificateDraft.of("x").issuedBy(other)),
        valid(CertificateDraft.of("x")),
        valid(CertificateDraft.of("x").purposes(SERVERS).issuedBy(root)),
        valid(CertificateDraft.of("x").notForSigning().issuedBy(root)),
        valid(CertificateDraft.of("x").forAuthority().issuedBy(root)),
        root,
        CertificateDraft.of("x").issuedBy(root).valid(now.plusSeconds(1), now.plusSeconds(9)).make(),
        CertificateDraft.of("x").issuedBy(root).valid(now.minusSeconds(9), now.minusSeconds(1)).make())) {
      String outcome = made.outcome(tls(bad));
      assertTrue(outcome.startsWith("authentication error: the client certificate is not accepted: "), outcome);
    }
    TestCertificate middle = valid(CertificateDraft.of("middle").forAuthority().issuedBy(root));
    TestCertificate below = valid(CertificateDraft.of("below").issuedBy(middle));
    assertEquals("CN=below", made.outcome(tls(below, middle)));
    assertTrue(made.outcome(tls(below)).contains("none of the trusted ones"));
    assertTrue(made.outcome(tls(Stream.generate(() -> below).limit(11).toArray(TestCertificate[]::new)))
        .contains("more than 10"));
  }

  @Test
  void aVerifiedCertificateIsRememberedUntilItIsForgotten() {
    Bench.Made<?> made = made("");
    ClientCertificate mechanism = (ClientCertificate) made.mechanism();
    List<X509Certificate> chain = List.of(orders.certificate());
    assertTrue(mechanism.verified().find(chain, mechanism.files().now(), now).isEmpty());
    made.accepts(tls(orders));
    assertTrue(mechanism.verified().find(chain, mechanism.files().now(), now).isPresent());
    mechanism.forget();
    assertTrue(mechanism.verified().find(chain, mechanism.files().now(), now).isEmpty());
  }

  @Test
  void verifiedCertificateExpiresAllTheSame() {
    TestCertificate brief = CertificateDraft.of("brief").issuedBy(root).valid(now.minusSeconds(9), now.plusSeconds(9))
        .make();
    var made = made("");
    assertEquals("CN=brief", made.outcome(tls(brief)));
    assertEquals("CN=brief", made.outcome(tls(brief)));
    bench.clock.pass(Duration.ofSeconds(10));
    assertTrue(made.outcome(tls(brief)).contains("expired"));
  }

  @Test
  void revokedCertificatesAreRefused() throws IOException {
    TestCertificate gone = client("gone");
    Path list = Files.writeString(folder.resolve("crl.pem"),
        CertificateDraft.revocations(root, now.minusSeconds(60), now.plusSeconds(1800), gone));
    assertEquals("CN=gone", made("").outcome(tls(gone)));
    var made = made(", revocation_lists: [ " + list + " ]");
    assertEquals("spiffe://shop.example/orders", made.outcome(tls(orders)));
    assertTrue(made.outcome(tls(gone)).contains("revoked"), made.outcome(tls(gone)));
    bench.clock.pass(Duration.ofMinutes(50));
    assertTrue(made.outcome(tls(orders)).contains("not accepted"), "the list is too old");
  }

  @Test
  void aForgedRevocationListIsNotUsed() throws IOException {
    TestCertificate impostor = valid(CertificateDraft.of("root").forAuthority());
    Path list = Files.writeString(folder.resolve("crl.pem"),
        CertificateDraft.revocations(impostor, now.minusSeconds(60), now.plusSeconds(1800)));
    String outcome = made(", revocation_lists: [ " + list + " ]").outcome(tls(orders));
    assertTrue(outcome.contains("not accepted"), outcome);
  }

  @Test
  void reloadedFilesCountAtOnce() throws Exception {
    TestCertificate gone = client("gone");
    Path list = Files.writeString(folder.resolve("crl.pem"),
        CertificateDraft.revocations(root, now.minusSeconds(60), now.plusSeconds(1800)));
    var made = (Bench.Made<?>) made(", revocation_lists: [ " + list + " ]");
    assertEquals("CN=gone", made.outcome(tls(gone)));
    ClientCertificate mechanism = (ClientCertificate) made.mechanism();
    Files.writeString(list, CertificateDraft.revocations(root, now.minusSeconds(30), now.plusSeconds(1800), gone));
    mechanism.context().trust().revocations().prepared(list).run();
    assertTrue(made.outcome(tls(gone)).contains("revoked"));
    Files.writeString(trust, valid(CertificateDraft.of("new").forAuthority()).pem());
    mechanism.context().trust().stores().prepared(trust).run();
    assertTrue(made.outcome(tls(orders)).contains("none of the trusted ones"));
  }

  @Test
  void headerSmugglingOfCertificatesIsRefused() {
    Fields both = Fields.of("Client-Cert", bytes(orders), "Client_Cert", bytes(orders), "X-Forwarded-Client-Cert",
        "Cert=\"" + encoded(orders) + "\"");
    for (String source : List.of("tls", "client-cert", "x-forwarded-client-cert")) {
      var made = made(", certificate_source: " + source);
      String outcome = made.outcome(arrived(false, both));
      assertTrue(outcome.startsWith("authentication error: no client certificate"), outcome);
    }
    assertEquals(Fields.NONE, arrived(false, both).fields());
    for (String source : List.of("client-cert", "x-forwarded-client-cert")) {
      Request kept = Rules.request("/a", "", "Client-Cert", bytes(orders), "X-Forwarded-Client-Cert",
          "Cert=\"" + encoded(orders) + "\"");
      assertTrue(made(", certificate_source: " + source).outcome(kept).contains("the peer is not a trusted proxy"),
          "even where the field is still there");
    }
    assertTrue(made("").outcome(arrived(true, both)).startsWith("authentication error: no client certificate"));
    assertTrue(made("").outcome(arrived(true, both, client("proxy"))).contains("the peer is a trusted proxy"));
    assertTrue(made(", certificate_source: client-cert").outcome(arrived(true,
        Fields.of("X-Forwarded-Client-Cert", "Cert=\"" + encoded(orders) + "\""), client("proxy")))
        .startsWith("authentication error: no client certificate"), "a field that the proxy may not know");
  }

  /** Also where the fields have not been removed before. */
  @Test
  void fieldsOfAStrangerAreNoCertificate() {
    Request stranger = Bench.with("Client-Cert", bytes(orders), "X-Forwarded-Client-Cert",
        "Cert=\"" + encoded(orders) + "\"");
    for (String source : List.of("client-cert", "x-forwarded-client-cert")) {
      assertEquals("authentication error: no client certificate: the peer is not a trusted proxy, so its `" + source
          + "` is not used", made(", certificate_source: " + source).outcome(stranger));
    }
  }

  @Test
  void aTrustedProxyForwardsTheCertificate() {
    var standard = made(", certificate_source: client-cert");
    assertEquals("spiffe://shop.example/orders",
        standard.outcome(arrived(true, Fields.of("Client-Cert", bytes(orders)), client("proxy"))));
    TestCertificate middle = valid(CertificateDraft.of("middle").forAuthority().issuedBy(root));
    TestCertificate below = valid(CertificateDraft.of("below").issuedBy(middle));
    assertEquals("CN=below", standard.outcome(arrived(true,
        Fields.of("Client-Cert", bytes(below), "Client-Cert-Chain", bytes(middle) + ", " + bytes(root)))));
    assertEquals("spiffe://shop.example/orders", standard.outcome(arrived(true, Fields.of("Client-Cert", bytes(orders),
        "Client-Cert-Chain", " "), client("proxy"))), "a chain of none");
    for (String bad : List.of(bytes(orders).replace(":", ""), ":*:", "::", ":" + bytes(orders).substring(9))) {
      assertTrue(standard.outcome(arrived(true, Fields.of("Client-Cert", bad))).contains("cannot be read"), bad);
    }
    assertTrue(standard.outcome(arrived(true, Fields.of("Client-Cert", bytes(orders), "Client-Cert", bytes(orders))))
        .contains("there twice"));
    assertTrue(standard.outcome(arrived(true, Fields.of("Client-Cert", bytes(client("x")) + "," + bytes(orders))))
        .contains("cannot be read"));
  }

  @Test
  void theLastElementOfEnvoysFieldCounts() {
    var envoy = made(", certificate_source: x-forwarded-client-cert");
    String own = "By=spiffe://shop.example/gate;Hash=ab;Cert=\"" + encoded(orders) + "\";Subject=\"CN=a\\\",b;c=d\"";
    assertEquals("spiffe://shop.example/orders",
        envoy.outcome(arrived(true, Fields.of("X-Forwarded-Client-Cert", own))));
    String first = "Cert=\"" + encoded(client("first")) + "\"";
    assertEquals("spiffe://shop.example/orders",
        envoy.outcome(arrived(true, Fields.of("X-Forwarded-Client-Cert", first + "," + own))));
    assertEquals("spiffe://shop.example/orders", envoy.outcome(
        arrived(true, Fields.of("X-Forwarded-Client-Cert", first, "X-Forwarded-Client-Cert", own))));
    assertTrue(envoy.outcome(arrived(true, Fields.of("X-Forwarded-Client-Cert", own + ",Hash=ab;Subject=\"CN=x\"")))
        .contains("has to be configured"));
    for (String bad : List.of(own + ";Cert=a", "Cert=\"a", "Cert=%", "Cert=%zz", "Cert", "Cert=-----BEGIN")) {
      assertTrue(envoy.outcome(arrived(true, Fields.of("X-Forwarded-Client-Cert", bad))).contains("cannot be read"),
          bad);
    }
  }

  @Test
  void envoysCheckReportsTheCertificate() throws Exception {
    ReportedRequest check = new ReportedRequest("GET", "https", "a.test", "/a", Fields.NONE, new byte[0],
        encoded(orders));
    Request trusted = check.request(Fields.NONE, true, ParseBudget.DEFAULT, BodyFormat::of);
    assertEquals("spiffe://shop.example/orders", made("").outcome(trusted));
    Request stranger = check.request(Fields.NONE, false, ParseBudget.DEFAULT, BodyFormat::of);
    assertEquals("authentication error: no client certificate", made("").outcome(stranger));
  }

  @Test
  void wrongSettingsAreRefused() throws IOException {
    String missing = bench.problems(ClientCertificate.TYPE, "{}", Enforcement.NONE);
    assertTrue(missing.contains("trust_store"), missing);
    String none = bench.problems(ClientCertificate.TYPE, "{ trust_store: " + folder + "/none.pem }", Enforcement.NONE);
    assertTrue(none.contains("there is no such file"), none);
    String swapped = bench.problems(ClientCertificate.TYPE,
        "{ trust_store: " + trust + ", revocation_lists: [ " + trust + " ] }", Enforcement.NONE);
    assertTrue(swapped.contains("expected `X509 CRL`"), swapped);
    String domain = bench.problems(ClientCertificate.TYPE,
        "{ trust_store: " + trust + ", trust_domains: [ \"spiffe://a/b\" ] }", Enforcement.NONE);
    assertTrue(domain.contains("write it as `prod.example`"), domain);
    String source = bench.problems(ClientCertificate.TYPE,
        "{ trust_store: " + trust + ", certificate_source: header }", Enforcement.NONE);
    assertTrue(source.contains("x-forwarded-client-cert"), source);
  }
}
