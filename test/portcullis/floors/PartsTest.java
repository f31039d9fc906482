package portcullis.floors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** jlink/parts, which the SBOM and the licences of a release are made from, names the libraries that it has. */
final class PartsTest {
  @Test
  void namesEveryLibraryWithItsLicence() throws IOException {
    Set<String> locked = Files.readAllLines(Path.of("jlink/dependencies.lock")).stream()
        .map(line -> line.split(" +")[1])
        .filter(jar -> jar.startsWith("run/")).map(jar -> jar.substring(4).replaceFirst("-\\d.*", ""))
        .collect(Collectors.toCollection(TreeSet::new));
    Set<String> named = new TreeSet<>();
    for (String line : Files.readAllLines(Path.of("jlink/parts"))) {
      if (!line.startsWith("#")) {
        String[] words = line.replaceFirst("^\\+ +", "").split(" +");
        assertTrue(words[2].equals("Apache-2.0") || Files.exists(Path.of("jlink/licences", words[2])), line);
        if (!line.startsWith("+")) {
          named.add(words[0]);
        }
      }
    }
    assertEquals(locked, named);
  }
}
