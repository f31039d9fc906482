package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import portcullis.observe.metrics.Metric;
import portcullis.observe.metrics.Registry;

class MetricsPageTest {
  @Test
  void samplesHaveDeclaredAttributesOnly() {
    Registry registry = MetricsPage.registry();
    List<Metric> read = registry.read();
    assertTrue(read.size() > 20, () -> "only " + read.size() + " metrics have samples");
    for (Metric metric : read) {
      Registry.Declaration declared = registry.declarations().stream().filter(d -> d.name().equals(metric.name()))
          .findFirst().orElseThrow();
      Set<String> names = new HashSet<>();
      metric.samples().forEach(sample -> names.addAll(sample.attributes().keySet()));
      names.removeAll(declared.attributes());
      assertEquals(Set.of(), names, metric.name());
    }
  }

  @Test
  void everyMetricHasADescription() {
    List<Registry.Declaration> all = MetricsPage.registry().declarations();
    all.forEach(metric -> assertTrue(metric.help().length() > 5, metric.name()));
    assertEquals(all.size(), all.stream().map(Registry.Declaration::name).distinct().count());
  }
}
