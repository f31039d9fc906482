package portcullis.serve.service;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.zip.GZIPOutputStream;
import portcullis.http.message.Fields;
import portcullis.http.message.RejectedRequest;
import portcullis.http.message.Response;
import portcullis.http.message.Target;
import portcullis.http.message.ValidRequest;
import portcullis.observe.metrics.Instrument;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.PrometheusText;
import portcullis.observe.metrics.Registry;
import portcullis.observe.telemetry.Log;

/** Serves metrics to Prometheus, and counts the scrapes. Thread safe. */
final class MetricsEndpoint implements Layer.Handler {
  private static final String PATH = "/metrics";

  private final Registry registry;
  private final Metric target;
  private final Log log;
  private final Instrument<LongAdder> scrapes;
  private final Instrument<LongAdder> errors;
  private final LongAdder inFlight;

  /** @param target the attributes of the service as a metric, {@code target_info} */
  MetricsEndpoint(Registry registry, Metric target, Log log) {
    this.registry = registry;
    this.target = target;
    this.log = log;
    scrapes = registry.counter("promhttp_metric_handler_requests", "", "Total number of scrapes by HTTP status code.",
        "code");
    errors = registry.counter("promhttp_metric_handler_errors", "", "Total number of internal errors encountered by "
        + "the handler.", "cause");
    inFlight = registry
        .upDownCounter("promhttp_metric_handler_requests_in_flight", "", "Current number of scrapes being "
            + "served.")
        .of();
    List.of("200", "500", "503").forEach(scrapes::of);
    List.of("encoding", "gathering").forEach(errors::of);
  }

  @Override
  public void handle(Transaction transaction) throws IOException {
    transaction.answer(switch (transaction.arrival()) {
      case RejectedRequest refused -> Response.of(refused.status()).with("Connection", "close");
      case ValidRequest incoming -> answer(incoming);
    });
  }

  private Response answer(ValidRequest incoming) {
    if (!(incoming.target() instanceof Target.Resource resource && resource.path().equals(PATH))) {
      return Response.of(404, "text/plain; charset=utf-8", "404 page not found\n");
    }
    if (!incoming.method().equals("GET") && !incoming.method().equals("HEAD")) {
      return Response.of(405).with("Allow", "GET, HEAD");
    }
    inFlight.increment();
    try {
      Response answer = scraped(incoming.fields());
      scrapes.of(Integer.toString(answer.status())).increment();
      return answer;
    } finally {
      inFlight.decrement();
    }
  }

  private Response scraped(Fields fields) {
    try {
      List<Metric> all = new ArrayList<>(List.of(target));
      all.addAll(registry.read());
      byte[] text = PrometheusText.of(all).getBytes(StandardCharsets.UTF_8);
      boolean zipped = fields.joined("Accept-Encoding").filter(codings -> codings.contains("gzip")).isPresent();
      return zipped
          ? new Response(200, Fields.of("Content-Type", PrometheusText.TYPE, "Content-Encoding", "gzip"), zip(text))
          : new Response(200, Fields.of("Content-Type", PrometheusText.TYPE), text);
    } catch (IOException | RuntimeException e) {
      errors.of("gathering").increment();
      log.error("Failed to collect metrics", "_error", e.toString());
      return Response.of(500);
    }
  }

  private static byte[] zip(byte[] text) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream(text.length / 4);
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(text);
    }
    return out.toByteArray();
  }
}
