package portcullis.decision;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ManagedTest {
  @Test
  void thePageNamesTheExemptHeaders() throws IOException {
    String page = Files.readString(Path.of("config/docs/security.md"));
    int from = page.indexOf("Exempt are ");
    String named = page.substring(from, page.indexOf(':', from)).replaceAll("[^A-Za-z`-]+", " ");
    assertEquals(new TreeSet<>(Managed.CLIENTS_OWN), new TreeSet<>(Arrays.stream(named.split("[^`A-Za-z-]+"))
        .filter(word -> word.startsWith("`")).map(word -> word.replace("`", "").toLowerCase(Locale.ROOT)).toList()));
  }
}
