package portcullis.observe.otel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import portcullis.http.message.Fields;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.observe.tracing.Span;

class InstanaTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CALLER = "00f067aa0ba902b7";

  @Test
  void spansArePostedAsInstanaTakesThem() throws IOException, ValueException {
    Queue<String> heads = new ConcurrentLinkedQueue<>();
    Queue<byte[]> bodies = new ConcurrentLinkedQueue<>();
    HttpServer agent = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    agent.createContext("/", exchange -> {
      heads.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
          + exchange.getRequestHeaders().getFirst("x-instana-key")
          + " " + exchange.getRequestHeaders().getFirst("x-instana-time") + " "
          + exchange.getRequestHeaders().getFirst("Content-Type"));
      bodies.add(exchange.getRequestBody().readAllBytes());
      exchange.sendResponseHeaders(200, -1);
      exchange.close();
    });
    agent.start();
    String server;
    String client;
    try (Otel otel = started("http://127.0.0.1:" + agent.getAddress().getPort() + "/base")) {
      Span in = otel.tracer().server("GET /a",
          Fields.of("traceparent", "00-" + TRACE + "-" + CALLER + "-01", "tracestate", "v=a"));
      Span out = otel.tracer().child(in, "PUT", Span.Kind.CLIENT);
      out.set("http.response.status_code", 503);
      out.failed("503");
      out.end();
      in.end();
      server = in.id();
      client = out.id();
    } finally {
      agent.stop(0);
    }
    assertEquals(List.of("POST /base/bundle canary-key 0 application/json"), List.copyOf(heads));
    List<Value> spans = array(dict(Json.read(bodies.element())).get("spans"));
    assertEquals(List.of(client, server), spans.stream().map(span -> text(dict(span).get("s"))).toList());
    assertSpan(spans.getFirst(), server, """
        {"kind":"client","operation":"PUT","service":"gate","tags":{"error":"true","error.type":"503","error_d\
        etail":"",\
        "http.response.status_code":"503"},"trace_state":"v=a"}""");
    assertSpan(spans.getLast(), CALLER, """
        {"kind":"server","operation":"GET /a","service":"gate","tags":{},"tp":true,"trace_state":"v=a"}""");
    assertEquals(Value.of(1), dict(spans.getFirst()).get("ec"));
    assertEquals(false, dict(spans.getLast()).containsKey("ec"));
  }

  private static Otel started(String url) {
    Problems problems = new Problems();
    Log log = new Log(Level.DISABLED, LogFormat.GELF, new LogWriter(new ByteArrayOutputStream()),
        InstantSource.system(), "h");
    Map<String, String> environment = Map.of("INSTANA_ENDPOINT_URL", url, "INSTANA_AGENT_KEY", "canary-key",
        "OTEL_SERVICE_NAME", "gate");
    Otel.Options wanted = new Otel.Options(true, List.of("instana"), false, Optional.empty(), "1");
    Optional<Otel> otel = Otel.start(environment, wanted, log, InstantSource.system(), problems);
    assertEquals(List.of(), problems.sorted().stream().map(Problem::text).toList());
    return otel.orElseThrow();
  }

  private static void assertSpan(Value span, String parent, String data) throws ValueException {
    Map<String, Value> members = dict(span);
    assertEquals(TRACE.substring(16) + " " + TRACE + " " + parent + " otel",
        text(members.get("t")) + " " + text(members.get("lt")) + " "
            + text(members.get("p")) + " " + text(members.get("n")));
    assertEquals(Json.read(data.getBytes()), members.get("data"));
    assertEquals(Value.dict("e", Value.of(Long.toString(ProcessHandle.current().pid()))), members.get("f"));
    assertTrue(members.containsKey("ts") && members.containsKey("d"), members::toString);
  }

  private static Map<String, Value> dict(Value value) {
    return ((Value.Dict) value).members();
  }

  private static List<Value> array(Value value) {
    return ((Value.Array) value).items();
  }

  private static String text(Value value) {
    return value instanceof Value.Str(String text) ? text : "";
  }
}
