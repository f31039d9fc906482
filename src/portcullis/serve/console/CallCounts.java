package portcullis.serve.console;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;

/**
 * How often a server was called since the start, as the metric counts it; immutable.
 *
 * @param server as {@code https://idp.example:443}
 * @param failed calls that ended without a response, or with a status from 500 on
 */
record CallCounts(String server, long calls, long failed, double seconds) {
  private static final String METRIC = "http.client.request.duration";

  /** Returns those of all servers, by name. */
  static List<CallCounts> of(Registry registry) {
    Map<String, CallCounts> out = new TreeMap<>();
    for (Metric.Sample sample : registry.samples(METRIC)) {
      if (sample.value() instanceof Metric.Distribution times) {
        String server = text(sample, "url.scheme") + "://" + text(sample, "server.address") + ":"
            + text(sample, "server.port");
        String status = text(sample, "http.response.status_code");
        boolean isFailed = !text(sample, "error.type").isEmpty() || status.startsWith("5");
        CallCounts counts = new CallCounts(server, times.count(), isFailed ? times.count() : 0, times.sum());
        out.merge(server, counts, CallCounts::plus);
      }
    }
    return List.copyOf(out.values());
  }

  double meanMilliseconds() {
    return calls == 0 ? 0 : seconds * 1000 / calls;
  }

  private CallCounts plus(CallCounts other) {
    return new CallCounts(server, calls + other.calls, failed + other.failed, seconds + other.seconds);
  }

  private static String text(Metric.Sample sample, String name) {
    return String.valueOf(sample.attributes().getOrDefault(name, ""));
  }
}
