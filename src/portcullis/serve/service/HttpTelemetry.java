package portcullis.serve.service;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import portcullis.http.message.Fields;
import portcullis.http.message.Grammar;
import portcullis.http.message.Target;
import portcullis.http.message.ValidRequest;
import portcullis.observe.metrics.Histogram;
import portcullis.observe.metrics.Labels;
import portcullis.observe.telemetry.Methods;
import portcullis.observe.telemetry.SafeUrl;
import portcullis.observe.tracing.Span;
import portcullis.observe.tracing.Tracer;

/** Records HTTP requests by the semantic conventions for HTTP servers. */
final class HttpTelemetry implements RequestTelemetry {
  private static final String HEALTH = "/.well-known/health";
  /**
   * The maximum number of kinds of requests whose metrics are kept together; those of others are looked up each time.
   */
  private static final int MOST_CELLS = 2_000;

  private final String service;
  private final String address;
  private final int port;
  private final Map<Kind, Cells> cells = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> active = new ConcurrentHashMap<>();

  /** @param address the configured address of the service */
  HttpTelemetry(String service, String address, int port) {
    this.service = service;
    this.address = address.isEmpty() ? "0.0.0.0" : address;
    this.port = port;
  }

  /** The attributes by which metrics of requests are kept apart. */
  private record Kind(String method, String protocol, int status, String route, String ruleSet, String rule,
      Optional<Boolean> granted) {}

  /** The metrics of one kind of request, kept together so that they are looked up once. */
  private record Cells(Labels values, Histogram durations, Histogram answerSizes, Optional<Histogram> requestSizes,
      Optional<LongAdder> decisions) implements Ending {
    @Override
    public void record(long nanos, long sent) {
      answerSizes.record(sent);
      durations.recordNanos(nanos);
    }
  }

  @Override
  public boolean isHealthCheck(Optional<ValidRequest> incoming) {
    return service.equals("management") && incoming.map(HttpTelemetry::path).filter(HEALTH::equals).isPresent();
  }

  @Override
  public Span startSpan(Tracer tracer, Transaction transaction, Optional<ValidRequest> incoming) {
    String method = method(transaction);
    Span span = tracer.server(method.equals(Methods.OTHER) ? "HTTP" : method,
        incoming.map(ValidRequest::fields).orElse(Fields.NONE));
    if (span.recorded()) {
      String client = transaction.client();
      span.set("http.request.method", method);
      span.set("url.scheme", transaction.scheme());
      span.set("client.address", client);
      span.set("network.peer.address", client);
      span.set("service.subsystem", service);
      span.set("network.protocol.name", "http");
      span.set("network.protocol.version", version(transaction.exchange().getProtocol()));
      incoming.ifPresentOrElse(in -> describe(span, in), () -> {
        span.set("server.address", address);
        span.set("server.port", port);
      });
    }
    return span;
  }

  private void describe(Span span, ValidRequest incoming) {
    span.set("url.path", path(incoming));
    if (incoming.target() instanceof Target.Resource resource && !resource.query().isEmpty()) {
      span.set("url.query", SafeUrl.query(resource.query()));
    }
    span.set("server.address", incoming.host().host());
    span.set("server.port", incoming.host().port() > 0 ? incoming.host().port() : incoming.secure() ? 443 : 80);
    incoming.fields().first("User-Agent").ifPresent(agent -> span.set("user_agent.original", Grammar.text(agent)));
  }

  private static String method(Transaction transaction) {
    return Methods.of(transaction.exchange().getRequestMethod());
  }

  private static String path(ValidRequest incoming) {
    return incoming.target() instanceof Target.Resource resource ? resource.path() : "*";
  }

  private static String version(String protocol) {
    if (protocol.equals("HTTP/1.1")) {
      return "1.1"; // of which all spans keep the same one
    }
    int slash = protocol.indexOf('/');
    return slash < 0 ? protocol : protocol.substring(slash + 1);
  }

  /** Requests of one listener differ only by their methods, as it has a single scheme. */
  @Override
  public LongAdder active(Instruments instruments, Transaction transaction, Optional<ValidRequest> incoming) {
    LongAdder known = active.get(method(transaction));
    return known != null ? known
        : active.computeIfAbsent(method(transaction),
            method -> instruments.active().of(method, transaction.scheme(), address, port, service));
  }

  @Override
  public void describe(Span span, Transaction transaction, DecisionObserver watch) {
    int status = transaction.reply().status();
    if (!watch.route().isEmpty()) {
      span.name(method(transaction) + " " + watch.route());
      span.set("http.route", watch.route());
    }
    watch.describe(span);
    transaction.allowed().ifPresent(granted -> span.set("access.granted", granted));
    if (status > 0) {
      span.set("http.response.status_code", status);
    }
    String error = error(status);
    if (!error.isEmpty()) {
      span.failed(error);
    }
  }

  private static String error(int status) {
    return status == 0 ? "aborted" : status >= 500 ? Integer.toString(status) : "";
  }

  @Override
  public Ending count(Instruments instruments, Transaction transaction, Optional<ValidRequest> incoming,
      DecisionObserver watch) {
    String method = method(transaction);
    int status = transaction.reply().status();
    Kind kind = new Kind(method, transaction.exchange().getProtocol(), status, watch.route(), watch.ruleSet(),
        watch.rule(), transaction.allowed());
    Cells known = cells.get(kind);
    if (known == null) {
      known = cells(instruments, kind, transaction.scheme(), incoming, watch.decisionCounter(kind.granted));
      if (cells.size() < MOST_CELLS) {
        cells.put(kind, known);
      }
    }
    if (known.decisions.isPresent()) {
      known.decisions.get().increment();
    }
    if (incoming.isPresent()) {
      OptionalLong bytes = incoming.get().content().length();
      if (bytes.isPresent()) {
        (known.requestSizes.isPresent() ? known.requestSizes.get() : instruments.requestSizes().of(known.values))
            .record(bytes.getAsLong());
      }
    }
    return known;
  }

  private Cells cells(Instruments instruments, Kind kind, String scheme, Optional<ValidRequest> incoming,
      Optional<LongAdder> decisions) {
    int status = kind.status;
    Labels values = Labels.of(kind.method, status == 0 ? "" : (Object) status, scheme, address, port, service, "http",
        version(kind.protocol), kind.route,
        status == 0 ? error(status) : "");
    Optional<Histogram> requestSizes = incoming.filter(in -> in.content().length().isPresent())
        .map(_ -> instruments.requestSizes().of(values));
    return new Cells(values, instruments.durations().of(values), instruments.answerSizes().of(values), requestSizes,
        decisions);
  }
}
