package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
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
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.observe.client.InstrumentedClient;

/** Spans and measurements of the steps of a rule. */
class StepTelemetryTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: none, type: unauthorized}]
      authorizers: [{id: never, type: deny}, {id: cel, type: cel, config: {expressions: [{expression: 'true'}]}}]
      contextualizers: [{id: ask, type: generic, config: {endpoint: {url: "http://127.0.0.1:%d/", method: GET}, \
      continue_pipeline_on_error: true, cache_ttl: 0s}}]
      finalizers: [{id: told, type: header, config: {headers: {X-User: "{{ .Subject.ID }}"}}}]
      error_handlers: [{id: login, type: redirect, config: {to: "http://login.local/"}}]
      """;
  private static final String RULES = """
      - {id: open, match: {routes: [{path: /open}]}, execute: [{authenticator: none}, {authenticator: anon, id: who}, \
      {contextualizer: ask}, {authorizer: cel, if: "Request.Method == 'PUT'"}, {finalizer: told}]}
      - {id: shut, match: {routes: [{path: /shut}]}, execute: [{authenticator: anon}, {authorizer: never}], on_error: \
      [{error_handler: login}]}
      """;

  private RawUpstream service;
  private WireClient client;
  private DeciderSetup setup;
  private Observing observing;
  private Listener listener;

  @BeforeEach
  void start() throws Exception {
    service = RawUpstream.answering("HTTP/1.1 503 Out\r\nContent-Length: 0\r\n\r\n");
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    setup = new DeciderSetup(client, MECHANISMS.formatted(service.port()), RULES);
    observing = new Observing();
  }

  @AfterEach
  void stop() {
    listener.stop(Duration.ofSeconds(5));
    observing.close();
    client.close();
    service.close();
  }

  private void decides(TelemetrySinks observed) throws IOException {
    listener = new Services(observed, setup.log(), InstantSource.system())
        .decision(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider());
  }

  private static Map<String, String> step(String id, String kind, String name, String type, String outcome) {
    return new TreeMap<>(Map.of("step.id", id, "mechanism.kind", kind, "mechanism.name", name, "mechanism.type", type,
        "step.outcome", outcome, "step.cached", "false"));
  }

  private void receivedCalls(String path) throws IOException {
    OneRequest.receivedCalls(listener.port(), "GET", path);
  }

  private Map<String, Observing.Seen> steps(int count) {
    Map<String, Observing.Seen> out = new TreeMap<>();
    observing.spans(count).stream().filter(span -> span.kind() == 1).forEach(span -> out.put(span.name(), span));
    return out;
  }

  @Test
  void everyStepHasASpan() throws IOException {
    decides(observing.all());
    receivedCalls("/open");
    Map<String, Observing.Seen> steps = steps(6);
    Map<String, Map<String, String>> attributes = new TreeMap<>();
    steps.forEach((name, span) -> attributes.put(name, span.attributes()));
    Map<String, String> none = step("none", "authenticator", "none", "unauthorized", "forgiven");
    none.put("error.type", "authentication_error");
    Map<String, String> ask = step("ask", "contextualizer", "ask", "generic", "forgiven");
    ask.put("error.type", "communication_error");
    assertEquals(new TreeMap<>(Map.of("authenticator none", none,
        "authenticator who", step("who", "authenticator", "anon", "anonymous", "passed"), "contextualizer ask", ask,
        "authorizer cel", step("cel", "authorizer", "cel", "cel", "skipped"),
        "finalizer told", step("told", "finalizer", "told", "header", "passed"))), attributes);
    String server = observing.server(6).id();
    assertTrue(steps.values().stream().allMatch(span -> span.parent().equals(server)), steps.toString());
    assertEquals(List.of("authenticator none", "contextualizer ask"),
        steps.values().stream().filter(Observing.Seen::failed).map(Observing.Seen::name).toList());
  }

  @Test
  void stepThatFailsFailsItsSpan() throws IOException {
    decides(observing.all());
    receivedCalls("/shut");
    Map<String, Observing.Seen> steps = steps(4);
    assertEquals("failed authorization_error true", steps.get("authorizer never").attributes().get("step.outcome") + " "
        + steps.get("authorizer never").attributes().get("error.type") + " " + steps.get("authorizer never").failed());
    assertEquals(step("login", "error_handler", "login", "redirect", "passed"),
        steps.get("error_handler login").attributes());
    Observing.Seen server = observing.server(4);
    assertEquals("false shut test", server.attributes().get("access.granted") + " "
        + server.attributes().get("rule.id") + " " + server.attributes().get("ruleset.id"));
  }

  private static String measured(String kind, String name, String type, String outcome) {
    return "{mechanism.kind=" + kind + ", mechanism.name=" + name + ", mechanism.type=" + type
        + ", step.cached=false, step.outcome=" + outcome + "}";
  }

  @Test
  void everyStepIsMeasured() throws Exception {
    decides(observing.measurementsAlone());
    receivedCalls("/open");
    receivedCalls("/open");
    receivedCalls("/shut");
    Await.until(() -> observing.measured("http.server.request.duration").size() == 2);
    assertEquals(new TreeMap<>(Map.of(measured("authenticator", "none", "unauthorized", "forgiven"), "2 of time",
        measured("authenticator", "anon", "anonymous", "passed"), "3 of time",
        measured("contextualizer", "ask", "generic", "forgiven"), "2 of time",
        measured("authorizer", "cel", "cel", "skipped"), "2 of time",
        measured("finalizer", "told", "header", "passed"), "2 of time",
        measured("authorizer", "never", "deny", "failed"), "1 of time",
        measured("error_handler", "login", "redirect", "passed"), "1 of time")),
        observing.measured("portcullis.step.duration"));
  }

  @Test
  void stepsThatAreNotExportedHaveNoSpans() throws IOException {
    decides(observing.spansAlone());
    OneRequest.receivedCalls(listener.port(), "GET", "/open",
        "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00");
    receivedCalls("/shut");
    assertEquals(List.of("authenticator anon", "authorizer never", "error_handler login"),
        List.copyOf(steps(4).keySet()));
    assertEquals(Map.of(), observing.measured("portcullis.step.duration"));
  }

  @Test
  void spanOfACallHasItsMethodAsName() throws IOException {
    setup = new DeciderSetup(new InstrumentedClient(client, observing.spansAlone().tracer(), Optional.empty()),
        MECHANISMS.formatted(service.port()), RULES);
    decides(observing.spansAlone());
    receivedCalls("/open");
    List<Observing.Seen> calls = observing.spans(7).stream().filter(span -> span.kind() == 3).toList();
    assertEquals(List.of("GET"), calls.stream().map(Observing.Seen::name).toList());
    assertEquals(steps(7).get("contextualizer ask").id(), calls.getFirst().parent());
  }
}
