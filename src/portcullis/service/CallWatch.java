package portcullis.service;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import portcullis.grpc.Code;
import portcullis.message.Fields;
import portcullis.message.Incoming;
import portcullis.message.Target;
import portcullis.pipeline.Observer;
import portcullis.telemetry.Methods;
import portcullis.tracing.Span;
import portcullis.tracing.Trace;
import portcullis.tracing.Tracer;

/** Makes a span of every call of gRPC and measures it, but for questions after our health. Thread safe. */
final class CallWatch implements Layer {
  private static final String SYSTEM = "grpc";
  private static final String SUBSYSTEM = "decision";
  private static final Set<Code> FAULTS = EnumSet.of(Code.UNKNOWN, Code.DEADLINE_EXCEEDED, Code.UNIMPLEMENTED, Code.INTERNAL,
      Code.UNAVAILABLE, Code.DATA_LOSS);

  private final Observed observed;
  private final String address;
  private final int port;

  /** @param address that the service is configured to listen on */
  CallWatch(Observed observed, String address, int port) {
    this.observed = observed;
    this.address = address.isEmpty() ? "0.0.0.0" : address;
    this.port = port;
  }

  /** A method by its names; those that nobody serves are all one, as callers can make up as many as they like. */
  private record Called(String service, String method) {
    static final Called UNKNOWN = new Called("", Methods.OTHER);

    static Called of(String path) {
      int slash = path.lastIndexOf('/');
      return path.equals(CheckMethod.PATH) || path.equals(HealthMethod.PATH)
          ? new Called(path.substring(1, slash), path.substring(slash + 1)) : UNKNOWN;
    }
  }

  @Override
  public void handle(Transaction transaction, Handler next) throws IOException {
    Optional<Incoming> incoming = transaction.arrival() instanceof Incoming in ? Optional.of(in) : Optional.empty();
    String path = incoming.map(in -> in.target() instanceof Target.Resource resource ? resource.path() : "*").orElse("");
    if (path.equals(HealthMethod.PATH)) {
      next.handle(transaction);
      return;
    }
    long begin = System.nanoTime();
    Called called = Called.of(path);
    Optional<Trace> trace = observed.tracer().map(tracer -> begun(tracer, transaction, incoming, called));
    Optional<Trace> detailed = trace.filter(Trace::detailed);
    JudgementWatch watch = new JudgementWatch(detailed, observed.instruments());
    transaction.watchedBy(detailed.isPresent() || observed.instruments().isPresent() ? watch : Observer.NOBODY);
    Optional<LongAdder> active = observed.instruments()
        .map(i -> i.activeCalls().of(SYSTEM, called.service, called.method, address, port, SUBSYSTEM));
    active.ifPresent(LongAdder::increment);
    try {
      if (trace.isPresent()) {
        trace.get().during(() -> next.handle(transaction));
      } else {
        next.handle(transaction);
      }
    } finally {
      active.ifPresent(LongAdder::decrement);
      trace.ifPresent(t -> end(t.server(), transaction, watch));
      observed.instruments().ifPresent(i -> note(i, transaction, watch, called, System.nanoTime() - begin));
    }
  }

  private Trace begun(Tracer tracer, Transaction transaction, Optional<Incoming> incoming, Called called) {
    String name = called.service.isEmpty() ? called.method : called.service + "/" + called.method;
    Span span = tracer.server(name, incoming.map(Incoming::fields).orElse(Fields.NONE));
    if (span.recorded()) {
      span.set("rpc.system", SYSTEM);
      if (!called.service.isEmpty()) {
        span.set("rpc.service", called.service);
      }
      span.set("rpc.method", called.method);
      span.set("server.address", address);
      span.set("server.port", port);
      span.set("client.address", transaction.client());
      span.set("network.peer.address", transaction.client());
      span.set("service.subsystem", SUBSYSTEM);
    }
    return new Trace(tracer, span);
  }

  private static void end(Span span, Transaction transaction, JudgementWatch watch) {
    if (span.recorded()) {
      watch.describe(span);
      transaction.granted().ifPresent(granted -> span.set("access.granted", granted));
      Code code = transaction.callStatus().orElse(Code.UNKNOWN);
      span.set("rpc.grpc.status_code", code.number());
      if (FAULTS.contains(code)) {
        span.failed(code.name());
      }
    }
    span.end();
  }

  private void note(Instruments instruments, Transaction transaction, JudgementWatch watch, Called called, long nanos) {
    int code = transaction.callStatus().orElse(Code.UNKNOWN).number();
    instruments.calls().of(SYSTEM, called.service, called.method, code, address, port, SUBSYSTEM).noteNanos(nanos);
    watch.note(transaction.granted());
  }
}
