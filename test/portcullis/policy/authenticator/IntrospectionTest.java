package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.http.message.Request;

class IntrospectionTest {
  private static final String ACTIVE = "{\"active\":true,\"sub\":\"alice\"}";

  private final Bench bench = new Bench();
  private final StubIssuer stub = new StubIssuer();

  @AfterEach
  void close() {
    bench.close();
    stub.close();
  }

  private Bench.Made<Introspection.Config> make(String more) {
    return bench.make(Introspection.TYPE, "{introspection_endpoint: {url: '" + stub.url("/in") + "'}" + more + "}");
  }

  private String outcome(String answer, String more) {
    stub.answer("/in", answer);
    return make(more).outcome(Bench.bearer("t"));
  }

  @Test
  void theTokenIsPostedAsAForm() {
    stub.answer("/in", ACTIVE);
    assertEquals("alice", make("").outcome(Bench.bearer("a+b/c=&token=x")));
    StubIssuer.ReceivedRequest question = stub.questions().getFirst();
    assertEquals("POST /in", question.line());
    assertEquals("token=a%2Bb%2Fc%3D%26token%3Dx&token_type_hint=access_token", question.body());
    assertEquals("application/x-www-form-urlencoded", question.header("Content-Type"));
    assertEquals("application/json", question.header("Accept"));
    assertEquals("", question.header("Authorization"));
  }

  @Test
  void fieldsAndCredentialsAreThoseConfigured() {
    stub.answer("/in", ACTIVE);
    bench.make(Introspection.TYPE, "{introspection_endpoint: {url: '" + stub.url("/in") + "', method: PUT, headers: "
        + "{Accept: a/b, X-R: r}, "
        + "auth: {type: basic_auth, config: {user: rs, password: pw}}}, token_source: [{cookie: at}]}")
        .accepts(Bench.with("Cookie", "at=t"));
    StubIssuer.ReceivedRequest question = stub.questions().getFirst();
    assertEquals("PUT /in", question.line());
    assertEquals("a/b", question.header("Accept"));
    assertEquals("r", question.header("X-R"));
    assertEquals("Basic cnM6cHc=", question.header("Authorization"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      {"active":true,"sub":"alice"}                          | alice
      {"active":false,"sub":"alice"}                         | the token is not active
      {"sub":"alice"}                                        | the token is not active
      {"active":"true","sub":"alice"}                        | the token is not active
      {"active":1,"sub":"alice"}                             | the token is not active
      {"active":null,"sub":"alice"}                          | the token is not active
      {"active":true,"sub":"alice","exp":1000000000}         | expired
      {"active":true,"sub":"alice","exp":0}                  | expired
      {"active":true,"sub":"alice","exp":"soon"}             | `exp` is not a number
      {"active":true,"sub":"alice","nbf":4102444800}         | not yet valid
      {"active":true,"sub":"alice","iat":4102444800}         | issued in the future
      {"active":true,"sub":"alice","scope":1}                | `scope` is neither a string nor a list of strings
      """)
  void checksClaimsOfResponse(String answer, String outcome) {
    assertEquals(outcome.equals("alice") ? outcome
        : "authentication error: access token does not satisfy assertion "
            + "conditions: " + outcome,
        outcome(answer, ""));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      200 | <html>          | internal error: failed to unmarshal received introspection response: invalid JSON
      200 | ^^              | internal error: failed to unmarshal received introspection response: invalid JSON
      200 | [true]          | internal error: failed to unmarshal received introspection response: it is not a JSON \
      object
      200 | {"active":true} | internal error: failed to extract subject information from introspection response: \
      could not extract
      401 | {"active":true,"sub":"x"} | communication error: unexpected response code: 401
      302 | {"active":true,"sub":"x"} | communication error: unexpected response code: 302
      500 | ^^              | communication error: unexpected response code: 500
      """)
  void otherResponsesAreErrors(int status, String body, String outcome) {
    stub.answer("/in", StubIssuer.saying(status, body));
    String reported = make("").outcome(Bench.bearer("t"));
    assertTrue(reported.startsWith(outcome), reported);
  }

  @Test
  void aRequestThatCannotBeMadeIsInternalError() {
    String outcome = bench.make(Introspection.TYPE,
        "{introspection_endpoint: {url: '" + stub.url("/in") + "', headers: {X-A: '{{ index .TokenIssuer 9 }}'}}, "
            + "assertions: {issuers: [a]}}")
        .outcome(Bench.bearer(Issuer.of("k").token("{\"iss\":\"a\"}")));
    assertTrue(outcome.startsWith("internal error: failed to render X-A header value: "), outcome);
    assertEquals("", stub.receivedCalls());
  }

  @Test
  void rejectsMissingAndHugeTokensWithoutACall() {
    assertTrue(make("").outcome(Bench.with()).startsWith("authentication error: no access token present: argument "
        + "error: no 'Authorization'"));
    assertEquals("authentication error: the access token is longer than 16384 characters",
        make("").outcome(Bench.bearer("x".repeat(16385))));
    assertEquals("", stub.receivedCalls());
    stub.close();
    assertTrue(make("").outcome(Bench.bearer("t")).startsWith("communication error: request to the introspection "
        + "endpoint failed"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      ^^                               | ^^                     | true
      ^^                               | ,"iss":"anybody"       | true
      , assertions: {issuers: [a]}     | ,"iss":"a"             | true
      , assertions: {issuers: [a]}     | ,"iss":"b"             | false
      , assertions: {issuers: [a]}     | ^^                     | false
      , assertions: {audience: [s, t]} | ,"aud":["t"]           | true
      , assertions: {audience: [s, t]} | ,"aud":"t"             | true
      , assertions: {audience: [s]}    | ,"aud":"t"             | false
      , assertions: {audience: [s]}    | ^^                     | false
      , assertions: {scopes: [r, w]}   | ,"scope":"w r"         | true
      , assertions: {scopes: [r, w]}   | ,"scp":["r","w"]       | true
      , assertions: {scopes: [r, w]}   | ,"scope":"r"           | false
      """)
  void issuerAudienceAndScopesAreThoseExpected(String assertions, String claims, boolean met) {
    String reported = outcome("{\"active\":true,\"sub\":\"alice\"" + claims + "}", assertions);
    assertEquals(met, reported.equals("alice"), reported);
  }

  @Test
  void metadataNameTheEndpointAndTheIssuer() {
    String well = "/.well-known/oauth-authorization-server";
    stub.answer(well,
        "{\"issuer\":\"" + stub.url("") + "\",\"introspection_endpoint\":\"" + stub.url("/in") + "\"}");
    Bench.Made<Introspection.Config> made = bench.make(Introspection.TYPE,
        "{metadata_endpoint: '" + stub.url(well) + "', cache_ttl: 0s}");
    for (String iss : new String[] {"", ",\"iss\":null", ",\"iss\":\"" + stub.url("") + "\""}) {
      stub.answer("/in", "{\"active\":true,\"sub\":\"alice\"" + iss + "}");
      assertEquals("alice", made.outcome(Bench.bearer("t")));
    }
    assertEquals("GET " + well + "; POST /in; POST /in; POST /in", stub.receivedCalls());
    MetadataDocuments documents = ((IssuerEndpoint.Discovered) made.config().place()).documents();
    assertEquals(1, documents.size());
    made.mechanism().forget();
    assertEquals(0, documents.size());
    stub.answer("/in", "{\"active\":true,\"sub\":\"alice\",\"iss\":\"evil\"}");
    assertTrue(made.outcome(Bench.bearer("t")).endsWith("issuer evil is not trusted"));
    stub.answer(well, "{\"issuer\":\"" + stub.url("") + "\"}");
    bench.clock.pass(Duration.ofMinutes(31));
    assertEquals("internal error: failed retrieving oauth2 server metadata: internal error: received server metadata "
        + "does not contain"
        + " the required introspection_endpoint", made.outcome(Bench.bearer("t")));
  }

  /** Who is asked is never what an unknown token says. */
  @Test
  void callsOnlyListedIssuers() {
    Issuer issuer = Issuer.of("k");
    stub.answer("/red", "{\"active\":true,\"sub\":\"alice\",\"iss\":\"red\"}");
    Bench.Made<?> made = bench.make(Introspection.TYPE,
        "{introspection_endpoint: '" + stub.url("/") + "{{ .TokenIssuer }}', assertions: {issuers: [red]}}");
    for (String token : List.of(issuer.token("{\"iss\":\"blue\"}"), issuer.token("{\"iss\":[\"red\"]}"),
        issuer.token("{}"), "opaque")) {
      assertTrue(made.outcome(Bench.bearer(token)).endsWith(" is not trusted"));
    }
    assertEquals("", stub.receivedCalls());
    assertEquals("alice", made.outcome(Bench.bearer(issuer.token("{\"iss\":\"red\"}"))));
    assertEquals("POST /red", stub.receivedCalls());
  }

  @Test
  void answersAreKeptUntilShortlyBeforeTheTokenEnds() {
    long end = bench.clock.instant().plusSeconds(60).getEpochSecond();
    stub.answer("/in", "{\"active\":true,\"sub\":\"alice\",\"exp\":" + end + "}");
    Bench.Made<Introspection.Config> made = make("");
    made.accepts(Bench.bearer("t"));
    bench.clock.pass(Duration.ofSeconds(49));
    made.accepts(Bench.bearer("t"));
    assertEquals("POST /in", stub.receivedCalls());
    bench.clock.pass(Duration.ofSeconds(1));
    made.accepts(Bench.bearer("t"));
    assertEquals("POST /in", stub.receivedCalls());
    made.refined("{cache_ttl: 0s}").accepts(Bench.bearer("u"));
    made.refined("{cache_ttl: 0s}").accepts(Bench.bearer("u"));
    assertEquals("POST /in; POST /in", stub.receivedCalls());
  }

  @Test
  void withoutAnEndAnswersAreKeptAsConfiguredOnly() {
    stub.answer("/in", ACTIVE);
    Bench.Made<Introspection.Config> made = make("");
    made.accepts(Bench.bearer("t"));
    made.accepts(Bench.bearer("t"));
    assertEquals("POST /in; POST /in", stub.receivedCalls());
    Bench.Made<Introspection.Config> minute = made.refined("{cache_ttl: 1m}");
    minute.accepts(Bench.bearer("t"));
    minute.accepts(Bench.bearer("t"));
    minute.accepts(Bench.bearer("u"));
    assertEquals("POST /in; POST /in", stub.receivedCalls());
    bench.clock.pass(Duration.ofMinutes(1));
    minute.accepts(Bench.bearer("t"));
    assertEquals("POST /in", stub.receivedCalls());
  }

  @Test
  void aRuleThatNamesNoTimeHasThatOfTheDefinition() {
    stub.answer("/in", ACTIVE);
    Bench.Made<Introspection.Config> made = make(", cache_ttl: 5m").refined("{}");
    made.accepts(Bench.bearer("t"));
    made.accepts(Bench.bearer("t"));
    assertEquals("POST /in", stub.receivedCalls());
  }

  @Test
  void refusalsAndErrorsAreNotCached() {
    Bench.Made<?> made = make(", cache_ttl: 5m");
    stub.answer("/in", "{\"active\":false,\"exp\":4102444800}");
    made.refuses(Bench.bearer("t"));
    stub.answer("/in", StubIssuer.saying(503, ""));
    made.refuses(Bench.bearer("t"));
    stub.answer("/in", ACTIVE);
    made.accepts(Bench.bearer("t"));
  }

  /** With a warm cache every rule judges each token as without one. */
  @Test
  void warmCacheChangesNoDecision() {
    String[] overrides = {"{}", "{assertions: {issuers: [a]}}", "{assertions: {issuers: [b]}}",
      "{assertions: {audience: [x]}}",
      "{assertions: {scopes: [r]}}", "{assertions: {scopes: [r, w], audience: [y]}}"};
    String[] answers = {"\"iss\":\"a\",\"aud\":\"x\",\"scope\":\"r w\"",
      "\"iss\":\"b\",\"aud\":[\"x\",\"y\"],\"scope\":\"r\"", "\"scope\":\"r w\",\"aud\":\"y\"", "\"iss\":\"a\""};
    stub.answer("/in", exchange -> {
      int token = Integer.parseInt(stub.questions().getLast().body().replaceAll("token=(\\d).*", "$1"));
      StubIssuer
          .saying(200, "{\"active\":true,\"sub\":\"s" + token + "\",\"exp\":4102444800," + answers[token] + "}")
          .handle(exchange);
    });
    Bench.Made<Introspection.Config> made = make("");
    Random random = new Random(7);
    for (int i = 0; i < 300; i++) {
      String override = overrides[random.nextInt(overrides.length)];
      Request request = Bench.bearer(String.valueOf(random.nextInt(answers.length)));
      String cold = made
          .refined(override.equals("{}") ? "{cache_ttl: 0s}" : override.replaceFirst("}$", ", cache_ttl: 0s}"))
          .outcome(request);
      assertEquals(cold, made.refined(override).outcome(request), override);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      {introspection_endpoint: 'https://i/in'}               | ^^
      {metadata_endpoint: 'https://i/.well-known/x'}         | ^^
      {}                                                     | f:1:1: `introspection_endpoint` and \
      `metadata_endpoint` are missing, one of them is needed
      {introspection_endpoint: 'https://i', metadata_endpoint: 'https://i'} | f:1:59: `introspection_endpoint` and \
      `metadata_endpoint` exclude each other, one of them is needed
      {introspection_endpoint: 'http://i'}                   | f:1:27: introspection_endpoint: scheme must be https, \
      or allow http to remote services by `--insecure-skip-egress-tls-enforcement`
      {introspection_endpoint: 'https://{{ .TokenIssuer }}'} | f:1:27: introspection_endpoint: `assertions.issuers` \
      is missing: it bounds the endpoints of a template, name the trusted issuers
      """)
  void definitionsAreChecked(String yaml, String reported) {
    assertEquals(reported, bench.problems(Introspection.TYPE, yaml, Enforcement.ALL));
  }
}
