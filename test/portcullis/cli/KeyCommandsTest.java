package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyCommandsTest {
  @TempDir
  private Path folder;

  private String file() {
    return folder.resolve("keys.yaml").toString();
  }

  @Test
  void keysAreMadeListedAndRevoked() throws Exception {
    CommandResult made = CommandResult.of("key", "new", "-f", file(), "-s", "ci", "--scope", "read", "--network",
        "10.0.0.0/8", "--for",
        "90d", "--attribute", "team=build", "--prefix", "shop");
    assertEquals(0, made.status(), made.err());
    String key = made.out().strip();
    assertTrue(key.matches("shop_[a-z2-7]{12}_[a-z2-7]{52}"), key);
    String id = key.split("_")[1];
    assertTrue(made.err().startsWith("key " + id + " is in "), made.err());
    Files.setPosixFilePermissions(folder.resolve("keys.yaml"), PosixFilePermissions.fromString("rw-r--r--"));
    CommandResult listed = CommandResult.of("key", "list", "-f", file());
    assertTrue(listed.out().startsWith(id + "  active  ci  until "), listed.out());
    assertTrue(listed.out().strip().endsWith("scopes read  from 10.0.0.0/8"), listed.out());
    assertEquals(0, CommandResult.of("key", "revoke", "-f", file(), id).status());
    assertTrue(CommandResult.of("key", "list", "-f", file(), "-o", "json").out().contains("\"state\":\"revoked\""));
    assertEquals("rw-r--r--",
        PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("keys.yaml"))));
    assertFalse(Files.readString(folder.resolve("keys.yaml")).contains(key.split("_")[2]));
    try (var left = Files.list(folder)) {
      assertEquals(1, left.count());
    }
  }

  private String added(String text) throws IOException {
    Files.writeString(folder.resolve("keys.yaml"), text);
    CommandResult made = CommandResult.of("key", "new", "-f", file(), "-s", "ci");
    return made.status() + " " + made.err() + CommandResult.of("key", "list", "-f", file()).out();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "# mine\n", "keys: []\n", "keys: [ ]", "keys: {}\n", "keys:\n", "keys: # none\n",
    "keys: null\n", "\ufeffkeys: []\n", "\ufeff", "keys: []\r\n", "# mine\r\nkeys:\r\n", "---\nkeys: []\n",
    "# mine\nkeys: [] # none\n"})
  void aFileWithoutKeysGetsTheFirst(String text) throws IOException {
    String said = added(text);
    assertTrue(said.startsWith("0 ") && said.contains("  active  ci"), said);
    String written = Files.readString(folder.resolve("keys.yaml"));
    assertTrue(!text.contains("# mine") || written.contains("# mine"), written);
    assertEquals(text.contains("\r"), written.contains("\r"), "lines end as they did");
    assertEquals(0, written.replace("\r\n", "").chars().filter(c -> text.contains("\r") && c == '\n').count());
  }

  @ParameterizedTest
  @ValueSource(strings = {"keys:\n- id: a\n  sha256: \"%s\"\n  subject: b\n",
    "\ufeffkeys:\r\n    - id: a\r\n      sha256: \"%s\"\r\n      subject: b\r\n"})
  void anotherKeyIsIndentedAsTheFirst(String text) throws IOException {
    String said = added(text.formatted("0".repeat(64)));
    assertTrue(said.startsWith("0 ") && said.contains("a  active  b") && said.contains("  active  ci"), said);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      {}                | keys.yaml:1:1: `keys` is missing
      keys: 5           | keys.yaml:1:7: keys: `5` is a number, a list is needed
      a: b              | keys.yaml:1:1: unknown key `a`
      keys: [ { id: a   | keys.yaml:1:
      """)
  void aFileThatCannotBeChangedIsExplainedByItsOwnLines(String text, String message) throws IOException {
    String said = added(text + "\n");
    assertTrue(said.startsWith("1 ") && said.contains(message), said);
    assertEquals(text + "\n", Files.readString(folder.resolve("keys.yaml")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u001b[2Jb", "a\nb", "a\u007fb", "a\u0085b", "a\u009bb", "a\u202eb", "a\u2028b",
    "a\uffffb"})
  void namesWithControlCharactersAreRefused(String name) {
    for (String option : List.of("--subject", "--scope", "--attribute")) {
      String value = option.equals("--attribute") ? "team=" + name : name;
      CommandResult result = option.equals("--subject") ? CommandResult.of("key", "new", "-f", file(), option, value)
          : CommandResult.of("key", "new", "-f", file(), "-s", "ci", option, value);
      assertEquals(2, result.status());
      assertTrue(result.err().contains("`" + option + "` has a control character"), result.err());
    }
    assertFalse(Files.exists(folder.resolve("keys.yaml")));
  }

  @Test
  void namesThatWereNotUtf8AreRefused() {
    CommandResult result = CommandResult.of("key", "new", "-f", file(), "-s", "a\ufffdb");
    assertTrue(result.status() == 2 && result.err().contains("`--subject` is not UTF-8 text"), result.err());
  }

  @Test
  void listedSubjectsAreCleaned() throws IOException {
    Files.writeString(folder.resolve("keys.yaml"), "keys:\n- id: a\n  sha256: \"%s\"\n  subject: \"b\\e[2Jc\"\n"
        .formatted("0".repeat(64)));
    assertEquals("a  active  b [2Jc\n", CommandResult.of("key", "list", "-f", file()).out());
  }

  @Test
  @Timeout(60)
  void aPipeIsNotReplaced() throws Exception {
    assertEquals(0, new ProcessBuilder("mkfifo", file()).start().waitFor());
    for (List<String> words : List.of(List.of("new", "-s", "ci"), List.of("revoke", "a"))) {
      List<String> all = new ArrayList<>(List.of("key", words.getFirst(), "-f", file()));
      all.addAll(words.subList(1, words.size()));
      CommandResult result = CommandResult.of(all.toArray(String[]::new));
      assertEquals(1, result.status());
      assertTrue(result.err().contains(file()) && result.err().contains("it is not a regular file"), result.err());
    }
    assertFalse(Files.isRegularFile(folder.resolve("keys.yaml")));
  }

  @Test
  void aFileThatIsNotTextIsNamed() throws Exception {
    Files.write(folder.resolve("keys.yaml"), new byte[] {(byte) 0xff});
    CommandResult result = CommandResult.of("key", "new", "-f", file(), "-s", "ci");
    assertEquals("portcullis: " + file() + ": it is not UTF-8 text\n", result.err());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      new                                               | 2 | name the subject of the key
      new -s x --for soon                               | 2 | `soon` is not a duration
      new -s x --for 1d --not-after 2027-01-31T00:00:00Z | 2 | not both
      new -s x --not-after 2020-01-31T00:00:00Z         | 2 | the key would never be valid
      new -s x --not-before monday                      | 2 | `monday` is not a time
      new -s x --network here                           | 2 | `here` is not a network
      new -s x --network 10.0.0.1/8                     | 2 | `10.0.0.1/8` has host bits set, write 10.0.0.0/8
      new -s x --network fd00::1/64                     | 2 | has host bits set, write fd00:0:0:0:0:0:0:0/64
      new -s x --attribute team                         | 2 | `team` is not NAME=VALUE
      new -s x --prefix a_b                             | 2 | is a letter and up to 15
      revoke                                            | 2 | name one key by its id
      revoke abc                                        | 1 | no such file or folder
      list                                              | 1 | there is no such file
      """)
  void errorsSayWhatIsRight(String words, int status, String message) throws Exception {
    String[] all = ("key " + words + " -f " + file()).split(" ");
    CommandResult reported = CommandResult.of(all);
    assertEquals(status, reported.status(), reported.err());
    assertTrue(reported.err().contains(message), reported.err());
    assertFalse(Files.exists(folder.resolve("keys.yaml")));
  }
}
