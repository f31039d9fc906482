package portcullis.serve.console;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;

/**
 * The counters of requests to the main service at one moment, as the metrics have them; immutable.
 *
 * @param requests completed since the start
 * @param errors those answered with a status of 500 or more, or a gRPC error of the service
 * @param latency the number of requests by duration, for the bounds of {@link Registry#SHORT_TIMES}
 * @param active in progress
 */
record TrafficSample(Instant at, long requests, long allowed, long denied, long errors, long active, long[] latency) {
  private static final Set<String> SERVICES = Set.of("proxy", "decision");
  /** Codes that mean a fault of the service (OpenTelemetry, semantic conventions for gRPC). */
  private static final Set<Long> GRPC_ERRORS = Set.of(2L, 4L, 12L, 13L, 14L, 15L);

  static TrafficSample of(Registry registry, Instant at) {
    long[] latency = new long[Registry.SHORT_TIMES.size() + 1];
    long errors = 0;
    for (String metric : List.of("http.server.request.duration", "rpc.server.call.duration")) {
      for (Metric.Sample sample : registry.samples(metric)) {
        if (isOfMain(sample) && sample.value() instanceof Metric.Distribution distribution) {
          for (int i = 0; i < latency.length; i++) {
            latency[i] += distribution.counts().get(i);
          }
          errors += isError(sample) ? distribution.count() : 0;
        }
      }
    }
    long requests = 0;
    for (long count : latency) {
      requests += count;
    }
    List<RuleCounts> rules = RuleCounts.of(registry);
    return new TrafficSample(at, requests, rules.stream().mapToLong(RuleCounts::allowed).sum(),
        rules.stream().mapToLong(RuleCounts::denied).sum(), errors,
        active(registry, "http.server.active_requests") + active(registry, "rpc.server.active_requests"), latency);
  }

  private static long active(Registry registry, String metric) {
    return registry.samples(metric).stream().filter(TrafficSample::isOfMain)
        .mapToLong(sample -> sample.value() instanceof Metric.Whole(long value) ? value : 0).sum();
  }

  private static boolean isOfMain(Metric.Sample sample) {
    return sample.attributes().get("service.subsystem") instanceof String service && SERVICES.contains(service);
  }

  private static boolean isError(Metric.Sample sample) {
    Map<String, Object> attributes = sample.attributes();
    return number(attributes.get("http.response.status_code")) >= 500
        || attributes.containsKey("rpc.grpc.status_code")
            && GRPC_ERRORS.contains(number(attributes.get("rpc.grpc.status_code")));
  }

  private static long number(Object value) {
    return value instanceof Number number ? number.longValue() : -1;
  }

  /**
   * Returns the duration in seconds within which this part of the requests since an earlier sample was completed, by
   * interpolation within its bucket; NaN if there were none.
   */
  double quantile(double part, TrafficSample since) {
    double all = requests - since.requests;
    if (all <= 0) {
      return Double.NaN;
    }
    double rank = part * all;
    double below = 0;
    for (int i = 0; i < latency.length - 1; i++) {
      double here = latency[i] - since.latency[i];
      if (here > 0 && below + here >= rank) {
        double lower = i == 0 ? 0 : Registry.SHORT_TIMES.get(i - 1);
        return lower + (Registry.SHORT_TIMES.get(i) - lower) * (rank - below) / here;
      }
      below += here;
    }
    return Registry.SHORT_TIMES.getLast();
  }

  /** Returns the seconds since an earlier sample. */
  double seconds(TrafficSample since) {
    return Math.max(1e-3, (at.toEpochMilli() - since.at.toEpochMilli()) / 1e3);
  }
}
