package portcullis.serve.service;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import portcullis.http.grpc.Code;
import portcullis.http.message.Fields;
import portcullis.http.message.Target;
import portcullis.http.message.ValidRequest;
import portcullis.observe.metrics.Histogram;
import portcullis.observe.telemetry.Methods;
import portcullis.observe.tracing.Span;
import portcullis.observe.tracing.Tracer;

/** Records gRPC calls by the semantic conventions for RPC. */
final class GrpcTelemetry implements RequestTelemetry {
  private static final String SYSTEM = "grpc";
  private static final String SUBSYSTEM = "decision";
  private static final Set<Code> ERRORS = EnumSet.of(Code.UNKNOWN, Code.DEADLINE_EXCEEDED, Code.UNIMPLEMENTED,
      Code.INTERNAL,
      Code.UNAVAILABLE, Code.DATA_LOSS);

  private final String address;
  private final int port;

  /** @param address the configured address of the service */
  GrpcTelemetry(String address, int port) {
    this.address = address.isEmpty() ? "0.0.0.0" : address;
    this.port = port;
  }

  /** The service and the method of a call; all unknown methods are one, as clients can send any number of names. */
  private record Called(String service, String method) {
    static final Called UNKNOWN = new Called("", Methods.OTHER);

    static Called of(Optional<ValidRequest> incoming) {
      String path = path(incoming);
      int slash = path.lastIndexOf('/');
      return path.equals(CheckMethod.PATH) || path.equals(HealthMethod.PATH)
          ? new Called(path.substring(1, slash), path.substring(slash + 1))
          : UNKNOWN;
    }
  }

  private static String path(Optional<ValidRequest> incoming) {
    return incoming.map(in -> in.target() instanceof Target.Resource resource ? resource.path() : "*").orElse("");
  }

  @Override
  public boolean isHealthCheck(Optional<ValidRequest> incoming) {
    return path(incoming).equals(HealthMethod.PATH);
  }

  @Override
  public Span startSpan(Tracer tracer, Transaction transaction, Optional<ValidRequest> incoming) {
    Called called = Called.of(incoming);
    String name = called.service.isEmpty() ? called.method : called.service + "/" + called.method;
    Span span = tracer.server(name, incoming.map(ValidRequest::fields).orElse(Fields.NONE));
    if (span.recorded()) {
      String client = transaction.client();
      span.set("rpc.system", SYSTEM);
      if (!called.service.isEmpty()) {
        span.set("rpc.service", called.service);
      }
      span.set("rpc.method", called.method);
      span.set("server.address", address);
      span.set("server.port", port);
      span.set("network.protocol.name", "http");
      span.set("network.protocol.version", "2");
      span.set("client.address", client);
      span.set("network.peer.address", client);
      span.set("service.subsystem", SUBSYSTEM);
    }
    return span;
  }

  @Override
  public LongAdder active(Instruments instruments, Transaction transaction, Optional<ValidRequest> incoming) {
    Called called = Called.of(incoming);
    return instruments.activeCalls().of(SYSTEM, called.service, called.method, address, port, SUBSYSTEM);
  }

  /** Whether a call that ends so is an error of the server (semantic conventions for gRPC). */
  static boolean isError(Code code) {
    return ERRORS.contains(code);
  }

  @Override
  public void describe(Span span, Transaction transaction, DecisionObserver watch) {
    watch.describe(span);
    transaction.allowed().ifPresent(granted -> span.set("access.granted", granted));
    Code code = transaction.callStatus().orElse(Code.UNKNOWN);
    span.set("rpc.grpc.status_code", code.number());
    if (isError(code)) {
      span.failed(code.name());
    }
  }

  @Override
  public Ending count(Instruments instruments, Transaction transaction, Optional<ValidRequest> incoming,
      DecisionObserver watch) {
    Called called = Called.of(incoming);
    int code = transaction.callStatus().orElse(Code.UNKNOWN).number();
    watch.decisionCounter(transaction.allowed()).ifPresent(LongAdder::increment);
    Histogram durations = instruments.calls().of(SYSTEM, called.service, called.method, code, address, port, SUBSYSTEM,
        "http", "2");
    return (nanos, _) -> durations.recordNanos(nanos);
  }
}
