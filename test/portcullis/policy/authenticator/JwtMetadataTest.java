package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;

class JwtMetadataTest {
  private static final String OPENID = "/.well-known/openid-configuration";

  private final Bench bench = new Bench();
  private final StubIssuer stub = new StubIssuer();
  private final Issuer key = Issuer.of("k");

  @AfterEach
  void close() {
    bench.close();
    stub.close();
  }

  /** A document that names an issuer and the key set at {@code /keys}, which is published too. */
  private void describe(String path, String issuer) {
    stub.answer("/keys", Issuer.jwks(key));
    stub.answer(path, "{\"issuer\":\"" + issuer + "\",\"jwks_uri\":\"" + stub.url("/keys") + "\"}");
  }

  private Bench.Made<JwtAuthenticator.Config> make(String endpoint, String more) {
    return bench.make(JwtAuthenticator.TYPE, "{metadata_endpoint: " + endpoint + more + "}");
  }

  private Bench.Made<JwtAuthenticator.Config> make(String path) {
    return make("{url: '" + stub.url(path) + "'}", "");
  }

  private String token(String issuer) {
    return key.token("{\"iss\":\"" + issuer + "\",\"sub\":\"alice\"}");
  }

  @Test
  void theDocumentNamesKeysAndIssuer() {
    describe("/a" + OPENID, stub.url("/a"));
    Bench.Made<?> made = make("/a" + OPENID);
    assertEquals("alice", made.outcome(Bench.bearer(token(stub.url("/a")))));
    assertEquals("GET /a" + OPENID + "; GET /keys", stub.receivedCalls());
    assertTrue(made.outcome(Bench.bearer(token("b"))).endsWith("issuer b is not trusted"));
    assertEquals("alice", made.outcome(Bench.bearer(token(stub.url("/a")))));
    assertEquals("", stub.receivedCalls(), "the document is kept");
    bench.clock.pass(Duration.ofMinutes(30).minusSeconds(1));
    assertEquals("alice", made.outcome(Bench.bearer(token(stub.url("/a")))));
    assertFalse(stub.receivedCalls().contains(OPENID), "for half an hour");
    bench.clock.pass(Duration.ofSeconds(2));
    assertEquals("alice", made.outcome(Bench.bearer(token(stub.url("/a")))));
    assertTrue(stub.receivedCalls().contains(OPENID));
  }

  @Test
  void nothingIsLeftOfWhatIsForgotten() throws Exception {
    describe("/a" + OPENID, stub.url("/a"));
    Bench.Made<JwtAuthenticator.Config> made = make("/a" + OPENID);
    String token = token(stub.url("/a"));
    assertEquals("alice", made.outcome(Bench.bearer(token)));
    MetadataDocuments documents = ((IssuerEndpoint.Discovered) made.config().place()).documents();
    assertEquals(1, documents.size());
    assertTrue(made.config().verifier().read(token, bench.clock.instant()).remembered().isPresent());
    made.mechanism().forget();
    assertEquals(0, documents.size());
    assertFalse(made.config().verifier().read(token, bench.clock.instant()).remembered().isPresent());
    assertEquals("alice", made.outcome(Bench.bearer(token)));
  }

  @Test
  void theShortFormIsTheAddressAlone() {
    describe("/a" + OPENID, stub.url("/a"));
    assertEquals("alice", make("'" + stub.url("/a" + OPENID) + "'", "").outcome(Bench.bearer(token(stub.url("/a")))));
    assertEquals("application/json", stub.questions().getFirst().header("Accept"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      /a/.well-known/openid-configuration            | /a    | true
      /a/.well-known/openid-configuration            | /a/   | true
      /a/b/.well-known/openid-configuration          | /a/b  | true
      /.well-known/openid-configuration              | ^^    | true
      /.well-known/openid-configuration              | /     | true
      /.well-known/oauth-authorization-server/a      | /a    | true
      /.well-known/oauth-authorization-server/a/b    | /a/b  | true
      /.well-known/oauth-authorization-server/a/b    | /a    | true
      /.well-known/oauth-authorization-server        | ^^    | true
      /document                                      | /document | true
      /document?tenant=a                             | /document | true
      /a/.well-known/openid-configuration?tenant=/b  | /a    | true
      /document?tenant=a                             | /document?tenant=a | false
      /a/.well-known/openid-configuration            | /b    | false
      /a/.well-known/openid-configuration            | ^^    | false
      /a/.well-known/openid-configuration            | /A    | false
      /a/.well-known/openid-configuration            | /a//  | false
      /.well-known/oauth-authorization-server/a      | ^^    | false
      /.well-known/oauth-authorization-server/a/b    | /b    | false
      """)
  void theIssuerIsTheOneThatTheAddressImplies(String path, String issuer, boolean fits) {
    describe(path.replaceFirst("\\?.*", ""), stub.url(issuer));
    String outcome = make(path).outcome(Bench.bearer(token(stub.url(issuer))));
    assertEquals(fits, outcome.equals("alice"), outcome);
    if (!fits) {
      assertTrue(outcome.startsWith("internal error: failed retrieving oauth2 server metadata: internal error: "
          + "expected issuer '"
          + stub.url(""))
          && outcome.endsWith("' does not match issuer '" + stub.url(issuer) + "' from the received metadata"),
          outcome);
      assertEquals("GET " + path, stub.receivedCalls(), "the keys are not asked for");
    }
    assertEquals("alice", make("{url: '" + stub.url(path) + "', disable_issuer_identifier_verification: true}", "")
        .outcome(Bench.bearer(token(stub.url(issuer)))));
  }

  @Test
  void configuredIssuersWin() {
    describe("/a" + OPENID, stub.url("/a"));
    Bench.Made<?> made = make("'" + stub.url("/a" + OPENID) + "'", ", assertions: {issuers: [x]}");
    assertEquals("alice", made.outcome(Bench.bearer(token("x"))));
    assertTrue(made.outcome(Bench.bearer(token(stub.url("/a")))).endsWith("is not trusted"));
  }

  /** A document that names nobody would let in everybody's tokens. */
  @Test
  void documentWithoutIssuerTrustsNoToken() {
    stub.answer("/keys", Issuer.jwks(key));
    stub.answer("/d", "{\"jwks_uri\":\"" + stub.url("/keys") + "\"}");
    String unverified = "{url: '" + stub.url("/d") + "', disable_issuer_identifier_verification: true}";
    assertEquals("internal error: received server metadata does not contain the required issuer",
        make(unverified, "").outcome(Bench.bearer(token("x"))));
    assertEquals("alice", make(unverified, ", assertions: {issuers: [x]}").outcome(Bench.bearer(token("x"))));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      ^^                                      | internal | received server metadata does not contain the required \
      jwks_uri
      https://h/{{ .TokenIssuer }}            | internal | received jwks_uri contains a template, which is not allowed
      /keys                                   | communication | received jwks_uri is not a URL
      http://h/a b                            | communication | received jwks_uri is not a URL
      keys                                    | communication | received jwks_uri is not a URL
      file:///etc/passwd                      | communication | received jwks_uri is not a URL
      file://host/etc/passwd                  | communication | received jwks_uri cannot be used: \
      invalid URL `file://host/etc/passwd`
      ftp://host/keys                         | communication | received jwks_uri cannot be used: invalid URL \
      `ftp://host/keys`
      https://user:pw@host/keys               | communication | received jwks_uri is not a URL
      """)
  void discoveredUrlsMustBeHttpAndLiteral(String url, String kind, String why) {
    String member = url.isEmpty() ? "" : ",\"jwks_uri\":\"" + url + "\"";
    stub.answer("/a" + OPENID, "{\"issuer\":\"" + stub.url("/a") + "\"" + member + "}");
    String outcome = make("/a" + OPENID).outcome(Bench.bearer(token(stub.url("/a"))));
    assertTrue(
        outcome.startsWith("internal error: failed retrieving oauth2 server metadata: " + kind + " error: " + why),
        outcome);
    assertEquals("GET /a" + OPENID, stub.receivedCalls());
  }

  @Test
  void discoveredAddressesHaveTlsWhereThatIsInsistedOn() throws Failure {
    MetadataEndpoint at = ((IssuerEndpoint.Discovered) make("/a" + OPENID).config().place()).metadata();
    String document = "{\"issuer\":\"" + stub.url("/a") + "\",\"jwks_uri\":\"http://i.test/keys\"}";
    URI address = URI.create(stub.url("/a" + OPENID));
    assertEquals(stub.url("/a"), at.read(document.getBytes(), address, bench.context(Enforcement.NONE)).issuer());
    Failure failure = assertThrows(Failure.class,
        () -> at.read(document.getBytes(), address, bench.context(Enforcement.ALL)));
    assertTrue(failure.report().endsWith("received jwks_uri cannot be used: scheme must be https"), failure.report());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      500 | {}     | communication error: unexpected response code: 500
      404 | {}     | communication error: unexpected response code: 404
      200 | <html> | internal error: failed to unmarshal received oauth2 server metadata document: invalid JSON
      200 | []     | internal error: failed to unmarshal received oauth2 server metadata document: it is not a JSON \
      object
      200 | {"issuer":7} | internal error: failed to unmarshal received oauth2 server metadata document: `issuer` is \
      not a string
      """)
  void answersThatAreNoDocuments(int status, String body, String why) {
    stub.answer("/a" + OPENID, StubIssuer.saying(status, body));
    String outcome = make("/a" + OPENID).outcome(Bench.bearer(token("x")));
    assertTrue(outcome.startsWith("internal error: failed retrieving oauth2 server metadata: " + why), outcome);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      {jwks_endpoint: {url: 'https://k.test', headers: {X-A: '%s'}}, assertions: {issuers: [a]}} | ''
      {metadata_endpoint: {url: 'https://m.test', headers: {X-A: '%s'}}, assertions: {issuers: [a]}} \
      | failed retrieving oauth2 server metadata: internal error:
      """)
  void requestsThatCannotBeMadeFailEachOnItsOwn(String yaml, String before) {
    for (String header : List.of("{{ index \"a\" 9 }}", "{{ index .TokenIssuer 9 }}")) {
      Bench.Made<?> made = bench.make(JwtAuthenticator.TYPE, yaml.formatted(header));
      for (int i = 0; i < 2; i++) {
        String outcome = made.outcome(Bench.bearer(token("a")));
        assertTrue(
            outcome.startsWith("internal error: " + before) && outcome.contains("failed to render X-A header value: "),
            outcome);
      }
    }
  }

  @Test
  void requestsKeysAsConfigured() {
    describe("/a" + OPENID, stub.url("/a"));
    make("{url: '" + stub.url("/a" + OPENID) + "', headers: {X-A: b}, resolved_endpoints: {jwks_uri: {auth: {type: "
        + "api_key, "
        + "config: {in: header, name: X-Api-Key, value: k1}}}}}", "").outcome(Bench.bearer(token(stub.url("/a"))));
    assertEquals("b", stub.questions().get(0).header("X-A"));
    assertEquals("", stub.questions().get(0).header("X-Api-Key"));
    assertEquals("k1", stub.questions().get(1).header("X-Api-Key"));
    assertEquals("", stub.questions().get(1).header("X-A"));
  }

  /** An issuer that nobody listed is never called, and the token's own word leads to no other address. */
  @Test
  void callsOnlyListedIssuers() {
    stub.answer("/keys", Issuer.jwks(key));
    for (String realm : new String[] {"red", "blue"}) {
      stub.answer("/" + realm,
          "{\"issuer\":\"https://login.test/" + realm + "\",\"jwks_uri\":\"" + stub.url("/keys") + "\"}");
    }
    Bench.Made<?> made = make("{url: '" + stub.url("/") + "{{ trimPrefix \"https://login.test/\" .TokenIssuer }}', "
        + "disable_issuer_identifier_verification: true}",
        ", assertions: {issuers: ['https://login.test/red', "
            + "'https://login.test/blue']}");
    for (String iss : new String[] {"https://login.test/green", "https://evil.test", "https://login.test/red/",
      "../keys", ""}) {
      assertEquals("authentication error: issuer " + iss + " is not trusted", made.outcome(Bench.bearer(token(iss))));
      assertEquals("authentication error: issuer " + iss + " is not trusted",
          made.outcome(Bench.bearer(Issuer.of("k").token("{\"iss\":\"" + iss + "\"}"))), "also of tokens that nobody "
              + "signed");
    }
    assertEquals("", stub.receivedCalls());
    assertEquals("alice", made.outcome(Bench.bearer(token("https://login.test/red"))));
    assertEquals("GET /red; GET /keys", stub.receivedCalls());
    assertEquals("alice", made.outcome(Bench.bearer(token("https://login.test/blue"))));
    assertEquals("GET /blue", stub.receivedCalls());
  }

  @Test
  void eachIssuerHasKeysOfItsOwn() {
    Issuer blue = Issuer.of("k");
    stub.answer("/keys",
        exchange -> StubIssuer.saying(200, exchange.getRequestURI().getQuery().contains("red") ? Issuer.jwks(key)
            : Issuer.jwks(blue)).handle(exchange));
    Bench.Made<?> made = bench.make(JwtAuthenticator.TYPE, "{jwks_endpoint: {url: '" + stub.url("/keys")
        + "?iss={{ urlenc .TokenIssuer }}', headers: {X-Issuer: '{{ .TokenIssuer }}'}}, assertions: {issuers: [red, "
        + "blue]}}");
    assertEquals("alice", made.outcome(Bench.bearer(token("red"))));
    assertEquals("red", stub.questions().getFirst().header("X-Issuer"));
    assertEquals("authentication error: failed to verify JWT signature", made.outcome(Bench.bearer(token("blue"))));
    assertEquals("alice", made.outcome(Bench.bearer(blue.token("{\"iss\":\"blue\",\"sub\":\"alice\"}"))));
    assertEquals("authentication error: failed to verify JWT signature",
        made.outcome(Bench.bearer(blue.token("{\"iss\":\"red\",\"sub\":\"alice\"}"))));
    assertEquals("GET /keys?iss=red; GET /keys?iss=blue", stub.receivedCalls());
  }

  @Test
  void keepsLastGoodDocumentWhileIssuerFails() {
    describe("/a" + OPENID, stub.url("/a"));
    Bench.Made<?> made = make("/a" + OPENID);
    String token = token(stub.url("/a"));
    assertEquals("alice", made.outcome(Bench.bearer(token)));
    stub.answer("/a" + OPENID, StubIssuer.saying(503, ""));
    stub.answer("/keys", StubIssuer.saying(503, ""));
    bench.clock.pass(Duration.ofMinutes(31));
    stub.receivedCalls();
    assertEquals("alice", made.outcome(Bench.bearer(token)));
    assertEquals("alice", made.outcome(Bench.bearer(token)));
    assertEquals("GET /a" + OPENID + "; GET /keys", stub.receivedCalls(), "once within the cool-down");
    bench.clock.pass(Duration.ofMinutes(70));
    assertTrue(made.outcome(Bench.bearer(token)).startsWith("internal error: failed retrieving oauth2 server "
        + "metadata: communication error"));
    assertTrue(bench.logged().contains("metadata of the issuer cannot be fetched, the last good ones stay in use"));
  }

  @Test
  void aNewDocumentCountsAtOnce() {
    describe("/a" + OPENID, stub.url("/a"));
    Bench.Made<?> made = make("{url: '" + stub.url("/a" + OPENID) + "', http_cache: {enabled: false}}", "");
    assertEquals("alice", made.outcome(Bench.bearer(token(stub.url("/a")))));
    Issuer next = Issuer.of("k");
    stub.answer("/next", Issuer.jwks(next));
    stub.answer("/a" + OPENID, JsonText.plain(new Value.Dict(Map.of("issuer", Value.of(stub.url("/a")),
        "jwks_uri", Value.of(stub.url("/next"))))));
    assertEquals("authentication error: failed to verify JWT signature",
        made.outcome(Bench.bearer(token(stub.url("/a")))));
    assertEquals("alice",
        made.outcome(Bench.bearer(next.token("{\"iss\":\"" + stub.url("/a") + "\",\"sub\":\"alice\"}"))));
  }
}
