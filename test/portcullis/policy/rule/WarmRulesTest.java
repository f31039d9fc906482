package portcullis.policy.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import portcullis.config.Enforcement;
import portcullis.crypto.keys.KeyRings;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Request;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.MemoryCache;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.endpoint.CallLimits;
import portcullis.policy.endpoint.ClientPool;
import portcullis.policy.endpoint.EndpointClient;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.pipeline.AccessGuard;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.Pipeline;

/** Random rules and random requests are judged alike with a warm cache and without one. */
class WarmRulesTest {
  private static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-06-01T12:00:00Z"));
  private static final int RULES = 40;
  private static final int REQUESTS = 600;

  private static final String MECHANISMS = """
      authenticators:
      - { id: session, type: generic, config: { identity_info_endpoint: { url: "URL/me", headers: { X-Fixed: a } },
          authentication_data_source: [ { cookie: sid }, { header: X-A } ], forward_headers: [ X-B ], subject: { id: \
      id }, cache_ttl: 1m } }
      - { id: other, type: generic, config: { identity_info_endpoint: "URL/me", authentication_data_source: [ { \
      header: X-A } ],
          payload: "d={{ .AuthenticationData }}", subject: { id: id, attributes: claims }, cache_ttl: 1m } }
      - { id: token, type: oauth2_introspection, config: { introspection_endpoint: "URL/tokens", token_source: [ { \
      header: X-A } ],
          assertions: { issuers: [ a, b ] }, subject: { id: id }, cache_ttl: 1m } }
      - { id: anon, type: anonymous }
      authorizers:
      - { id: may, type: remote, config: { endpoint: "URL/may/{{ .Values.v }}", payload: "{{ .Subject.ID }}", \
      cache_ttl: 1m, values: { v: x },
          expressions: [ { expression: "Payload.number % 3 != 0" } ], forward_response_headers_to_upstream: [ X-Said \
      ] } }
      - { id: can, type: remote, config: { endpoint: { url: "URL/may/x", headers: { X-Out: "{{ toJson .Outputs }}" } \
      }, cache_ttl: 1m } }
      contextualizers:
      - { id: more, type: generic, config: { endpoint: "URL/more", forward_headers: [ X-A ], forward_cookies: [ sid \
      ], cache_ttl: 1m } }
      - { id: most, type: generic, config: { endpoint: "URL/more?q={{ .Request.URL.Path }}", payload: "{{ .Values.v \
      }}", values: { v: 'y' },
          continue_pipeline_on_error: true } }
      finalizers:
      - { id: all, type: header, config: { headers: { X-All: "{{ .Subject.ID }} {{ toJson .Subject.Attributes }} {{ \
      toJson .Outputs }}" } } }
      """;

  private static final List<String> FIRST = List.of("{authenticator: session}", "{authenticator: other}",
      "{authenticator: token}",
      "{authenticator: anon}", "{authenticator: session, config: {cache_ttl: 5m}}", "{authenticator: token, config: "
          + "{assertions: {issuers: [a]}}}",
      "{authenticator: token, config: {assertions: {scopes: [s1]}}}", "{authenticator: token, config: {assertions: "
          + "{scopes: [s2], audience: [x]}}}");
  private static final List<String> THEN = List.of("{authorizer: may}", "{authorizer: can}", "{contextualizer: more}",
      "{contextualizer: most}",
      "{authorizer: may, config: {expressions: [{expression: Payload.number % 2 == 0}]}}", "{authorizer: may, "
          + "config: {values: {v: z}}}",
      "{authorizer: may, config: {payload: '{{ .Request.Header \"X-B\" }}'}}", "{authorizer: may, config: "
          + "{cache_ttl: 0s}}",
      "{authorizer: may, config: {forward_response_headers_to_upstream: [X-Number]}}",
      "{contextualizer: more, config: {forward_headers: [X-B]}}", "{contextualizer: more, config: {forward_cookies: "
          + "[tid]}}",
      "{contextualizer: most, config: {values: {v: '{{ .Request.Header \"X-A\" }}'}}}", "{contextualizer: more, id: "
          + "again, config: {cache_ttl: 5m}}");
  private static final List<String> TEXTS = List.of("a", "b", "ab", "a,b", "1");

  private final AtomicInteger receivedCalls = new AtomicInteger();
  private HttpServer stub;
  private WireClient client;

  @BeforeEach
  void start() throws IOException, GeneralSecurityException {
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    stub.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    stub.createContext("/", this::answer);
    stub.start();
  }

  @AfterEach
  void stop() {
    client.close();
    stub.stop(0);
  }

  /** Says something else to each question, the same to the same one. */
  private void answer(HttpExchange exchange) throws IOException {
    receivedCalls.incrementAndGet();
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String fields = exchange.getRequestHeaders().entrySet().stream().filter(e -> !e.getKey().equalsIgnoreCase("Host"))
        .map(e -> e.getKey().toLowerCase(Locale.ROOT) + e.getValue())
        .sorted().collect(Collectors.joining());
    int number = Math.floorMod(CacheKey
        .of("", exchange.getRequestMethod(), exchange.getRequestURI().toString(), fields, body).hash().hashCode(),
        1000);
    byte[] reported = """
        {"active": %b, "id": "u%d", "iss": "%s", "scope": "s%d s3", "aud": "%s", "number": %d, "claims": {"n": %d}}
        """
        .formatted(number % 5 != 0, number % 7, number % 2 == 0 ? "a" : "b", number % 3, number % 4 == 0 ? "y" : "x",
            number, number)
        .getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.getResponseHeaders().set("X-Said", "said " + number);
    exchange.getResponseHeaders().set("X-Number", "n" + number);
    exchange.sendResponseHeaders(number % 11 == 0 ? 403 : 200, reported.length);
    exchange.getResponseBody().write(reported);
    exchange.close();
  }

  private List<Pipeline> pipelines(List<String> rules, Cache cache) {
    Log log = new Log(Level.DISABLED, LogFormat.TEXT, new LogWriter(new ByteArrayOutputStream()), CLOCK, "");
    EndpointClient caller = new EndpointClient(ClientPool.of(() -> client), cache, new KeyRings(CLOCK), CLOCK,
        CallLimits.DEFAULT);
    Problems problems = new Problems();
    String url = "http://127.0.0.1:" + stub.getAddress().getPort();
    Catalogue catalogue = Catalogue.read(Catalogues.node(MECHANISMS.replace("URL/", url + "/"), problems),
        new MechanismContext(caller, new KeyRings(CLOCK), Enforcement.NONE, CLOCK, CLOCK, log), problems);
    List<Pipeline> out = rules.stream().map(steps -> Rules.pipeline(catalogue, steps, problems)).toList();
    assertTrue(!problems.hasErrors(), () -> Catalogues.reported(problems));
    return out;
  }

  private static <T> T pick(Random random, List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static String rule(Random random) {
    List<String> steps = new ArrayList<>(List.of(pick(random, FIRST)));
    Stream.generate(() -> pick(random, THEN)).limit(random.nextInt(4)).filter(step -> !steps.contains(step))
        .forEach(steps::add);
    steps.add("{finalizer: all}");
    return "execute: [" + named(steps) + "]";
  }

  /** Each step with an id of its own. */
  private static String named(List<String> steps) {
    List<String> out = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      String step = steps.get(i);
      out.add(step.contains(", id:") ? step
          : "{id: s" + i + ", " + step.substring(1, step.length() - 1)
              + (step.contains("config:") ? "}" : ", config: {}}"));
    }
    return String.join(", ", out).replace("{finalizer: all, config: {}}", "{finalizer: all}")
        .replaceAll("\\{id: s[0-9]+, (finalizer: all|authenticator: anon), config: \\{\\}\\}", "{$1}");
  }

  private static Request request(Random random) {
    return Rules.request("/" + pick(random, List.of("a", "b", "a/b")), "q=" + pick(random, TEXTS), "X-A",
        pick(random, TEXTS), "X-B",
        pick(random, TEXTS), "Cookie",
        (random.nextBoolean() ? "sid=" + pick(random, TEXTS).replace(",", "") + "; " : "") + "tid="
            + random.nextInt(2));
  }

  @Test
  void warmCacheChangesNoDecision() {
    Random random = new Random(31);
    List<String> rules = Stream.generate(() -> rule(random)).limit(RULES).toList();
    List<Pipeline> cold = pipelines(rules, Cache.none());
    List<Pipeline> warm = pipelines(rules, new MemoryCache(64 << 20, 0, CLOCK));
    int coldCalls = 0;
    int warmCalls = 0;
    int passed = 0;
    for (int i = 0; i < REQUESTS; i++) {
      Request request = request(random);
      int rule = random.nextInt(RULES);
      receivedCalls.set(0);
      String expected = Rules.outcome(cold.get(rule).run(request, AccessGuard.OPEN, Observer.NONE));
      coldCalls += receivedCalls.getAndSet(0);
      assertEquals(expected, Rules.outcome(warm.get(rule).run(request, AccessGuard.OPEN, Observer.NONE)),
          () -> rules.get(rule));
      warmCalls += receivedCalls.get();
      passed += expected.startsWith("passed") ? 1 : 0;
    }
    assertTrue(warmCalls < coldCalls * 3 / 4 && passed > REQUESTS / 10 && passed < REQUESTS * 9 / 10,
        warmCalls + " of " + coldCalls + ", " + passed);
  }

  @Test
  void newRulesApplyToTheNextRequest() {
    Cache cache = new MemoryCache(64 << 20, 0, CLOCK);
    Pipeline lax = pipelines(List.of("execute: [{authenticator: token}, {finalizer: all}]"), cache).getFirst();
    Request request = Stream.iterate(0, i -> i + 1).map(i -> Rules.request("/a", "", "X-A", "token" + i))
        .filter(r -> Rules.outcome(lax.run(r, AccessGuard.OPEN, Observer.NONE)).startsWith("passed")).findFirst()
        .orElseThrow();
    String strict = "execute: [{authenticator: token, config: {assertions: {scopes: [nobody-has-it]}}}, {finalizer: "
        + "all}]";
    int before = receivedCalls.get();
    String then = Rules
        .outcome(pipelines(List.of(strict), cache).getFirst().run(request, AccessGuard.OPEN, Observer.NONE));
    assertTrue(then.startsWith("authentication error"), then);
    assertEquals(before, receivedCalls.get(), "the answer that was kept is judged anew");
  }
}
