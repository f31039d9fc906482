package portcullis.serve.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The pages of keys have every key of the configuration and of rule sets, with its default, and no others. */
class KeysPageTest {
  @Test
  void everyKeyIsInThePageWithItsDefault() throws IOException {
    for (Map.Entry<Path, String> page : KeysPage.all().entrySet()) {
      List<String> now = Files.readAllLines(page.getKey());
      List<String> generated = page.getValue().lines().toList();
      for (int i = 0; i < Math.min(now.size(), generated.size()); i++) {
        assertEquals(generated.get(i), now.get(i), page.getKey() + ":" + (i + 1) + " is out of date: run ./build.sh "
            + "pages");
      }
      assertEquals(generated.size(), now.size(), page.getKey() + " is out of date: run ./build.sh pages");
    }
  }

  @Test
  void everySectionIsInAPage() throws IOException {
    String pages = String.join("\n", KeysPage.all().values());
    KeysPage.sections().forEach((title, rows) -> {
      String section = pages.substring(pages.indexOf("\n## " + title + "\n"));
      assertTrue(rows.stream().allMatch(row -> section.contains("\n| `" + row.path() + "` | ")), title);
    });
  }

  @Test
  void theKeysAreThoseOfAllLevels() {
    List<String> keys = KeysPage.sections().get("Configuration").stream().map(SchemaRows.Row::path).toList();
    assertTrue(keys.containsAll(List.of("serve.timeout.read",
        "mechanisms.authenticators[jwt].config.assertions.issuers", "cache[redis].config.address", "cache.type",
        "providers.file_system.src")), keys.toString());
    assertTrue(keys.stream().anyMatch(key -> key.endsWith(".stale_if_error")), keys.toString());
  }
}
