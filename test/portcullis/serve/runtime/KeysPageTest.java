package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.config.Enforcement;
import portcullis.policy.pipeline.RuleSetVersion;
import portcullis.policy.rule.RuleReader;

/** The page of keys has every key of the configuration and of rule sets, with its default, and no others. */
class KeysPageTest {
  private static Path file(String section) {
    return Path.of("config/docs", section.startsWith("Rule sets") ? "rule-keys.md" : "keys.md");
  }

  private static List<SchemaRows.Row> schema(String section) {
    return SchemaRows.of(switch (section) {
      case "Rule sets 1alpha4" -> RuleReader.shape(RuleSetVersion.ALPHA4);
      case "Rule sets 1beta1" -> RuleReader.shape(RuleSetVersion.BETA1);
      default -> Settings.decoder(Enforcement.ALL).shape();
    });
  }

  /** The rows of a section: what stands in the first two columns. */
  private static Map<String, String> page(String section) throws IOException {
    Map<String, String> out = new TreeMap<>();
    boolean within = false;
    for (String line : Files.readAllLines(file(section))) {
      within = line.startsWith("## ") ? line.equals("## " + section) : within;
      if (within && line.startsWith("| `")) {
        String[] cells = line.split(" \\| ", 3);
        String earlier = out.put(cells[0].substring(2), cells[1]);
        assertTrue(earlier == null, () -> "twice in the page: " + line);
      }
    }
    return out;
  }

  @ParameterizedTest
  @ValueSource(strings = {"Configuration", "Rule sets 1alpha4", "Rule sets 1beta1"})
  void everyKeyIsInThePageWithItsDefault(String section) throws IOException {
    Map<String, String> page = page(section);
    List<String> missing = new ArrayList<>();
    Set<String> keys = new LinkedHashSet<>();
    for (SchemaRows.Row row : schema(section)) {
      String[] cells = row.line().split(" \\| ", 3);
      keys.add(cells[0].substring(2));
      if (!cells[1].equals(page.get(cells[0].substring(2)))) {
        missing.add(row.line());
      }
    }
    assertEquals("", String.join("\n", missing), "missing in " + file(section) + " or with another default");
    page.keySet().removeAll(keys);
    assertEquals(Set.of(), page.keySet(), "no keys, but in " + file(section));
  }

  @Test
  void theKeysAreThoseOfAllLevels() {
    List<String> keys = schema("Configuration").stream().map(SchemaRows.Row::path).toList();
    assertTrue(keys.containsAll(List.of("serve.timeout.read",
        "mechanisms.authenticators[jwt].config.assertions.issuers", "cache[redis].config.address", "cache.type",
        "providers.file_system.src")), keys.toString());
    assertTrue(keys.stream().anyMatch(key -> key.endsWith(".stale_if_error")), keys.toString());
  }
}
