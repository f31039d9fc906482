package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs what the documentation says: the blocks marked {@code sh} of a page, in order, on a bare host: a root of its own
 * with glibc, a shell and coreutils, without a JDK. A line that starts a service goes to the background and is waited
 * for; of a line that ends with {@code # 200} or the like that must be printed; a block of YAML under the name of a
 * file is written to it, and {@code https://login.example.com} is an OpenID provider; {@code make} is asked whether it
 * knows the target.
 */
final class DocsTest {
  private static final Path DOCS = Path.of("config/docs");
  private static final Path HOST = Path.of("test/data/pages/bare-host.sh");
  /** The page that begins without the program. */
  private static final Path INSTALLATION = DOCS.resolve("install.md");
  private static final Pattern COMMANDS = Pattern.compile("(?m)^```sh$");
  /** Commands, or a file under its name. */
  private static final Pattern BLOCK = Pattern.compile(
      "(?ms)^```sh\\n(?<commands>.*?)^```$|^`(?<file>[a-z_.]+)`:\\n\\n```yaml\\n(?<text>.*?)^```$");
  private static final Pattern FENCED = Pattern.compile("(?ms)^ *```(?<language>\\w*)$(?<text>.*?)^ *```$");
  private static final Pattern COMMAND = Pattern
      .compile("(?m)^ *(\\$ |(portcullis|make|curl|openssl|printf|\\./) ?\\S)");
  private static final Pattern EXPECTED = Pattern.compile("(.*\\S)\\s+# (\\d{3}.*)");
  private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");

  /** Programs that are on a bare host only for pages whose commands use them. */
  private static final List<String> PROGRAMS = List.of("curl", "dpkg-deb", "make", "openssl", "python3", "ssh-keygen");

  @TempDir
  private Path folder;

  static Stream<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(Path.of("README.md")));
    try (Stream<Path> docs = Files.walk(DOCS)) {
      docs.filter(page -> page.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages.stream();
  }

  static Stream<Path> pagesWithCommands() throws IOException {
    return pages().filter(page -> {
      try {
        return COMMANDS.matcher(Files.readString(page)).find();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  @ParameterizedTest
  @MethodSource("pagesWithCommands")
  void everyCommandWorksOnABareHost(Path page) throws IOException {
    String text = script(Files.readString(page));
    Release.assumeTool("ip");
    Release.assumeTool("openssl");
    Release.assumeTool("ssh-keygen");
    Release.assumeNamespace("-rmn");
    Path script = Files.writeString(folder.resolve("script"), text);
    List<String> command = new ArrayList<>(List.of("unshare", "-rmn", "bash", HOST.toAbsolutePath().toString(),
        Files.createDirectory(folder.resolve("root")).toString(), Release.FOLDER.toAbsolutePath().toString(),
        Path.of("").toAbsolutePath().toString(), script.toString(), page.equals(INSTALLATION) ? "no" : "yes"));
    for (String program : PROGRAMS) {
      if (Pattern.compile("(^|\\| |\\$\\(|&& )" + program + " ", Pattern.MULTILINE).matcher(text).find()) {
        Release.assumeTool(program);
        command.add(program);
      }
    }
    Release.Outcome outcome = Release.run(Map.of(), command.toArray(String[]::new));
    assertEquals(0, outcome.status(), () -> page + ":\n" + outcome.output());
  }

  private static String script(String page) {
    StringBuilder out = new StringBuilder();
    for (Matcher block = BLOCK.matcher(page); block.find();) {
      if (block.group("file") == null) {
        block.group("commands").lines().forEach(line -> out.append(checked(line)).append('\n'));
      } else {
        out.append("cat >").append(block.group("file")).append(" <<'END_OF_FILE'\n").append(block.group("text"))
            .append("END_OF_FILE\n");
      }
    }
    return out.toString();
  }

  private static String checked(String line) {
    Matcher expected = EXPECTED.matcher(line);
    if (expected.matches()) {
      String wanted = "'" + expected.group(2).replace("'", "'\\''") + "'";
      return "said=$(" + expected.group(1) + "); case $said in " + wanted + "*) ;; *) echo " + quoted(line)
          + " printed \"$said\"; exit 1 ;; esac";
    }
    if (line.matches("portcullis demo")) {
      return line + " >/tmp/log 2>&1 & awaited";
    }
    if (line.endsWith(" &")) {
      return line;
    }
    if (line.startsWith("make ")) {
      return line.replaceFirst("make", "make --dry-run") + " >/dev/null";
    }
    return line + " || { echo " + quoted(line) + " failed; exit 1; }";
  }

  private static String quoted(String line) {
    return "'" + line.replace("'", "'\\''") + "'";
  }

  @Test
  void commandsInBlocksAreRun() throws IOException {
    for (Path page : pages().filter(p -> !p.startsWith(DOCS.resolve("reference"))).toList()) {
      FENCED.matcher(Files.readString(page)).results().filter(block -> block.group("language").isEmpty())
          .map(block -> block.group("text")).forEach(
              text -> assertFalse(COMMAND.matcher(text).find(),
                  () -> page + " has commands that are not run: " + text));
    }
  }

  @Test
  void linksOfPagesLeadSomewhere() throws IOException {
    for (Path page : pages().toList()) {
      String text = Files.readString(page);
      for (Matcher link = LINK.matcher(text); link.find();) {
        assertTrue(Files.exists(page.resolveSibling(link.group(1)).normalize()), page + " links to " + link.group(1));
      }
      Path index = page.startsWith(DOCS.resolve("reference")) ? DOCS.resolve("reference/README.md")
          : Path.of("README.md");
      String named = index.resolveSibling("").relativize(page).toString();
      boolean linked = page.startsWith(DOCS.resolve("decisions")) || page.startsWith(DOCS.resolve("promises"))
          || Files.readString(index).contains(named);
      assertTrue(page.endsWith("README.md") || linked, index + " does not link to " + page);
    }
  }
}
