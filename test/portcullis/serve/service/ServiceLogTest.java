package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Expected;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.TrustedProxies;
import portcullis.lang.address.Network;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;
import portcullis.observe.telemetry.Level;
import portcullis.policy.decision.Decider;

/** What a service logs of a request, line by line, without the time. */
class ServiceLogTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}]
      authorizers: [{id: closed, type: deny}]
      finalizers: [{id: none, type: noop}]
      """;
  private static final String RULES = """
      - {id: open, match: {routes: [{path: /open}]}, execute: [{authenticator: anon}, {finalizer: none}],
         forward_to: {host: "127.0.0.1:%1$d", rewrite: {scheme: http}}}
      - {id: named, match: {routes: [{path: /named}]}, execute: [{authenticator: anon}, {authorizer: closed, id: gate}]}
      - {id: shut, match: {routes: [{path: /shut}]}, execute: [{authenticator: anon}, {authorizer: closed}]}
      """;
  private static final Pattern REQUEST = Pattern.compile("_request_id=\\S+");
  private static final Instant NOW = Instant.parse("2030-01-02T03:04:05.678Z");

  private RawUpstream upstream;
  private WireClient client;
  private DeciderSetup setup;

  @BeforeEach
  void start() throws Exception {
    upstream = RawUpstream.answering("HTTP/1.1 200 OK\r\nX-Up: 1\r\nContent-Length: 2\r\n\r\nok");
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
  }

  @AfterEach
  void stop() {
    client.close();
    upstream.close();
  }

  private Services services(Level level) {
    setup = new DeciderSetup(client, MECHANISMS, RULES.formatted(upstream.port()), level);
    return new Services(TelemetrySinks.NONE, setup.log(), InstantSource.fixed(NOW));
  }

  private static ListenerSettings settings() {
    return ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.PROXIES,
        new TrustedProxies(List.of(Network.parse("127.0.0.1").orElseThrow())));
  }

  /** The lines without times, ports and ids of requests. */
  private void assertLogs(String section, Listener listener, Call call) throws Exception {
    try {
      call.run(listener.port());
    } finally {
      listener.stop(Duration.ofSeconds(5));
    }
    String logged = byRequest(setup.shown().lines().toList()).stream()
        .map(line -> line.replaceAll("^\\S+ ", "").replaceAll("\\[::1\\]|127\\.0\\.0\\.1:\\d+", "HERE")
            .replaceAll("_request_id=\\S+", "_request_id=ID").replaceAll("in \\d+\\.\\d+ ms", "in N ms"))
        .collect(Collectors.joining("\n"));
    Expected.assertSection("services.txt", section, logged);
  }

  /**
   * The lines of one request together, those of the end last: the last lines of a request may come after the first ones
   * of the next.
   */
  private static List<String> byRequest(List<String> lines) {
    Map<String, List<String>> out = new LinkedHashMap<>();
    for (String line : lines) {
      Matcher id = REQUEST.matcher(line);
      out.computeIfAbsent(id.find() ? id.group() : "line " + out.size(), _ -> new ArrayList<>()).add(line);
    }
    return out.values().stream().flatMap(List::stream)
        .sorted(Comparator.comparing(line -> line.contains("Tearing down") || line.contains("Service stopped")))
        .toList();
  }

  private interface Call {
    void run(int port) throws Exception;
  }

  @Test
  void proxyAtLevelTrace() throws Exception {
    assertLogs("proxy, trace", services(Level.TRACE).proxy(settings(), Optional.empty(), setup.decider(), client),
        port -> OneRequest.answer(port, OneRequest.text("POST", "/open?q=1", "Content-Length: 2",
            "X-Forwarded-Proto: https", "X-Forwarded-Host: a.test", "User-Agent: u") + "\r\nhi"));
  }

  @Test
  void decisionServiceAtLevelDebug() throws Exception {
    assertLogs("decision, debug", services(Level.DEBUG).decision(settings(), Optional.empty(), setup.decider()),
        port -> OneRequest.receivedCalls(port, "GET", "/any", "X-Forwarded-For: 10.1.1.1", "X-Forwarded-Uri: /shut"));
  }

  @Test
  void defaultRuleIsNamedSo() throws Exception {
    Services services = services(Level.INFO);
    Decider decider = setup.deciderWithDefaultRule("execute: [{authenticator: anon}]");
    assertLogs("default rule, info", services.decision(settings(), Optional.empty(), decider),
        port -> OneRequest.receivedCalls(port, "GET", "/other", "Forwarded: for=10.1.1.1"));
  }

  @Test
  void requestsWithoutARule() throws Exception {
    assertLogs("decision, info", services(Level.INFO).decision(settings(), Optional.empty(), setup.decider()),
        port -> {
          OneRequest.receivedCalls(port, "GET", "/other");
          OneRequest.receivedCalls(port, "OPTIONS", "*");
          OneRequest.receivedCalls(port, "GET", "/%zz");
        });
  }

  @Test
  void callsOfEnvoyAtLevelTrace() throws Exception {
    assertLogs("envoy, trace",
        services(Level.TRACE).envoy(settings(), Optional.empty(), setup.decider(), () -> true), port -> {
          try (EnvoyCaller envoy = new EnvoyCaller(port)) {
            envoy.check("/open");
            envoy.check("/shut");
            envoy.failure("a/B", new byte[0], EnvoyCaller.soon(), "x-forwarded-for", "10.0.0.1", "forwarded",
                "for=10.0.0.2");
          }
        });
  }

  /** A caller from elsewhere is not asked whom it forwards for. */
  @Test
  void fieldsOfUntrustedCallersAreLeftOut() throws Exception {
    ListenerSettings untrusting = ListenerSettings.plain("127.0.0.1", 0);
    assertLogs("envoy, untrusted",
        services(Level.INFO).envoy(untrusting, Optional.empty(), setup.decider(), () -> true),
        port -> {
          try (EnvoyCaller envoy = new EnvoyCaller(port)) {
            envoy.failure("a/B", new byte[0], EnvoyCaller.soon(), "x-forwarded-for", "10.0.0.1", "forwarded", "a=b");
          }
          OneRequest.receivedCalls(port, "GET", "/x");
          OneRequest.answer(port, "GET /x?y HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n");
        });
  }

  /** HTTP/1.0 has no need of a host, the rules do. */
  @Test
  void requestWithoutAHostAtLevelTrace() throws Exception {
    assertLogs("decision, no host",
        services(Level.TRACE).decision(settings(), Optional.empty(), setup.decider()),
        port -> assertEquals(400,
            OneRequest.status(OneRequest.answer(port, "GET /x HTTP/1.0\r\nUser-Agent: u\r\n\r\n"))));
    ListenerSettings.Cors cors = new ListenerSettings.Cors(List.of("*"), List.of("GET"), List.of(), List.of(), false,
        Duration.ZERO);
    assertLogs("proxy, no host",
        services(Level.INFO).proxy(settings().with(ListenerSettings.CORS, Optional.of(cors)), Optional.empty(),
            setup.decider(), client),
        port -> assertEquals(400, OneRequest.status(OneRequest.answer(port, "GET /x HTTP/1.0\r\n\r\n"))));
  }

  @Test
  void otherServices() throws Exception {
    Metric target = new Metric("target_info", "", "", Metric.Kind.GAUGE, List.of());
    assertLogs("metrics", services(Level.INFO).metrics("127.0.0.1", 0, new Registry(), target), port -> {});
    assertLogs("profiling", services(Level.INFO).profiling("127.0.0.1", 0, List.of(), List.of()), port -> {});
    assertLogs("envoy", services(Level.INFO).envoy(settings(), Optional.empty(), setup.decider(), () -> true),
        port -> {});
  }

  /** A step is named by its own id where it has one, by its mechanism otherwise. */
  @Test
  void failedStepsAreNamed() throws Exception {
    assertLogs("failed steps", services(Level.INFO).decision(settings(), Optional.empty(), setup.decider()), port -> {
      OneRequest.receivedCalls(port, "GET", "/named", "User-Agent: J\u00c3\u00bcrg");
      OneRequest.receivedCalls(port, "GET", "/shut");
      OneRequest.answer(port, "GET /x HTTP/1.1\r\nHost: a\r\nHost: b\r\nUser-Agent: J\u00c3\u00bcrg\r\n"
          + "Connection: close\r\n\r\n");
    });
  }
}
