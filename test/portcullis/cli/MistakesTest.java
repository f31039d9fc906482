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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.ErrorTable;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;

/**
 * Mistakes that people make in a configuration and rules, each with all that {@code validate} says of it. A
 * row begins with the file that is changed, {@code config} or {@code rules}, and options instead of {@code --insecure};
 * then lines with {@code -} are replaced by those with {@code +}. Where there are only the latter they are the whole
 * file. A row that begins with {@code eval} has the operands of that command, one a line.
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
      List<String> first = List.of(row.lines().findFirst().orElseThrow().split(" "));
      List<String> edits = row.lines().skip(1).toList();
      if (first.getFirst().equals("eval")) {
        return shown(Stream.concat(first.stream(), edits.stream())
            .map(word -> word.replace("FOLDER", folder.toString())).toList());
      }
      String file = first.getFirst();
      String rulesText = Files.readString(RULES);
      Path rules = Files.writeString(folder.resolve("rules.yaml"),
          file.equals("rules") ? edited(rulesText, edits) : rulesText);
      String base = Files.readString(CONFIG).replace("src: rules/shop.yaml", "src: FOLDER/rules.yaml");
      Path config = Files.writeString(folder.resolve("c.yaml"),
          (file.equals("config") ? edited(base, edits) : base).replace("FOLDER", folder.toString()));
      List<String> command = new ArrayList<>(List.of("validate", file, "-c", config.toString()));
      command.addAll(first.size() == 1 ? List.of("--insecure") : first.subList(1, first.size()));
      if (file.equals("rules")) {
        command.addAll(List.of("--proxy-mode", rules.toString()));
      }
      return shown(command);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns what a command says on either stream: results in JSON come on the other one. */
  private String shown(List<String> command) {
    CommandResult reported = CommandResult.of(command.toArray(String[]::new));
    String text = reported.err() + reported.out();
    boolean failed = text.matches("(?s).*\\d errors?\n|.*\"valid\":false.*|portcullis: .*");
    assertEquals(failed ? 1 : 0, reported.status(), text);
    return text.replace(folder + "/", "").replaceAll("key `[0-9a-f]{40}`", "key `0…`")
        .replaceAll("\\^{30,}", "^…"); // below the name of a temporary folder
  }

  @Test
  void eachMistakeIsNamedWithItsPlace() throws IOException {
    Files.writeString(folder.resolve("junk.pem"), "hello\n");
    Files.createDirectory(folder.resolve("folder"));
    TestCertificate certificate = CertificateDraft.of("localhost").make();
    Files.writeString(folder.resolve("certificate.pem"), certificate.pem());
    Files.writeString(folder.resolve("mismatch.pem"), TestKeys.pem(TestKeys.ec(256)) + certificate.pem());
    Files.writeString(folder.resolve("broken.yaml"), Files.readString(RULES).replace("in_group", "in_groups"));
    Files.writeString(folder.resolve("context.yaml"),
        "Request: { Method: GET, URL: https://a.example/ }\nSubject: { ID: ann }\n");
    ErrorTable.check("mistakes.txt", this::reported);
  }
}
