package portcullis.serve.service;

import java.util.concurrent.atomic.LongAdder;
import portcullis.observe.metrics.Histogram;
import portcullis.observe.metrics.Instrument;
import portcullis.observe.metrics.Registry;

/**
 * The metrics of requests: those of the semantic conventions, and how rules and steps decide requests. No attribute
 * contains data that a client sends. Thread safe.
 */
public final class Instruments {
  private static final String[] SERVER = {"http.request.method", "http.response.status_code", "url.scheme",
    "server.address",
    "server.port", "service.subsystem", "network.protocol.name", "network.protocol.version", "http.route",
    "error.type"};
  private static final String[] ACTIVE = {"http.request.method", "url.scheme", "server.address", "server.port",
    "service.subsystem"};

  private final Instrument<Histogram> durations;
  private final Instrument<LongAdder> active;
  private final Instrument<Histogram> requestSizes;
  private final Instrument<Histogram> answerSizes;
  private final Instrument<Histogram> calls;
  private final Instrument<LongAdder> activeCalls;
  private final Instrument<LongAdder> decisions;
  private final StepTimes steps;

  public Instruments(Registry registry) {
    durations = registry.histogram("http.server.request.duration", "s", "Duration of incoming requests",
        Registry.SHORT_TIMES, SERVER);
    active = registry.upDownCounter("http.server.active_requests", "{request}", "Requests in progress", ACTIVE);
    requestSizes = registry.histogram("http.server.request.body.size", "By", "Size of request bodies",
        Registry.SIZES, SERVER);
    answerSizes = registry.histogram("http.server.response.body.size", "By", "Size of response bodies",
        Registry.SIZES, SERVER);
    calls = registry.histogram("rpc.server.call.duration", "s", "Duration of incoming gRPC calls",
        Registry.SHORT_TIMES,
        "rpc.system", "rpc.service", "rpc.method", "rpc.grpc.status_code", "server.address", "server.port",
        "service.subsystem",
        "network.protocol.name", "network.protocol.version");
    activeCalls = registry.upDownCounter("rpc.server.active_requests", "{request}", "gRPC calls in progress",
        "rpc.system",
        "rpc.service", "rpc.method", "server.address", "server.port", "service.subsystem");
    decisions = registry.counter("portcullis.rule.decisions", "{request}", "Requests by rule and decision",
        "ruleset.id", "rule.id", "rule.decision");
    steps = new StepTimes(
        registry.histogram("portcullis.step.duration", "s", "Duration of steps of pipelines", Registry.SHORT_TIMES,
            "mechanism.kind", "mechanism.type", "mechanism.name", "step.outcome", "step.cached"));
  }

  Instrument<Histogram> durations() {
    return durations;
  }

  Instrument<LongAdder> active() {
    return active;
  }

  Instrument<Histogram> requestSizes() {
    return requestSizes;
  }

  Instrument<Histogram> answerSizes() {
    return answerSizes;
  }

  Instrument<Histogram> calls() {
    return calls;
  }

  Instrument<LongAdder> activeCalls() {
    return activeCalls;
  }

  Instrument<LongAdder> decisions() {
    return decisions;
  }

  StepTimes steps() {
    return steps;
  }
}
