package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.fixture.TestKeys;
import portcullis.http.message.Request;
import portcullis.lang.value.JsonText;
import portcullis.policy.mechanism.Subject;

class GenericAuthenticatorTest {
  private final Bench bench = new Bench();
  private final StubIssuer stub = new StubIssuer();

  @AfterEach
  void close() {
    bench.close();
    stub.close();
  }

  /** One that reads a session cookie and sends it on. */
  private Bench.Made<GenericAuthenticator.Config> make(String more) {
    return make("{url: '" + stub.url("/me") + "', method: GET}", more);
  }

  private Bench.Made<GenericAuthenticator.Config> make(String endpoint, String more) {
    return bench.make(GenericAuthenticator.TYPE,
        "{identity_info_endpoint: " + endpoint + ", authentication_data_source: [{cookie: sid}], "
            + "subject: {id: sub}" + more + "}");
  }

  private static Request session(String id, String... more) {
    String[] fields = new String[more.length + 2];
    System.arraycopy(more, 0, fields, 2, more.length);
    fields[0] = "Cookie";
    fields[1] = "theme=dark; sid=" + id;
    return Bench.with(fields);
  }

  /** They would be read at the first request, and could be gone by then. */
  @Test
  void keysThatSignForTheEndpointAreInUseFromTheStart(@TempDir Path folder) throws Exception {
    Path store = Files.writeString(folder.resolve("keys.pem"), TestKeys.pem(TestKeys.ec(256)));
    make("{url: '" + stub.url("/me") + "', auth: {type: http_message_signatures, config: {signer: {name: gate, "
        + "key_store: {path: '" + store + "'}}, components: ['@method']}}}", "");
    assertEquals(1, bench.keys.published().size());
  }

  @Test
  void theAnswerIsTheSubject() {
    stub.answer("/me", "{\"sub\":\"alice\",\"n\":9007199254740993,\"groups\":[\"dev\"]}");
    Subject subject = make(", forward_cookies: [sid]").accepts(session("s1"));
    assertEquals("alice", subject.id());
    assertEquals("{\"groups\":[\"dev\"],\"n\":9007199254740993,\"sub\":\"alice\"}",
        JsonText.plain(subject.attributes()));
    assertEquals("sid=s1", stub.questions().getFirst().header("Cookie"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      200 | {"sub":"alice"}    | alice
      201 | {"sub":7}          | 7
      200 | {"sub":12345678901234567890} | 12345678901234567890
      200 | {"sub":12345678901234567891} | 12345678901234567891
      200 | {"sub":-9223372036854775809} | -9223372036854775809
      200 | {"sub":true}       | true
      401 | {"sub":"mallory"}  | authentication error: received authentication data rejected
      403 | {"sub":"mallory"}  | authentication error: received authentication data rejected
      302 | {"sub":"mallory"}  | authentication error: failed to get information about the user: communication error: \
      unexpected response code: 302
      404 | {"sub":"mallory"}  | authentication error: failed to get information about the user: communication error: \
      unexpected response code: 404
      503 | {"sub":"mallory"}  | authentication error: failed to get information about the user: communication error: \
      unexpected response code: 503
      200 | {"user":"alice"}   | internal error: failed to extract subject information from response: could not \
      extract subject identifier using 'sub' template
      200 | {"sub":null}       | internal error: failed to extract subject information from response: could not \
      extract subject identifier using 'sub' template
      200 | ["alice"]          | internal error: failed to extract subject information from response: could not \
      extract subject identifier using 'sub' template
      200 | {"sub":"alice"} x  | internal error: failed to unmarshal response: invalid JSON
      200 | {"sub":"alice"     | internal error: failed to unmarshal response: invalid JSON
      200 | ^^                 | internal error: failed to unmarshal response: invalid JSON
      """)
  void everyAnswerHasItsOutcome(int status, String body, String outcome) {
    stub.answer("/me", StubIssuer.saying(status, body));
    String reported = make("").outcome(session("s1"));
    assertTrue(
        reported.startsWith(outcome) && (reported.length() == outcome.length() || outcome.endsWith("invalid JSON")),
        reported);
  }

  @Test
  void responseOverBudgetIsInternalError() {
    stub.answer("/me", "{\"sub\":\"alice\",\"n\":[" + "{},".repeat(140_000) + "{}]}");
    String reported = make("").outcome(session("s1"));
    assertEquals("internal error: failed to unmarshal response: it has more than 131072 values", reported);
    stub.answer("/me", "{\"sub\":\"alice\",\"n\":[" + "{},".repeat(130_000) + "{}]}");
    assertEquals("alice", make("").accepts(session("s1")).id());
  }

  @Test
  void unreachableEndpointIsCommunicationError() {
    stub.close();
    assertTrue(make("").outcome(session("s")).startsWith("communication error: request to the endpoint to get "
        + "information about the user failed"));
  }

  @Test
  void aRequestThatCannotBeMadeIsInternalError() {
    String outcome = make("{url: '" + stub.url("/me") + "', headers: {X-A: '{{ index .AuthenticationData 9 }}'}}", "")
        .outcome(session("s1"));
    assertTrue(outcome.startsWith("internal error: failed to render X-A header value: "), outcome);
    assertEquals("", stub.receivedCalls());
  }

  @Test
  void withoutSessionNothingIsCalled() {
    assertEquals("authentication error: failed to get authentication data from request: argument error: no 'sid' "
        + "cookie present",
        make("").outcome(Bench.with("X-Sid", "s1")));
    assertEquals("", stub.receivedCalls());
  }

  /** The endpoint hears what the configuration names and nothing else of the client's. */
  @Test
  void forwardsOnlyConfiguredFields() {
    stub.answer("/me", "{\"sub\":\"alice\"}");
    Request full = session("s1; other=o", "Authorization", "Bearer secret", "X-Tenant", "t1", "X-Tenant", "t2",
        "X-Forwarded-For", "1.2.3.4",
        "Referer", "https://x.test", "Accept", "text/html");
    make("").accepts(full);
    StubIssuer.ReceivedRequest bare = stub.questions().getFirst();
    for (String name : new String[] {"Authorization", "Cookie", "X-Tenant", "X-Forwarded-For", "Referer", "Accept",
      "Content-Type", "User-Agent"}) {
      assertEquals("", bare.header(name), name);
    }
    assertEquals("", bare.body());
    make(", forward_headers: [x-tenant, X-Absent], forward_cookies: [other, sid, absent]").accepts(full);
    StubIssuer.ReceivedRequest shown = stub.questions().getLast();
    assertEquals("t1,t2", shown.header("X-Tenant"));
    assertEquals("other=o; sid=s1", shown.header("Cookie"));
    assertEquals("", shown.header("Authorization"));
  }

  @Test
  void cookiesGoAlongByteForByte() {
    stub.answer("/me", "{\"sub\":\"alice\"}");
    for (String value : new String[] {"\"a b\"", "a b", "a,b", "a=b==", "zo\u00c3\u00ab", "%20"}) {
      make(", forward_cookies: [sid]").accepts(session(value));
      assertEquals("sid=" + value, stub.questions().getLast().header("Cookie"));
    }
  }

  @Test
  void theQuestionIsShapedByTheConfiguration() {
    stub.answer("/v/a%20b", "{\"sub\":\"alice\"}");
    stub.answer("/v/a b", "{\"sub\":\"alice\"}");
    make("{url: '" + stub.url("/v/") + "{{ urlenc .AuthenticationData }}', headers: {X-Got: '{{ .AuthenticationData "
        + "}}', Content-Type: text/x}}",
        ", payload: 'sid={{ urlenc .AuthenticationData }}'").outcome(session("a b"));
    StubIssuer.ReceivedRequest question = stub.questions().getFirst();
    assertTrue(question.line().startsWith("POST /v/a"), question.line());
    assertEquals("a b", question.header("X-Got"));
    assertEquals("text/x", question.header("Content-Type"));
    assertEquals("sid=a+b", question.body());
  }

  @Test
  void answersAreKeptOnlyOnRequest() {
    stub.answer("/me", "{\"sub\":\"alice\"}");
    Bench.Made<GenericAuthenticator.Config> plain = make("");
    plain.accepts(session("s1"));
    plain.accepts(session("s1"));
    assertEquals("GET /me; GET /me", stub.receivedCalls());
    Bench.Made<GenericAuthenticator.Config> kept = plain.refined("{cache_ttl: 5m}");
    kept.accepts(session("s1"));
    kept.accepts(session("s1"));
    assertEquals("GET /me", stub.receivedCalls());
    kept.accepts(session("s2"));
    assertEquals("GET /me", stub.receivedCalls());
    bench.clock.pass(Duration.ofMinutes(5));
    kept.accepts(session("s1"));
    assertEquals("GET /me", stub.receivedCalls());
    kept.refined("{cache_ttl: 0s}").accepts(session("s1"));
    assertEquals("GET /me", stub.receivedCalls());
  }

  @Test
  void refusalsAndErrorsAreNotCached() {
    Bench.Made<?> kept = make(", cache_ttl: 5m");
    for (int status : new int[] {401, 503}) {
      stub.answer("/me", StubIssuer.saying(status, ""));
      kept.refuses(session("s1"));
    }
    stub.answer("/me", "{}");
    kept.refuses(session("s1"));
    stub.answer("/me", "{\"sub\":\"alice\"}");
    kept.accepts(session("s1"));
  }

  /** What the step reads beyond the session makes another answer: fields and cookies that go along, and the body. */
  @Test
  void cachedResponseAnswersOnlyTheSameRequest() {
    stub.answer("/me",
        exchange -> StubIssuer
            .saying(200, "{\"sub\":\"of-" + exchange.getRequestHeaders().getFirst("X-Tenant") + "\"}")
            .handle(exchange));
    Bench.Made<?> kept = make(", cache_ttl: 5m, forward_headers: [X-Tenant], forward_cookies: [region]");
    assertEquals("of-a", kept.outcome(session("s", "X-Tenant", "a")));
    assertEquals("of-b", kept.outcome(session("s", "X-Tenant", "b")));
    assertEquals("of-a", kept.outcome(session("s", "X-Tenant", "a")));
    assertEquals("GET /me; GET /me", stub.receivedCalls());
    kept.outcome(session("s; region=x", "X-Tenant", "a"));
    make(", cache_ttl: 5m, payload: p").outcome(session("s", "X-Tenant", "a"));
    make("{url: '" + stub.url("/me") + "', method: GET, auth: {type: basic_auth, config: {user: u, password: p}}}",
        ", cache_ttl: 5m")
        .outcome(session("s", "X-Tenant", "a"));
    assertEquals("GET /me; GET /me; GET /me", stub.receivedCalls());
  }

  @Test
  void cachedResponseIsEvaluatedForEachRequest() {
    long end = bench.clock.instant().plusSeconds(60).getEpochSecond();
    stub.answer("/me", "{\"sub\":\"alice\",\"exp\":" + end + "}");
    Bench.Made<?> kept = make(", cache_ttl: 5m, session_lifespan: {not_after: exp, validity_leeway: 1s}");
    kept.accepts(session("s"));
    bench.clock.pass(Duration.ofSeconds(49));
    kept.accepts(session("s"));
    assertEquals("GET /me", stub.receivedCalls(), "until ten seconds before the end");
    bench.clock.pass(Duration.ofSeconds(1));
    kept.accepts(session("s"));
    assertEquals("GET /me", stub.receivedCalls());
    bench.clock.pass(Duration.ofSeconds(11));
    assertEquals("authentication error: session validity error: expired", kept.outcome(session("s")));
    stub.answer("/me", "{\"sub\":\"alice\",\"exp\":" + (end + 1000) + ",\"active\":false}");
    assertEquals("alice", kept.outcome(session("s")));
    Bench.Made<?> strict = make(", cache_ttl: 5m, session_lifespan: {active: active}");
    assertEquals("authentication error: session validity error: not active", strict.outcome(session("s")),
        "also of an answer that another one kept");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '^', textBlock = """
      {identity_info_endpoint: 'https://i', authentication_data_source: [{cookie: a}], subject: {id: b}} | ^^
      {authentication_data_source: [{cookie: a}], subject: {id: b}} | f:1:1: `identity_info_endpoint` is missing, it \
      is a URL or a mapping: the endpoint to call
      {identity_info_endpoint: 'https://i', subject: {id: b}} | f:1:1: `authentication_data_source` is missing, it is \
      a list of at least 1, each item a mapping: where to find the credentials of the client
      {identity_info_endpoint: 'https://i', authentication_data_source: [{cookie: a}]} | f:1:1: `subject` is missing, \
      it is a mapping: where to find the subject in the response
      {identity_info_endpoint: 'https://i', authentication_data_source: [{cookie: a}], subject: {}} | f:1:91: \
      subject: `id` is missing, it is a string: the GJSON path of the identifier
      {identity_info_endpoint: 'http://i', authentication_data_source: [{cookie: a}], subject: {id: b}} | f:1:27: \
      identity_info_endpoint: scheme must be https, or allow http to remote services by \
      `--insecure-skip-egress-tls-enforcement`
      """)
  void definitionsAreChecked(String yaml, String reported) {
    assertEquals(reported, bench.problems(GenericAuthenticator.TYPE, yaml, Enforcement.ALL));
  }

  @Test
  void theObsoleteFallbackIsKnownInRulesToo() {
    String all = make("").refusal("{allow_fallback_on_error: true}");
    assertTrue(all.contains("allow_fallback_on_error: has no effect"), all);
    assertTrue(make("").refusal("text").contains("a mapping"), make("").refusal("text"));
  }

  @ParameterizedTest
  @CsvSource({"cache_ttl: 1h,''", "identity_info_endpoint: 'http://evil',unknown key `identity_info_endpoint`",
    "subject: {id: x},unknown key `subject`",
    "session_lifespan: {active: a},unknown key `session_lifespan`", "payload: x,unknown key `payload`"})
  void rulesOverrideOnlyTheCacheTime(String setting, String reported) {
    String all = make("").refusal("{" + setting + "}");
    assertTrue(reported.isEmpty() ? all.isEmpty() : all.contains(reported), all);
  }
}
