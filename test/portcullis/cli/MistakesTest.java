package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.ErrorTable;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;

/**
 * Mistakes that people make in a configuration and rules, each with all that {@code validate} says of it. A
 * row begins with the file that is changed, {@code config} or {@code rules}; then lines with {@code -} are replaced by
 * those with {@code +}. Where there are only the latter they are the whole file.
 */
class MistakesTest {
  private static final Path CONFIG = Path.of("test/data/config/shop-configuration.yaml");
  private static final Path RULES = Path.of("test/data/config/shop-rules.yaml");

  @TempDir
  private Path folder;

  /** Replaces what the lines of a row say. */
  private static String edited(String original, List<String> lines) {
    String text = original;
    for (int i = 0; i < lines.size();) {
      String old = block(lines, i, "-");
      i += old.isEmpty() ? 0 : old.split("\n", -1).length;
      String replacement = block(lines, i, "+");
      i += replacement.split("\n", -1).length;
      assertTrue(text.contains(old), () -> "nothing to replace: " + old);
      text = old.isEmpty() ? replacement : text.replace(old, replacement);
    }
    return text;
  }

  private static String block(List<String> lines, int from, String mark) {
    return lines.stream().skip(from).takeWhile(line -> line.startsWith(mark)).map(line -> line.substring(1))
        .collect(Collectors.joining("\n"));
  }

  private String reported(String row) {
    try {
      String file = row.lines().findFirst().orElseThrow();
      List<String> edits = row.lines().skip(1).toList();
      String rulesText = Files.readString(RULES);
      Path rules = Files.writeString(folder.resolve("rules.yaml"),
          file.equals("rules") ? edited(rulesText, edits) : rulesText);
      String base = Files.readString(CONFIG).replace("src: rules/shop.yaml", "src: FOLDER/rules.yaml");
      Path config = Files.writeString(folder.resolve("c.yaml"),
          (file.equals("config") ? edited(base, edits) : base).replace("FOLDER", folder.toString()));
      List<String> command = new ArrayList<>(List.of("validate", file, "--insecure", "-c", config.toString()));
      if (file.equals("rules")) {
        command.addAll(List.of("--proxy-mode", rules.toString()));
      }
      CommandResult reported = CommandResult.of(command.toArray(new String[0]));
      assertEquals(reported.err().matches("(?s).*\\d errors?\n") ? 1 : 0, reported.status());
      assertEquals("", reported.out());
      return reported.err().replace(folder + "/", "").replaceAll("key `[0-9a-f]{40}`", "key `0…`")
          .replaceAll("\\^{30,}", "^…"); // below the name of a temporary folder
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void eachMistakeIsNamedWithItsPlace() throws IOException {
    Files.writeString(folder.resolve("junk.pem"), "hello\n");
    Files.createDirectory(folder.resolve("folder"));
    TestCertificate certificate = CertificateDraft.of("localhost").make();
    Files.writeString(folder.resolve("certificate.pem"), certificate.pem());
    Files.writeString(folder.resolve("mismatch.pem"), TestKeys.pem(TestKeys.ec(256)) + certificate.pem());
    Files.writeString(folder.resolve("broken.yaml"), Files.readString(RULES).replace("in_group", "in_groups"));
    ErrorTable.check("mistakes.txt", this::reported);
  }
}
