package portcullis.policy.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.StubService;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheKey;

class EndpointTest {
  private static final Value.Dict NOTHING = Value.Dict.EMPTY;

  private static Value.Dict data(String a) {
    return Value.dict("a", Value.of(a));
  }

  private static List<String> names(StubService.ReceivedRequest receivedCalls) {
    return receivedCalls.fields().stream().map(f -> f.name()).toList();
  }

  private static final EndpointClient CALLER = new EndpointClient(() -> {
    throw new IllegalStateException("nobody is called");
  }, Cache.none());

  @Test
  void sendsOnlyWhatIsConfigured() throws CallFailure {
    try (StubService stub = new StubService(_ -> StubService.OK); Setup setup = new Setup()) {
      setup.say(stub.url("/check"));
      assertEquals(List.of("Host", "Content-Length"), names(stub.last()));
      assertEquals("POST", stub.last().method());
      setup.say("{url: '" + stub.url("/check") + "', method: GET, headers: {X-A: b}}");
      assertEquals(List.of("X-A", "Host"), names(stub.last()));
      assertEquals("GET", stub.last().method());
    }
  }

  @Test
  void configuredFieldsOverrideCredentialsAndDefaults() throws CallFailure {
    try (StubService stub = new StubService(_ -> StubService.OK); Setup setup = new Setup()) {
      Endpoint endpoint = Setup.endpoint("""
          url: %s
          headers: {Authorization: own, accept: text/plain, Host: pdp.internal}
          auth: {type: basic_auth, config: {user: u, password: p}}
          """.formatted(stub.url("/")));
      endpoint.send(endpoint.request(NOTHING).defaultHeader("Accept", "application/json").defaultHeader("X-B", "c"),
          setup.caller);
      assertEquals("own", stub.last().field("Authorization"));
      assertEquals("text/plain", stub.last().field("Accept"));
      assertEquals("c", stub.last().field("X-B"));
      assertEquals("pdp.internal", stub.last().field("Host"));
    }
  }

  @Test
  void whatIsForwardedStandsBesideWhatIsConfigured() throws CallFailure {
    try (StubService stub = new StubService(_ -> StubService.OK); Setup setup = new Setup()) {
      Endpoint endpoint = Setup.endpoint("{url: '" + stub.url("/") + "', headers: {X-A: own, Cookie: a=1}}");
      endpoint.send(endpoint.request(NOTHING).forward("X-A", "client").forward("Cookie", "b=2").cookie("c", "\"3\""),
          setup.caller);
      assertEquals(List.of("own", "client"), stub.last().fields().all("X-A"));
      assertEquals(List.of("a=1; b=2; c=\"3\""), stub.last().fields().all("Cookie"));
    }
  }

  @Test
  void whatConcernsTheClientsConnectionIsNeverForwarded() throws CallFailure {
    try (StubService stub = new StubService(_ -> StubService.OK); Setup setup = new Setup()) {
      Endpoint endpoint = Setup.endpoint(stub.url("/"));
      EndpointRequest request = endpoint.request(NOTHING).body("body".getBytes(StandardCharsets.UTF_8));
      for (String name : List.of("Host", "connection", "Transfer-Encoding", "Content-Length", "TE", "Upgrade", "Expect",
          "Keep-Alive")) {
        request.forward(name, "chunked");
      }
      endpoint.send(request, setup.caller);
      assertEquals(List.of("Host", "Content-Length"), names(stub.last()));
      assertEquals(stub.host(), stub.last().field("Host"));
      assertEquals("body", stub.last().body());
    }
  }

  @Test
  void sendsTrimmedHeaderValuesInUtf8() throws CallFailure {
    try (StubService stub = new StubService(_ -> StubService.OK); Setup setup = new Setup()) {
      Endpoint endpoint = Setup.endpoint("url: " + stub.url("/") + "\nheaders:\n  X-A: |\n    {{ .a }}\n");
      endpoint.send(endpoint.request(data(" zoë\t")), setup.caller);
      assertEquals("zo\u00c3\u00ab", stub.last().field("X-A"));
    }
  }

  @Test
  void rejectsControlCharactersInHeaderValues() {
    Endpoint endpoint = Setup.endpoint("{url: 'http://h/', headers: {X-A: 'x{{ .a }}y'}}");
    for (char c : new char[] {0, '\r', '\n', 0x7f}) {
      String why = assertThrows(CallFailure.InvalidRequest.class, () -> endpoint.request(data("a" + c + "b")))
          .getMessage();
      assertEquals("failed to render X-A header value: the value holds a control character", why);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      header | X-Api-Key | k 1  | /x?z=1  | X-Api-Key | k 1     | /x?z=1
      cookie | api       | k-2  | /x?z=1  | Cookie    | api=k-2 | /x?z=1
      query  | api       | k 3& | /x?z=1  | Host      |         | /x?api=k+3%26&z=1
      query  | api       | k    | /x      | Host      |         | /x?api=k
      query  | a b       | k    | /x?a+b=1&z=1&a%20b=2&a | Host | | /x?a=&a+b=k&z=1
      """)
  void anApiKeyGoesWhereItIsConfigured(String in, String name, String value, String path, String field, String sent,
      String target)
      throws CallFailure {
    try (StubService stub = new StubService(_ -> StubService.OK); Setup setup = new Setup()) {
      setup.say("""
          url: %s
          auth: {type: api_key, config: {in: %s, name: '%s', value: '%s'}}
          """.formatted(stub.url(path), in, name, value));
      assertEquals(target, stub.last().target());
      assertEquals(sent == null ? stub.host() : sent, stub.last().field(field));
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', textBlock = """
      httpsfoo://h; f:1:1: invalid URL `httpsfoo://h`, it begins with `https://` and a host
      "{{ .a }}://h"; f:1:2: invalid URL `{{ .a }}://h`, it begins with `https://` and a host
      http:///x; f:1:1: `http:///x` has no host, it begins with `https://` and a host
      http://u:p@h/; f:1:1: invalid URL `http://***@h/`
      {url: http://h, method: G T}; f:1:25: method: invalid method `G T`, as `GET` or `POST`
      {url: http://h, method: connect}; f:1:25: method: invalid method `connect`, as `GET` or `POST`
      {url: http://h, headers: {X Y: z}}; f:1:27: headers: invalid name `X Y`, it is made of letters, digits \
      and !#$%&'*+-.^_`|~
      {url: http://h, headers: {content-length: "5"}}; f:1:27: headers: `content-length` cannot be set, it is written \
      as each connection needs it
      {url: http://h, auth: {type: basic_auth}}; f:1:23: auth: `config` is missing, its settings
      {url: http://h, auth: {type: digest, config: {}}}; f:1:30: auth.type: `digest` is not known here, right is one \
      of: api_key, basic_auth, http_message_signatures, oauth2_client_credentials
      {url: http://h, auth: {type: api_key, config: {in: header, name: X Y, value: k}}}; f:1:66: auth.config.name: \
      invalid \
      name `X Y`, it is made of letters, digits and !#$%&'*+-.^_`|~
      {url: http://h, auth: {type: api_key, config: {in: cookie, name: k, value: "a,b"}}}; f:1:77: auth.config.value: \
      the key has characters that are not allowed there
      """)
  void reportsProblemsWithTheirPosition(String yaml, String expected) {
    assertEquals(expected, Setup.problems(yaml));
  }

  @Test
  void plainHttpIsRefusedWhereTlsIsInsistedOn() {
    Problems problems = new Problems();
    assertTrue(!Setup.endpoint("http://h/").secure(true, problems));
    assertTrue(Setup.reported(problems).contains("scheme must be https"), Setup.reported(problems));
    assertTrue(Setup.endpoint("http://h/").secure(false, new Problems()));
    assertTrue(Setup.endpoint("https://h/{{ .a }}").secure(true, new Problems()));
  }

  @Test
  void anEndpointFoundOutElsewhereIsNoTemplate() throws CallFailure {
    Endpoint endpoint = Endpoint.at(URI.create("https://h/keys?x=1"), CallOptions.DEFAULT);
    assertEquals("https://h/keys?x=1", endpoint.request(NOTHING).target().toString());
    assertTrue(endpoint.secure(true, new Problems()));
  }

  @Test
  void cacheKeyDependsOnEverythingSent() throws CallFailure {
    Map<CacheKey, String> known = new HashMap<>();
    for (String url : List.of("http://h/{{ .a }}", "http://h/x{{ .a }}", "https://h/{{ .a }}")) {
      for (String more : List.of("", ", method: GET", ", headers: {X-A: '{{ .a }}'}", ", headers: {X-B: b}",
          ", auth: {type: basic_auth, config: {user: u, password: p}}", ", auth: {type: basic_auth, config: {user: "
              + "up, password: ''}}",
          ", auth: {type: api_key, config: {in: header, name: X-A, value: k}}", ", auth: {type: api_key, config: "
              + "{in: query, name: X-A, value: k}}")) {
        Endpoint endpoint = Setup
            .endpoint("{url: '" + url + "'" + more.replace("user: up, password: ''", "user: u, password: q") + "}");
        for (String a : List.of("1", "2")) {
          differ(known, endpoint.key("p", endpoint.request(data(a)), List.of(), CALLER), url + more + a);
          differ(known, endpoint.key("p", endpoint.request(data(a)).body(new byte[] {1}), List.of(), CALLER),
              url + more + a + "body");
          differ(known, endpoint.key("p", endpoint.request(data(a)).forward("X-C", "1"), List.of(), CALLER),
              url + more + a + "forward");
          differ(known, endpoint.key("p", endpoint.request(data(a)).cookie("X-C", "1"), List.of(), CALLER),
              url + more + a + "cookie");
          differ(known, endpoint.key("q", endpoint.request(data(a)), List.of(), CALLER), url + more + a + "purpose");
          differ(known, endpoint.key("p", endpoint.request(data(a)), List.of("who"), CALLER), url + more + a + "who");
        }
      }
    }
    Endpoint same = Setup.endpoint("{url: 'http://h/{{ .a }}'}");
    assertEquals(same.key("p", same.request(data("1")), List.of(), CALLER),
        same.key("p", same.request(data("1")), List.of(), CALLER));
  }

  private static void differ(Map<CacheKey, String> known, CacheKey key, String what) {
    String other = known.putIfAbsent(key, what);
    assertNotEquals(what, other);
    assertEquals(null, other, what);
  }
}
