package portcullis.observe.otel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.ProtoReader;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.observe.metrics.Registry;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;
import portcullis.observe.tracing.Span;

class OtelTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String SPAN = "00f067aa0ba902b7";
  private static final String LOW = Long.toUnsignedString(HexFormat.fromHexDigitsToLong("a3ce929d0e0e4736"));
  private static final String PARENT = Long.toUnsignedString(HexFormat.fromHexDigitsToLong(SPAN));

  private static Map<String, String> environment(String... namesAndValues) {
    Map<String, String> out = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      out.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return out;
  }

  private static Otel started(Map<String, String> environment, List<String> exporters, Optional<Registry> pushed) {
    Problems problems = new Problems();
    Log log = new Log(Level.DISABLED, LogFormat.GELF, new LogWriter(new ByteArrayOutputStream()),
        InstantSource.system(), "h");
    Optional<Otel> otel = Otel.start(environment, new Otel.Options(true, exporters, false, pushed, "1.0"), log,
        InstantSource.system(), problems);
    assertEquals(List.of(), problems.sorted().stream().map(Problem::text).toList());
    return otel.orElseThrow();
  }

  /** The caller's fields in each form, and whether they sample. */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "tracecontext|traceparent: 00-T-S-01",
    "tracecontext,baggage|traceparent: 00-T-S-01, tracestate: v=a, baggage: k=v;p=1",
    "b3|b3: T-S-1",
    "b3multi|X-B3-TraceId: T, X-B3-SpanId: S, X-B3-Sampled: 1",
    "jaeger|uber-trace-id: T:S:0:1",
    "xray|X-Amzn-Trace-Id: Root=1-4bf92f35-77b34da6a3ce929d0e0e4736;Parent=S;Sampled=1",
    "ottrace|ot-tracer-traceid: a3ce929d0e0e4736, ot-tracer-spanid: S, ot-tracer-sampled: true",
    "datadog|x-datadog-trace-id: LOW, x-datadog-parent-id: PARENT, x-datadog-sampling-priority: 1",
  })
  void everyPropagatorReadsAndWrites(String propagators, String fields) {
    List<String> sent = new ArrayList<>();
    for (String field : fields.replace("LOW", LOW).replace("PARENT", PARENT).replace("T-S", TRACE + "-" + SPAN)
        .replace(": T:S", ": " + TRACE + ":" + SPAN).replace("TraceId: T", "TraceId: " + TRACE)
        .replace("SpanId: S", "SpanId: " + SPAN).replace("spanid: S", "spanid: " + SPAN)
        .replace("Parent=S", "Parent=" + SPAN).split(", ")) {
      sent.addAll(List.of(field.split(": ", 2)));
    }
    Fields caller = Fields.of(sent.toArray(String[]::new));
    try (Otel otel = started(environment("OTEL_PROPAGATORS", propagators), List.of(), Optional.empty())) {
      Span server = otel.tracer().server("GET", caller);
      String low = TRACE.substring(16);
      assertTrue(server.traceId().equals(TRACE) || server.traceId().equals("0".repeat(16) + low), server.traceId());
      assertEquals(SPAN, server.parentId());
      Fields carried = otel.tracer().child(server, "GET", Span.Kind.CLIENT).propagationFields();
      assertEquals(caller.stream().map(f -> f.name().toLowerCase()).sorted().toList(),
          carried.stream().map(f -> f.name().toLowerCase()).sorted().toList());
      caller.forEach(field -> assertTrue(otel.tracer().propagates(field.name()), field.name()));
      Span next = otel.tracer().server("GET", carried);
      assertEquals(server.traceId(), next.traceId());
      caller.first("baggage").ifPresent(text -> assertEquals(Optional.of(text), carried.first("baggage")));
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "datadog|x-datadog-trace-id|0", "datadog|x-datadog-trace-id|18446744073709551616", "datadog|x-datadog-trace-id|-1",
    "tracecontext|traceparent|00-00000000000000000000000000000000-00f067aa0ba902b7-01", "b3|b3|nonsense",
    "jaeger|uber-trace-id|1:2",
    "none|traceparent|00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
  })
  void malformedContextBeginsNewTrace(String propagators, String name, String value) {
    try (Otel otel = started(environment("OTEL_PROPAGATORS", propagators), List.of(), Optional.empty())) {
      Span span = otel.tracer().server("GET", Fields.of(name, value, "x-datadog-parent-id", "7"));
      assertEquals("", span.parentId());
      assertTrue(!span.traceId().equals(TRACE) && !span.traceId().equals("0".repeat(32)), span.traceId());
    }
  }

  @Test
  void longValuesOfClientsAreCut() throws IOException {
    try (Collector collector = Collector.of("http/protobuf")) {
      try (Otel otel = started(environment("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url()), List.of("otlp"),
          Optional.empty())) {
        Span server = otel.tracer().server("GET /a", Fields.NONE);
        server.set("url.path", "p".repeat(3_000));
        server.set("url.query", "q".repeat(2_048));
        server.end();
      }
      assertEquals(List.of("p".repeat(1_536) + "… (952 characters) …" + "p".repeat(512), "q".repeat(2_048)),
          collector.spans().getFirst().messages(9).stream().map(pair -> pair.messages(2).getFirst().text(1)).sorted()
              .toList());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"http/protobuf", "grpc"})
  void spansAndMetricsReachACollector(String protocol) throws IOException {
    Registry registry = new Registry();
    registry.counter("portcullis.rule.decisions", "{request}", "verdicts", "rule.id").of("r").add(3);
    registry.histogram("http.server.request.duration", "s", "durations", List.of(0.1, 1.0), "http.response.status_code")
        .of(200).record(0.5);
    try (Collector collector = Collector.of(protocol)) {
      Map<String, String> environment = environment("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url(),
          "OTEL_EXPORTER_OTLP_PROTOCOL", protocol,
          "OTEL_SERVICE_NAME", "gate", "OTEL_EXPORTER_OTLP_COMPRESSION", "gzip");
      try (Otel otel = started(environment, List.of("otlp"), Optional.of(registry))) {
        Span server = otel.tracer().server("GET /a", Fields.NONE);
        server.set("http.response.status_code", 503);
        server.failed("503");
        Span client = otel.tracer().child(server, "GET", Span.Kind.CLIENT);
        client.end();
        server.end();
      }
      assertEquals(List.of("GET /a 2 2", "GET 3 0"), collector.spans().stream().map(span -> span.text(5) + " "
          + span.number(6) + " " + (span.has(15) ? span.messages(15).getFirst().number(3) : 0)).sorted().toList());
      assertEquals("gate", collector.service());
      Map<String, ProtoReader> metrics = collector.metrics();
      ProtoReader sum = metrics.get("portcullis.rule.decisions").messages(7).getFirst();
      assertEquals(3, sum.messages(1).getFirst().number(6));
      assertEquals(1, sum.number(3), "monotonic");
      ProtoReader histogram = metrics.get("http.server.request.duration").messages(9).getFirst().messages(1).getFirst();
      assertEquals(1, histogram.number(4));
      assertEquals(0.5, Double.longBitsToDouble(histogram.number(5)));
    }
  }

  /** It is exported with the ids that were logged and propagated, and the times at which it began and ended. */
  @Test
  void aSpanIsExportedAsItWas() throws IOException {
    try (Collector collector = Collector.of("http/protobuf")) {
      Map<String, String> environment = environment("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url());
      Instant before = Instant.now();
      List<String> expected;
      try (Otel otel = started(environment, List.of("otlp"), Optional.empty())) {
        Span server = otel.tracer().server("GET", Fields.of("traceparent", "00-" + TRACE + "-" + SPAN + "-01"));
        Span client = otel.tracer().child(server, "GET", Span.Kind.CLIENT);
        server.name("GET /a");
        client.end();
        server.end();
        server.end(); // which has no effect
        assertEquals(List.of(TRACE, TRACE), List.of(server.traceId(), client.traceId()));
        expected = List.of("GET /a " + server.id() + " of " + SPAN, "GET " + client.id() + " of " + server.id());
      }
      Instant after = Instant.now();
      List<ProtoReader> spans = collector.spans();
      assertEquals(expected,
          spans.stream().map(span -> span.text(5) + " " + HexFormat.of().formatHex(span.blocks(2).getFirst())
              + " of " + HexFormat.of().formatHex(span.blocks(4).getFirst())).sorted().toList());
      spans.forEach(span -> assertEquals(TRACE, HexFormat.of().formatHex(span.blocks(1).getFirst())));
      ProtoReader client = spans.stream().filter(span -> span.number(6) == 3).findAny().orElseThrow();
      ProtoReader server = spans.stream().filter(span -> span.number(6) == 2).findAny().orElseThrow();
      List<Long> times = List.of(nanos(before), server.number(7), client.number(7), client.number(8), server.number(8),
          nanos(after));
      assertEquals(times.stream().sorted().toList(), times);
    }
  }

  private static long nanos(Instant time) {
    return TimeUnit.SECONDS.toNanos(time.getEpochSecond()) + time.getNano();
  }

  /** Whether the trace's id is random is passed on as the caller has it, reserved flags are not. */
  @ParameterizedTest
  @CsvSource({"00,00", "01,01", "02,02", "03,03", "fe,02", "ff,03"})
  void theFlagsOfATraceGoOn(String received, String sent) {
    try (Otel otel = started(environment(), List.of(), Optional.empty())) {
      Span server = otel.tracer().server("GET", Fields.of("traceparent", "00-" + TRACE + "-" + SPAN + "-" + received));
      Span client = otel.tracer().child(server, "GET", Span.Kind.CLIENT);
      for (Span span : List.of(server, client)) {
        assertEquals("00-" + TRACE + "-" + span.id() + "-" + sent,
            span.propagationFields().first("traceparent").orElse(""));
      }
    }
  }

  @Test
  void aSpanThatIsNotSampledIsNotRecordedButGoesOn() {
    try (Otel otel = started(environment("OTEL_TRACES_SAMPLER", "always_off"), List.of(), Optional.empty())) {
      Span span = otel.tracer().server("GET", Fields.NONE);
      assertEquals(false, span.recorded());
      assertEquals("00-" + span.traceId() + "-" + span.id() + "-00",
          span.propagationFields().first("traceparent").orElse(""));
    }
  }

  /** What a caller did not sample keeps its trace, its state and its baggage in all that is done for it. */
  @Test
  void aCallersUnsampledTraceGoesOnUnsampled() {
    try (Otel otel = started(environment(), List.of(), Optional.empty())) {
      Span server = otel.tracer().server("GET",
          Fields.of("traceparent", "00-" + TRACE + "-" + SPAN + "-00", "tracestate", "v=a", "baggage", "k=v;p=1"));
      assertEquals(List.of("false", TRACE, SPAN), List.of("" + server.recorded(), server.traceId(), server.parentId()));
      Span client = otel.tracer().child(server, "GET", Span.Kind.CLIENT);
      assertEquals(List.of("false", TRACE, server.id()),
          List.of("" + client.recorded(), client.traceId(), client.parentId()));
      assertTrue(!client.id().equals(server.id()) && !server.id().equals(SPAN));
      assertEquals(
          Map.of("traceparent", "00-" + TRACE + "-" + client.id() + "-00", "tracestate", "v=a", "baggage", "k=v;p=1"),
          client.propagationFields().stream().collect(Collectors.toMap(Field::name, Field::value)));
    }
  }

  /** Others who decide by the same ratio decide the same: by the last eight bytes of the trace's id. */
  @Test
  void theRatioOfTracesIsSampledByTheirIds() {
    Map<String, String> half = environment("OTEL_TRACES_SAMPLER", "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG",
        "0.5");
    try (Otel otel = started(half, List.of(), Optional.empty())) {
      int sampled = 0;
      for (int i = 0; i < 2000; i++) {
        Span span = otel.tracer().server("GET", Fields.NONE);
        long bound = (long) (0.5 * Long.MAX_VALUE);
        assertEquals(Math.abs(Long.parseUnsignedLong(span.traceId().substring(16), 16)) < bound, span.recorded(),
            span.traceId());
        assertEquals(span.recorded(), otel.tracer().child(span, "GET", Span.Kind.INTERNAL).recorded());
        assertEquals("00-" + span.traceId() + "-" + span.id() + (span.recorded() ? "-01" : "-00"),
            span.propagationFields().first("traceparent").orElse(""));
        sampled += span.recorded() ? 1 : 0;
        span.end();
      }
      assertTrue(sampled > 800 && sampled < 1200, "sampled: " + sampled);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "OTEL_BSP_SCHEDULE_DELAY|soon|OTEL_BSP_SCHEDULE_DELAY",
    "OTEL_EXPORTER_OTLP_ENDPOINT|nowhere|nowhere",
    "OTEL_EXPORTER_ZIPKIN_ENDPOINT|ftp://a/b|OTEL_EXPORTER_ZIPKIN_ENDPOINT: `ftp://a/b` is not an http or https URL",
  })
  void reportsErrorsOfTheSdkAsProblems(String name, String value, String reported) {
    Problems problems = new Problems();
    Log log = new Log(Level.DISABLED, LogFormat.GELF, new LogWriter(new ByteArrayOutputStream()),
        InstantSource.system(), "h");
    Otel.Options wanted = new Otel.Options(true, List.of("otlp", "zipkin"), false, Optional.empty(), "1");
    assertEquals(Optional.empty(), Otel.start(environment(name, value), wanted, log, InstantSource.system(), problems));
    assertTrue(problems.sorted().getFirst().text().contains(reported), problems.sorted().getFirst().text());
  }
}
