package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

class DashboardTest {
  private static final Path SOURCES = Path.of("src/portcullis");
  /**
   * A metric as it is made: {@code registry.histogram("name", "unit", …)}; of {@code observe} the kind comes behind the
   * text.
   */
  private static final Pattern MADE = Pattern.compile(
      "(counter|upDownCounter|histogram|observe|memory)\\(\\s*(?:registry,\\s*)?\"([a-z_.]+)\",\\s*\"([^\"]*)\""
          + "(?:,\\s*\"[^\"]*\"(?:\\s*\\+\\s*\"[^\"]*\")*,\\s*(?:Metric\\.)?Kind\\.([A-Z_]+))?");
  private static final Pattern ASKED = Pattern.compile("([a-z_]+)\\{job=~");

  /** The names that Prometheus knows, of what the sources make. */
  private static Set<String> exported() throws IOException {
    Set<String> out = new TreeSet<>();
    for (String folder : List.of("serve/runtime", "serve/service", "observe/metrics", "observe/client")) {
      try (var files = Files.list(SOURCES.resolve(folder))) {
        for (Path file : files.toList()) {
          Matcher made = MADE.matcher(Files.readString(file));
          while (made.find()) {
            out.addAll(names(made.group(1), made.group(2), made.group(3), made.group(4)));
          }
        }
      }
    }
    return out;
  }

  private static List<String> names(String how, String name, String reported, String kind) {
    String unit = how.equals("memory") ? "By" : reported;
    String suffix = unit.equals("s") ? "_seconds" : unit.equals("By") ? "_bytes" : "";
    String full = name.replace('.', '_') + suffix;
    return switch (how) {
      case "histogram" -> List.of(full + "_bucket", full + "_sum", full + "_count");
      case "counter" -> List.of(full + "_total");
      default -> List.of("COUNTER".equals(kind) ? full + "_total" : full);
    };
  }

  private static void queries(Value value, List<String> out) {
    switch (value) {
      case Value.Dict dict -> dict.members().forEach((name, member) -> {
        if (name.equals("expr") && member instanceof Value.Str(String text)) {
          out.add(text);
        } else {
          queries(member, out);
        }
      });
      case Value.Array array -> array.items().forEach(item -> queries(item, out));
      default -> {
      }
    }
  }

  @Test
  void migrationNamesMetricsThatAreExported() throws IOException {
    String page = Files.readString(Path.of("config/docs/migration.md"));
    String table = page.substring(page.indexOf("## What dashboards query"));
    Set<String> exported = exported();
    List<String> named = table.lines().filter(line -> line.startsWith("| `"))
        .map(line -> line.substring(line.indexOf(" | ")))
        .flatMap(cell -> Pattern.compile("\\b(jvm|process|system)_[a-z_]+(?=[`){\\[])").matcher(cell).results()
            .map(r -> r.group()))
        .filter(name -> !name.equals("jvm_memory_type")).toList();
    assertTrue(named.size() >= 14, named::toString);
    assertEquals(List.of(), named.stream().filter(name -> !exported.contains(name)).toList());
  }

  @Test
  void everyQueryNamesMetricsThatAreExported() throws IOException, ValueException {
    List<String> queries = new ArrayList<>();
    queries(Json.read(Files.readString(Path.of("config/grafana/dashboard.json"))), queries);
    assertTrue(queries.size() >= 18, () -> "only " + queries.size() + " queries");
    Set<String> exported = exported();
    Set<String> unknown = new TreeSet<>();
    for (String query : queries) {
      Matcher receivedCalls = ASKED.matcher(query);
      assertTrue(receivedCalls.find(), query);
      do {
        if (!exported.contains(receivedCalls.group(1))) {
          unknown.add(receivedCalls.group(1));
        }
      } while (receivedCalls.find());
    }
    assertEquals(Set.of(), unknown, () -> "known: " + exported);
  }
}
