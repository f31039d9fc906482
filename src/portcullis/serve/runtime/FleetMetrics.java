package portcullis.serve.runtime;

import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;
import portcullis.serve.fleet.FleetStatus;
import portcullis.serve.fleet.Member;

/** The metrics of a fleet, as one of its instances sees it. */
record FleetMetrics(Supplier<FleetStatus> status) {
  void measure(Registry registry) {
    gauge(registry, "connected", "{instance}", "Whether Redis of the fleet can be used: 1 or 0",
        one -> one.connected() ? 1 : 0);
    gauge(registry, "instances", "{instance}", "Instances of the fleet, with this one", one -> one.others().size() + 1);
    gauge(registry, "pending", "{change}", "Changes of locks that other instances do not know yet",
        FleetStatus::pending);
    registry.observe("portcullis.fleet.drift", "{instance}", "Instances of the fleet that differ from this one",
        Metric.Kind.GAUGE, this::drift, "fleet.difference");
    registry.observe("portcullis.fleet.rejected", "{entry}",
        "Entries in Redis that were ignored, as they are not those of the fleet", Metric.Kind.COUNTER,
        () -> List.of(Registry.sample(new Metric.Whole(status.get().rejected()))));
  }

  private void gauge(Registry registry, String name, String unit, String help, ToLongFunction<FleetStatus> value) {
    registry.observe("portcullis.fleet." + name, unit, help, Metric.Kind.GAUGE,
        () -> List.of(Registry.sample(new Metric.Whole(value.applyAsLong(status.get())))));
  }

  private List<Metric.Sample> drift() {
    FleetStatus now = status.get();
    return Arrays.stream(Member.Difference.values())
        .map(one -> Registry.sample(new Metric.Whole(now.drift(one)), "fleet.difference", one.text())).toList();
  }
}
