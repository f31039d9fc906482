package portcullis.policy.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.crypto.keys.CipherSuite;
import portcullis.crypto.keys.KeyRing;
import portcullis.crypto.keys.ServerTls;
import portcullis.crypto.keys.TlsVersion;
import portcullis.crypto.keys.TrustStore;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.RawUpstream;
import portcullis.fixture.StubService;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.policy.cache.CacheKey;

/** TLS that parties have of their own, over real connections. */
class EndpointTlsTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
  private static final TestCertificate CA = CertificateDraft.authority("ca");
  private static final TestCertificate OTHER = CertificateDraft.authority("other");

  @TempDir
  private Path folder;

  /** For localhost. */
  private static TestCertificate certificate(String name, TestCertificate issuer) {
    return CertificateDraft.of(name).hosts("localhost").issuedBy(issuer).make();
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  /** One that takes only clients with a certificate of that issuer, and speaks no more than that version. */
  private static RawUpstream demanding(Optional<TestCertificate> clients, TlsVersion lowest, List<CipherSuite> suites,
      RawUpstream.Script script)
      throws Exception {
    KeyRing ring = KeyRing.parse(certificate("gate", CA).keyStore(), "", Instant.now());
    Optional<TrustStore> trust = clients.isPresent() ? Optional.of(TrustStore.parse(clients.get().pem()))
        : Optional.empty();
    ServerTls tls = ServerTls.of(ring.entries(), lowest, suites, new ServerTls.Clients(trust, trust.isPresent()));
    return RawUpstream.of(tls.context(), tls.parameters(), script);
  }

  private static RawUpstream demanding(TestCertificate clients) throws Exception {
    return demanding(Optional.of(clients), TlsVersion.TLS1_2, CipherSuite.DEFAULTS, RawUpstream.always(OK));
  }

  private static String yaml(RawUpstream stub, String tls) {
    return "{url: '" + stub.uri("/") + "', tls: {" + tls + "}}";
  }

  /** By the time of the machine, as certificates are valid now. */
  private static Setup now() {
    Setup setup = new Setup();
    setup.later(Duration.between(Setup.BEGIN, Instant.now()));
    return setup;
  }

  @Test
  void endpointTrustsOnlyItsOwnStore() throws Exception {
    Path ca = file("ca.pem", CA.pem());
    Path other = file("other.pem", OTHER.pem());
    try (
        RawUpstream stub = demanding(Optional.empty(), TlsVersion.TLS1_2, CipherSuite.DEFAULTS,
            RawUpstream.always(OK));
        Setup setup = now()) {
      assertEquals(200, setup.say(yaml(stub, "trust_store: " + ca)).status());
      assertThrows(CallFailure.Unreachable.class, () -> setup.say(yaml(stub, "trust_store: " + other)));
      assertThrows(CallFailure.Unreachable.class, () -> setup.say(stub.uri("/").toString()));
      assertThrows(CallFailure.Unreachable.class, () -> setup.say(yaml(stub, "min_version: TLS1.3")));
      assertEquals(200, setup.say(yaml(stub, "trust_store: " + ca)).status());
    }
  }

  @Test
  void aCertificateIsShownToWhoAsks() throws Exception {
    Path ca = file("ca.pem", CA.pem());
    Path good = file("good.pem", certificate("us", CA).keyStore(CA));
    Path bad = file("bad.pem", certificate("us", OTHER).keyStore(OTHER));
    try (RawUpstream stub = demanding(CA); Setup setup = now()) {
      assertEquals(200, setup.say(yaml(stub, "trust_store: " + ca + ", key_store: {path: " + good + "}")).status());
      assertThrows(CallFailure.Unreachable.class,
          () -> setup.say(yaml(stub, "trust_store: " + ca + ", key_store: {path: " + bad + "}")));
      assertThrows(CallFailure.Unreachable.class, () -> setup.say(yaml(stub, "trust_store: " + ca)));
    }
  }

  @Test
  void theKeyIsTheOneThatIsNamed() throws Exception {
    TestCertificate good = certificate("good", CA);
    String id = KeyRing.parse(good.keyStore(CA), "", Instant.now()).first().id();
    Path ca = file("ca.pem", CA.pem());
    Path both = file("both.pem", certificate("bad", OTHER).keyStore(OTHER) + good.keyStore(CA));
    try (RawUpstream stub = demanding(CA); Setup setup = now()) {
      String store = "trust_store: " + ca + ", key_store: {path: " + both + "}";
      assertEquals(200, setup.say(yaml(stub, store + ", key_id: " + id)).status());
      assertThrows(CallFailure.Unreachable.class, () -> setup.say(yaml(stub, store)));
    }
  }

  @Test
  void aRenewedKeyIsShownFromTheNextCallOn() throws Exception {
    Path ca = file("ca.pem", CA.pem());
    Path key = file("key.pem", certificate("us", OTHER).keyStore(OTHER));
    try (RawUpstream stub = demanding(CA); Setup setup = now()) {
      Endpoint endpoint = Setup.endpoint(yaml(stub, "trust_store: " + ca + ", key_store: {path: " + key + "}"));
      assertTrue(endpoint.secure(setup.caller, true, new Problems()));
      assertThrows(CallFailure.Unreachable.class, () -> setup.say(endpoint));
      file("key.pem", certificate("us", CA).keyStore(CA));
      assertEquals(List.of(key), setup.keys.files());
      setup.keys.prepared(key).run();
      assertEquals(200, setup.say(endpoint).status());
    }
  }

  @Test
  void certificateThatIsShownIsPartOfTheKeyOfAnAnswer() throws Exception {
    Path key = file("key.pem", certificate("us", OTHER).keyStore(OTHER));
    try (Setup setup = now()) {
      Endpoint endpoint = Setup.endpoint("{url: 'https://h/', tls: {key_store: {path: " + key + "}}}");
      assertTrue(endpoint.secure(setup.caller, true, new Problems()));
      CacheKey before = key(endpoint, setup);
      assertEquals(before, key(endpoint, setup));
      file("key.pem", certificate("us", CA).keyStore(CA));
      setup.keys.prepared(key).run();
      assertNotEquals(before, key(endpoint, setup));
    }
  }

  private static CacheKey key(Endpoint endpoint, Setup setup) throws CallFailure {
    return endpoint.key("p", endpoint.request(Value.Dict.EMPTY), List.of(), setup.caller);
  }

  @Test
  void connectionsOutliveConfigurationsUntilUnused() throws Exception {
    Path ca = file("ca.pem", CA.pem());
    Path key = file("key.pem", certificate("us", CA).keyStore(CA));
    try (RawUpstream stub = demanding(CA); Setup setup = now()) {
      String yaml = yaml(stub, "trust_store: " + ca + ", key_store: {path: " + key + "}");
      for (int i = 0; i < 3; i++) {
        Endpoint endpoint = Setup.endpoint(yaml);
        EndpointClient caller = setup.caller();
        assertTrue(endpoint.secure(caller, true, new Problems()));
        assertEquals(200, endpoint.send(endpoint.request(Value.Dict.EMPTY), caller).status());
      }
      assertEquals(1, setup.clients.size());
      assertEquals(1, stub.connections());
      setup.later(Duration.ofMinutes(6));
      assertThrows(CallFailure.Unreachable.class, () -> setup.say(yaml(stub, "trust_store: " + ca)));
      assertEquals(1, setup.clients.size());
      assertEquals(200, setup.say(yaml).status());
      assertEquals(2, setup.clients.size());
    }
  }

  @Test
  void versionsAndCipherSuitesAreThoseThatAreNamed() throws Exception {
    Path ca = file("ca.pem", CA.pem());
    List<CipherSuite> one = List.of(CipherSuite.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256);
    KeyRing ring = KeyRing.parse(certificate("gate", CA).keyStore(), "", Instant.now());
    ServerTls tls = ServerTls.of(List.of(ring.first()), TlsVersion.TLS1_2, one, ServerTls.Clients.ANY);
    var old = tls.parameters();
    old.setProtocols(new String[] {"TLSv1.2"});
    try (RawUpstream stub = RawUpstream.of(tls.context(), old, RawUpstream.always(OK)); Setup setup = now()) {
      String trust = "trust_store: " + ca;
      assertEquals(200, setup.say(yaml(stub, trust)).status());
      assertEquals(200,
          setup.say(yaml(stub, trust + ", cipher_suites: [TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256]")).status());
      assertThrows(CallFailure.Unreachable.class, () -> setup.say(yaml(stub, trust + ", cipher_suites: "
          + "[TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384]")));
      assertThrows(CallFailure.Unreachable.class, () -> setup.say(yaml(stub, trust + ", min_version: TLS1.3")));
    }
  }

  @Test
  void tokensAreFetchedWithTlsOfTheirOwn() throws Exception {
    Path ca = file("ca.pem", CA.pem());
    Path key = file("key.pem", certificate("us", CA).keyStore(CA));
    String token = "{\"access_token\": \"x\"}";
    try (RawUpstream issuer = demanding(Optional.of(CA), TlsVersion.TLS1_2, CipherSuite.DEFAULTS,
        RawUpstream.once("HTTP/1.1 200 OK\r\nContent-Length: " + token.length() + "\r\n\r\n" + token));
        StubService stub = new StubService(_ -> StubService.OK);
        Setup setup = now()) {
      String auth = "{url: '" + stub.url("/") + "', auth: {type: oauth2_client_credentials, config: {token_url: '"
          + issuer.uri("/token")
          + "', client_id: a, client_secret: b, tls: {trust_store: " + ca + "%s}}}}";
      assertThrows(CallFailure.Unauthenticated.class, () -> setup.say(auth.formatted("")));
      assertEquals(200, setup.say(auth.formatted(", key_store: {path: " + key + "}")).status());
      assertEquals("Bearer x", stub.last().field("Authorization"));
    }
  }

  @Test
  void anAddressFoundOutElsewhereIsNeverCalledInTheClear() throws Exception {
    try (StubService stub = new StubService(_ -> StubService.OK); Setup setup = now()) {
      CallOptions options = Setup.endpoint("{url: 'https://h/', tls: {trust_store: " + file("ca.pem", CA.pem()) + "}}")
          .options();
      Endpoint found = Endpoint.at(URI.create(stub.url("/keys")), options);
      assertTrue(
          assertThrows(CallFailure.InvalidRequest.class, () -> setup.say(found)).getMessage().contains("is not https"));
      assertEquals(List.of(), stub.receivedCalls());
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
    "https://h/|trust_store: DIR/none.pem|f:1:40: tls.trust_store: trust store `DIR/none.pem`: there is no such file",
    "https://h/|key_store: {path: DIR/none.pem}|tls.key_store.path: key store `DIR/none.pem`: there is no such file",
    "https://h/|trust_store: DIR/bare.pem|tls.trust_store: trust store `DIR/bare.pem`: ",
    "https://h/|key_store: {path: DIR/bare.pem}|tls.key_store.path: key `k` is not fit for TLS: no certificate in "
        + "the file belongs to it",
    "https://h/|key_store: {path: DIR/good.pem}, key_id: x|tls.key_store.path: no key `x` (known: ",
    "http://h/|trust_store: DIR/ca.pem|url: `tls` is configured for a URL that is not https",
    "https://h/|ca: x|tls: unknown key `ca`",
    "https://h/|min_version: TLS1.1|tls.min_version: ",
    "https://h/|key_id: x|warning: tls.key_id: `key_id` has no effect here, without `key_store`",
    "https://h/|min_version: TLS1.3, cipher_suites: [TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256]|warning: "
        + "tls.cipher_suites: `cipher_suites` has no effect here",
    "https://h/|trust_store: DIR/ca.pem, key_store: {path: DIR/good.pem}|",
  })
  void readsTlsFilesAtStart(String url, String tls, String problem) throws Exception {
    file("bare.pem", TestKeys.pem("PRIVATE KEY", TestKeys.ec(256).getPrivate().getEncoded()).replace("KEY-----\nM",
        "KEY-----\nX-Key-ID: k\n\nM"));
    file("ca.pem", CA.pem());
    file("good.pem", certificate("us", CA).keyStore(CA));
    Problems problems = new Problems();
    String text = ("{url: '" + url + "', tls: {" + tls + "}}").replace("DIR", folder.toString());
    boolean secure = Setup.read(text, problems).filter(e -> e.secure(false, problems)).isPresent();
    String wanted = problem == null ? "" : problem.replace("DIR", folder.toString());
    String reported = Setup.reported(problems);
    assertTrue(wanted.isEmpty() ? reported.isEmpty() : reported.contains(wanted), reported);
    assertEquals(wanted.isEmpty() || wanted.startsWith("warning"), secure);
  }

  @Test
  void cacheKeyDependsOnTrustAndCertificate() {
    Value.Dict none = Value.Dict.EMPTY;
    List<String> settings = List.of("", ", tls: {}", ", tls: {trust_store: a}", ", tls: {trust_store: b}",
        ", tls: {key_store: {path: a}}",
        ", tls: {key_store: {path: a}, key_id: x}", ", tls: {min_version: TLS1.3}");
    for (String one : settings) {
      for (String other : settings) {
        Endpoint a = Setup.endpoint("{url: 'https://h/'" + one + "}");
        Endpoint b = Setup.endpoint("{url: 'https://h/'" + other + "}");
        boolean same = one.equals(other);
        try (Setup setup = new Setup()) {
          if (same) {
            assertEquals(a.key("p", a.request(none), List.of(), setup.caller),
                b.key("p", b.request(none), List.of(), setup.caller), one);
          } else {
            assertNotEquals(a.key("p", a.request(none), List.of(), setup.caller),
                b.key("p", b.request(none), List.of(), setup.caller), one + other);
          }
        } catch (CallFailure e) {
          throw new AssertionError(e);
        }
      }
    }
  }

  @Test
  void passwordsAreNotShown() {
    String shown = Setup.endpoint("{url: 'https://h/', tls: {key_store: {path: a, password: canary}}}").options()
        .toString();
    assertFalse(shown.contains("canary"), shown);
  }
}
