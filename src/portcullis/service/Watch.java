package portcullis.service;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import portcullis.message.Fields;
import portcullis.message.Grammar;
import portcullis.message.Incoming;
import portcullis.message.Target;
import portcullis.metrics.Labels;
import portcullis.pipeline.Observer;
import portcullis.telemetry.Methods;
import portcullis.telemetry.SafeUrl;
import portcullis.tracing.Span;
import portcullis.tracing.Trace;
import portcullis.tracing.Tracer;

/** Makes a span of every request and measures it, but for questions after our health. Thread safe. */
final class Watch implements Layer {
  private static final String HEALTH = "/.well-known/health";

  private final String service;
  private final Observed observed;
  private final String address;
  private final int port;

  /** @param address that the service is configured to listen on */
  Watch(String service, Observed observed, String address, int port) {
    this.service = service;
    this.observed = observed;
    this.address = address.isEmpty() ? "0.0.0.0" : address;
    this.port = port;
  }

  @Override
  public void handle(Transaction transaction, Handler next) throws IOException {
    Optional<Incoming> incoming = transaction.arrival() instanceof Incoming in ? Optional.of(in) : Optional.empty();
    if (service.equals("management") && incoming.map(Watch::path).filter(HEALTH::equals).isPresent()) {
      next.handle(transaction);
      return;
    }
    long begin = System.nanoTime();
    String method = Methods.of(transaction.exchange().getRequestMethod());
    String scheme = transaction.scheme();
    Optional<Trace> trace = observed.tracer().map(tracer -> begun(tracer, transaction, incoming, method));
    Optional<Trace> detailed = trace.filter(Trace::detailed);
    JudgementWatch watch = new JudgementWatch(detailed, observed.instruments());
    transaction.watchedBy(detailed.isPresent() || observed.instruments().isPresent() ? watch : Observer.NOBODY);
    Optional<LongAdder> active = observed.instruments().map(i -> i.active().of(method, scheme, address, port, service));
    active.ifPresent(LongAdder::increment);
    try {
      if (trace.isPresent()) {
        trace.get().during(() -> next.handle(transaction));
      } else {
        next.handle(transaction);
      }
    } finally {
      active.ifPresent(LongAdder::decrement);
      trace.ifPresent(t -> end(t.server(), transaction, watch, method));
      observed.instruments().ifPresent(i -> note(i, transaction, incoming, watch, method, System.nanoTime() - begin));
    }
  }

  private Trace begun(Tracer tracer, Transaction transaction, Optional<Incoming> incoming, String method) {
    Span span = tracer.server(method.equals(Methods.OTHER) ? "HTTP" : method, incoming.map(Incoming::fields).orElse(Fields.NONE));
    if (span.recorded()) {
      span.set("http.request.method", method);
      span.set("url.scheme", transaction.scheme());
      span.set("client.address", transaction.client());
      span.set("network.peer.address", transaction.client());
      span.set("service.subsystem", service);
      span.set("network.protocol.version", version(transaction.exchange().getProtocol()));
      incoming.ifPresentOrElse(in -> describe(span, in), () -> {
        span.set("server.address", address);
        span.set("server.port", port);
      });
    }
    return new Trace(tracer, span);
  }

  private void describe(Span span, Incoming incoming) {
    span.set("url.path", path(incoming));
    if (incoming.target() instanceof Target.Resource resource && !resource.query().isEmpty()) {
      span.set("url.query", SafeUrl.query(resource.query()));
    }
    span.set("server.address", incoming.host().host());
    span.set("server.port", incoming.host().port() > 0 ? incoming.host().port() : incoming.secure() ? 443 : 80);
    incoming.fields().first("User-Agent").ifPresent(agent -> span.set("user_agent.original", Grammar.text(agent)));
  }

  private static String path(Incoming incoming) {
    return incoming.target() instanceof Target.Resource resource ? resource.path() : "*";
  }

  private static String version(String protocol) {
    int slash = protocol.indexOf('/');
    return slash < 0 ? protocol : protocol.substring(slash + 1);
  }

  private static void end(Span span, Transaction transaction, JudgementWatch watch, String method) {
    if (span.recorded()) {
      int status = transaction.reply().status();
      if (!watch.route().isEmpty()) {
        span.name(method + " " + watch.route());
        span.set("http.route", watch.route());
      }
      watch.describe(span);
      transaction.granted().ifPresent(granted -> span.set("access.granted", granted));
      if (status > 0) {
        span.set("http.response.status_code", status);
      }
      String error = error(status);
      if (!error.isEmpty()) {
        span.failed(error);
      }
    }
    span.end();
  }

  private static String error(int status) {
    return status == 0 ? "aborted" : status >= 500 ? Integer.toString(status) : "";
  }

  private void note(Instruments instruments, Transaction transaction, Optional<Incoming> incoming, JudgementWatch watch,
      String method, long nanos) {
    int status = transaction.reply().status();
    Labels values = Labels.of(method, status == 0 ? "" : (Object) status, transaction.scheme(), address, port, service,
        watch.route(), status == 0 ? error(status) : "");
    instruments.durations().of(values).noteNanos(nanos);
    incoming.map(in -> in.content().length()).ifPresent(length ->
        length.ifPresent(bytes -> instruments.requestSizes().of(values).note(bytes)));
    instruments.answerSizes().of(values).note(transaction.reply().sent());
    watch.note(transaction.granted());
  }
}
