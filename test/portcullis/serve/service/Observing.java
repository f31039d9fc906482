package portcullis.serve.service;

import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import portcullis.fixture.Await;
import portcullis.fixture.ProtoReader;
import portcullis.lang.source.Problems;
import portcullis.observe.client.ClientInstruments;
import portcullis.observe.client.InstrumentedClient;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.PrometheusText;
import portcullis.observe.metrics.Registry;
import portcullis.observe.otel.Collector;
import portcullis.observe.otel.Otel;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

/** What is reported of requests in a test: spans to a collector, each at once, and measurements in a registry. */
final class Observing implements AutoCloseable {
  private final Registry registry = new Registry();
  private final Instruments instruments = new Instruments(registry);
  private final ClientInstruments calls = new ClientInstruments(registry);
  private final LogWriter writer = new LogWriter(OutputStream.nullOutputStream());
  private final Collector collector;
  private final Otel otel;

  /**
   * A span as the collector got it.
   *
   * @param kind 1 for internal work, 2 for a server, 3 for a client
   * @param attributes by name, as text
   */
  record Seen(String name, long kind, boolean failed, String id, String parent, Map<String, String> attributes) {}

  Observing(String... environment) throws IOException {
    collector = Collector.of("http/protobuf");
    Map<String, String> variables = new TreeMap<>(Map.of("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url(),
        "OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"));
    for (int i = 0; i < environment.length; i += 2) {
      variables.put(environment[i], environment[i + 1]);
    }
    Log log = new Log(Level.DISABLED, LogFormat.GELF, writer, InstantSource.system(), "test");
    otel = Otel.start(variables, new Otel.Options(true, List.of("otlp"), true, Optional.empty(), "1.0"), log,
        InstantSource.system(), new Problems()).orElseThrow();
  }

  TelemetrySinks all() {
    return new TelemetrySinks(Optional.of(otel.tracer()), Optional.of(instruments));
  }

  /** Returns the client with its calls observed, as in production by default. */
  HttpClient watched(HttpClient client) {
    return new InstrumentedClient(client, Optional.of(otel.tracer()), Optional.of(calls));
  }

  TelemetrySinks spansAlone() {
    return new TelemetrySinks(Optional.of(otel.tracer()), Optional.empty());
  }

  TelemetrySinks measurementsAlone() {
    return new TelemetrySinks(Optional.empty(), Optional.of(instruments));
  }

  /** The spans that have come, once there are that many. */
  List<Seen> spans(int count) {
    await(() -> collector.spans().size() >= count);
    return collector.spans().stream().map(Observing::seen).toList();
  }

  /** The one span of a request that came in, once there are that many of all kinds. */
  Seen server(int count) {
    return spans(count).stream().filter(span -> span.kind() == 2).findFirst().orElseThrow();
  }

  private static Seen seen(ProtoReader span) {
    Map<String, String> attributes = new TreeMap<>();
    span.messages(9).forEach(pair -> attributes.put(pair.text(1), value(pair.messages(2).getFirst())));
    boolean failed = span.messages(15).stream().anyMatch(status -> status.number(3) == 2);
    return new Seen(span.text(5), span.number(6), failed, hex(span, 2), hex(span, 4), attributes);
  }

  private static String hex(ProtoReader span, int field) {
    return span.blocks(field).stream().map(HexFormat.of()::formatHex).findFirst().orElse("");
  }

  private static String value(ProtoReader any) {
    return any.has(2) ? Boolean.toString(any.number(2) == 1)
        : any.has(3) ? Long.toString(any.number(3)) : new String(any.blocks(1).getFirst(), StandardCharsets.UTF_8);
  }

  /** The samples of a metric, by their attributes: a number, or {@code COUNT of SUM} with whole sums alone. */
  Map<String, String> measured(String metric) {
    Map<String, String> out = new TreeMap<>();
    registry.read().stream().filter(m -> m.name().equals(metric)).flatMap(m -> m.samples().stream())
        .forEach(sample -> out.put(new TreeMap<>(sample.attributes()).toString(), switch (sample.value()) {
          case Metric.Whole(long value) -> Long.toString(value);
          case Metric.Real(double value) -> Double.toString(value);
          case Metric.Distribution distribution -> distribution.count() + " of "
              + (distribution.sum() == Math.rint(distribution.sum()) ? Long.toString((long) distribution.sum())
                  : "time");
        }));
    return out;
  }

  /** The same once there are that many samples. */
  Map<String, String> measured(String metric, int count) {
    await(() -> measured(metric).size() >= count);
    return measured(metric);
  }

  /** All that is measured, as a scrape would get it. */
  String text() {
    return PrometheusText.of(registry.read());
  }

  /** {@link Await#until} for methods that are not interrupted. */
  static void await(BooleanSupplier wanted) {
    try {
      Await.until(wanted::getAsBoolean);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    otel.close();
    collector.close();
    writer.close();
  }
}
