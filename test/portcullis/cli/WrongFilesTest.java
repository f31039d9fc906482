package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.ErrorTable;

/**
 * What {@code validate} says of wrong files, each in full: place, line, carets, what would be right, and nothing twice.
 */
class WrongFilesTest {
  private static final String CATALOGUE = """
      mechanisms:
        authenticators:
          - { id: anon, type: anonymous }
          - { id: deny, type: unauthorized }
          - { id: jwt, type: jwt, config: { jwks_endpoint: "https://idp.example/jwks", assertions: { issuers: [ i ] } \
      } }
        authorizers:
          - { id: allow, type: allow }
          - { id: group, type: cel, config: { expressions: [ { expression: "true" } ] } }
        finalizers: [ { id: user, type: header, config: { headers: { X-User: "{{ .Subject.ID }}" } } } ]
        error_handlers: [ { id: login, type: redirect, config: { to: "https://login.example" } } ]
      """;

  @TempDir
  private Path folder;

  /** What is said of a file; the file is known as {@code f.yaml}. */
  private String reported(String text, String... command) {
    try {
      Path file = Files.writeString(folder.resolve("f.yaml"), text);
      String[] words = command.clone();
      words[words.length - 1] = file.toString();
      CommandResult reported = CommandResult.of(words);
      assertEquals(reported.err().matches("(?s).*\\d errors?\n") ? 1 : 0, reported.status());
      assertEquals("", reported.out());
      String here = "`" + Path.of("").toAbsolutePath();
      return reported.err().replace(folder + "/", "").replace(here + "`", "`…`").replace(here + "/", "`…/");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void wrongConfigurations() throws IOException {
    ErrorTable.check("wrong-configurations.txt", text -> reported(text, "validate", "config", "--insecure", "-c", ""));
  }

  @Test
  void wrongRuleSets() throws IOException {
    String config = Files.writeString(folder.resolve("config.yaml"), CATALOGUE).toString();
    ErrorTable.check("wrong-rules.txt", text -> reported(text, "validate", "rules", "--insecure", "-c", config, ""));
  }
}
