package portcullis.serve.runtime;

import java.util.ArrayList;
import java.util.List;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;
import portcullis.policy.lock.LockTable;
import portcullis.serve.stream.EndReason;
import portcullis.serve.stream.StreamRegistry;

/** The metrics of exchanges in progress, and of locks. */
record StreamMetrics(StreamRegistry streams, LockTable locks) {
  void measure(Registry registry) {
    registry.observe("portcullis.streams.active", "{stream}", "Exchanges with upstreams in progress",
        Metric.Kind.GAUGE, this::active, "stream.kind");
    registry.observe("portcullis.streams.ended", "{stream}",
        "Exchanges with upstreams that were ended before their time", Metric.Kind.COUNTER, this::ended,
        "stream.end_reason");
    registry.observe("portcullis.locks", "{lock}", "Locks of subjects, sessions, tokens and clients",
        Metric.Kind.GAUGE, () -> List.of(Registry.sample(new Metric.Whole(locks.inForce()))));
  }

  private List<Metric.Sample> active() {
    List<Metric.Sample> out = new ArrayList<>();
    streams.active().forEach((kind, count) -> out
        .add(Registry.sample(new Metric.Whole(count), "stream.kind", kind.text())));
    return out;
  }

  private List<Metric.Sample> ended() {
    List<Metric.Sample> out = new ArrayList<>();
    for (EndReason reason : EndReason.values()) {
      out.add(Registry.sample(new Metric.Whole(streams.ended(reason)), "stream.end_reason", reason.text()));
    }
    return out;
  }
}
