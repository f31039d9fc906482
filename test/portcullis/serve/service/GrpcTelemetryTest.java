package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.CallOptions;
import io.grpc.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Await;
import portcullis.fixture.FreePort;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;

/** Spans and measurements of calls of gRPC, by the semantic conventions for RPC. */
class GrpcTelemetryTest {
  private static final String DURATION = "rpc.server.call.duration";
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: nobody, type: unauthorized}]
      contextualizers: [{id: silent, type: generic, config: {endpoint: {url: "http://127.0.0.1:%d/", method: GET}, \
      cache_ttl: 0s}}]
      """;
  private static final String RULES = """
      - {id: open, match: {routes: [{path: /open}]}, execute: [{authenticator: anon}]}
      - {id: shut, match: {routes: [{path: /shut}]}, execute: [{authenticator: nobody}]}
      - {id: slow, match: {routes: [{path: /slow}]}, execute: [{authenticator: anon}, {contextualizer: silent}]}
      """;

  private final int port = FreePort.next();
  private ServerSocket silent;
  private WireClient client;
  private DeciderSetup setup;
  private Observing observing;
  private Listener listener;
  private EnvoyCaller envoy;

  @BeforeEach
  void start() throws Exception {
    silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    setup = new DeciderSetup(client, MECHANISMS.formatted(silent.getLocalPort()), RULES);
    observing = new Observing();
  }

  @AfterEach
  void stop() throws IOException {
    envoy.close();
    listener.stop(Duration.ofSeconds(5));
    observing.close();
    client.close();
    silent.close();
  }

  private void serves(String host, TelemetrySinks observed) throws IOException {
    listener = new Services(observed, setup.log(), InstantSource.system())
        .envoy(ListenerSettings.plain(host, port), Optional.empty(), setup.decider(), () -> true);
    envoy = new EnvoyCaller(port);
  }

  private Map<String, String> check(String address) {
    return new TreeMap<>(Map.of("rpc.system", "grpc", "rpc.service", "envoy.service.auth.v3.Authorization",
        "rpc.method", "Check", "server.address", address, "server.port", "" + port, "service.subsystem", "decision"));
  }

  private Map<String, String> finished(Map<String, String> call, int code) {
    Map<String, String> out = new TreeMap<>(call);
    out.putAll(Map.of("network.protocol.name", "http", "network.protocol.version", "2", "rpc.grpc.status_code",
        "" + code));
    return out;
  }

  private Map<String, String> unknown() {
    Map<String, String> out = check("127.0.0.1");
    out.remove("rpc.service");
    out.put("rpc.method", "_OTHER");
    return out;
  }

  @Test
  void callsAreMeasuredByMethodAndStatus() throws Exception {
    serves("127.0.0.1", observing.measurementsAlone());
    envoy.check("/open");
    envoy.check("/shut");
    envoy.failure("a/b", new byte[0], EnvoyCaller.soon());
    envoy.failure("c/d", new byte[0], EnvoyCaller.soon());
    Await.until(() -> observing.measured(DURATION).values().stream().filter("2 of time"::equals).count() == 2);
    assertEquals(Map.of(finished(check("127.0.0.1"), 0).toString(), "2 of time", finished(unknown(), 12).toString(),
        "2 of time"), observing.measured(DURATION));
    assertEquals(Map.of(check("127.0.0.1").toString(), "0", unknown().toString(), "0"),
        observing.measured("rpc.server.active_requests"));
  }

  @Test
  void countsChecksByDecision() throws IOException {
    serves("127.0.0.1", observing.measurementsAlone());
    envoy.check("/open");
    envoy.check("/shut");
    envoy.check("/nowhere");
    observing.measured("portcullis.rule.decisions", 3);
    assertEquals(
        Map.of("{rule.decision=allowed, rule.id=open, ruleset.id=test}", "1",
            "{rule.decision=denied, rule.id=shut, ruleset.id=test}", "1", "{rule.decision=denied}", "1"),
        observing.measured("portcullis.rule.decisions"));
  }

  @Test
  void callInProgressIsCounted() throws Exception {
    serves("127.0.0.1", observing.measurementsAlone());
    Thread call = Thread.startVirtualThread(() -> envoy.failure(EnvoyCaller.CHECK,
        EnvoyCaller.request("GET", "http", "shop.local", "/slow", new byte[0]), EnvoyCaller.soon()));
    Await.until(() -> observing.measured("rpc.server.active_requests").containsValue("1"));
    assertEquals(Map.of(check("127.0.0.1").toString(), "1"), observing.measured("rpc.server.active_requests"));
    silent.close();
    client.close();
    call.join();
  }

  @Test
  void spanDescribesTheCall() throws IOException {
    serves("127.0.0.1", observing.spansAlone());
    envoy.check("/open");
    Observing.Seen span = observing.server(2);
    Map<String, String> expected = finished(check("127.0.0.1"), 0);
    expected.putAll(Map.of("client.address", "127.0.0.1", "network.peer.address", "127.0.0.1", "access.granted", "true",
        "rule.id", "open", "ruleset.id", "test"));
    assertEquals(expected, span.attributes());
    assertEquals("envoy.service.auth.v3.Authorization/Check false", span.name() + " " + span.failed());
  }

  @Test
  void denialIsNoErrorOfTheCall() throws IOException {
    serves("", observing.all());
    envoy.check("/shut");
    Observing.Seen span = observing.server(2);
    assertEquals("false false 0 0.0.0.0", span.failed() + " " + span.attributes().get("access.granted") + " "
        + span.attributes().get("rpc.grpc.status_code") + " " + span.attributes().get("server.address"));
  }

  @Test
  void callsOfUnknownMethodsAreAllOne() throws IOException {
    serves("127.0.0.1", observing.all());
    envoy.failure("a/b", new byte[0], EnvoyCaller.soon());
    Observing.Seen span = observing.spans(1).getFirst();
    assertEquals("_OTHER true UNIMPLEMENTED", span.name() + " " + span.failed() + " "
        + span.attributes().get("error.type"));
    assertEquals(null, span.attributes().get("rpc.service"));
    assertEquals(null, span.attributes().get("access.granted"));
  }

  @Test
  void faultsOfTheServerFailTheirSpans() throws Exception {
    serves("127.0.0.1", observing.spansAlone());
    byte[] slow = EnvoyCaller.request("GET", "http", "shop.local", "/slow", new byte[0]);
    assertEquals(Status.Code.DEADLINE_EXCEEDED,
        envoy.failure(EnvoyCaller.CHECK, slow, CallOptions.DEFAULT, "grpc-timeout", "300m").getCode());
    envoy.failure(EnvoyCaller.CHECK, new byte[] {0x0a, (byte) 0xff}, EnvoyCaller.soon());
    envoy.failure(EnvoyCaller.CHECK, new byte[12 << 20], EnvoyCaller.soon());
    Await.until(() -> seen().size() >= 3);
    assertEquals(List.of("13 true INTERNAL", "4 true DEADLINE_EXCEEDED", "8 false null"), seen());
  }

  private List<String> seen() {
    return observing.spans(0).stream().filter(s -> s.kind() == 2)
        .map(s -> s.attributes().get("rpc.grpc.status_code") + " " + s.failed() + " "
            + s.attributes().get("error.type"))
        .sorted().toList();
  }

  @Test
  void questionsAfterHealthAreNotWatched() throws IOException {
    serves("127.0.0.1", observing.all());
    envoy.call("grpc.health.v1.Health/Check", new byte[0]);
    envoy.check("/shut");
    assertEquals(1, observing.spans(2).stream().filter(s -> s.kind() == 2).count());
    assertEquals(1, observing.measured(DURATION, 1).size());
  }

  @Test
  void whatIsNoCallHasAnUnknownStatus() throws IOException {
    serves("127.0.0.1", observing.all());
    assertEquals(405, OneRequest.status(OneRequest.receivedCalls(port, "GET", "/x")));
    assertEquals(405, OneRequest.status(OneRequest.answer(port, "GET /x HTTP/1.0\r\n\r\n")));
    List<Observing.Seen> spans = observing.spans(2);
    assertEquals(List.of("2", "2"), spans.stream().map(s -> s.attributes().get("rpc.grpc.status_code")).toList());
    assertEquals(Map.of(finished(unknown(), 2).toString(), "2 of time"), observing.measured(DURATION, 1));
  }
}
