package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
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
 * Runs what the documentation says: the blocks marked {@code sh} of a page, in order, on a host of their own, which has
 * the release, its own network and folders to install to. A line that starts a service goes to the background and is
 * waited for; of a line that ends with {@code # 200} or the like that must be printed; a block of YAML under the name
 * of a file is written to it, and {@code https://login.example.com} is an OpenID provider; {@code make} is asked
 * whether it knows the target.
 */
final class DocsTest {
  private static final Path DOCS = Path.of("config/docs");
  private static final Pattern COMMANDS = Pattern.compile("(?m)^```sh$");
  /** Commands, or a file under its name. */
  private static final Pattern BLOCK = Pattern.compile(
      "(?ms)^```sh\\n(?<commands>.*?)^```$|^`(?<file>[a-z_.]+)`:\\n\\n```yaml\\n(?<text>.*?)^```$");
  private static final Pattern EXPECTED = Pattern.compile("(.*\\S)\\s+# (\\d{3}.*)");
  private static final Pattern LINK = Pattern.compile("]\\(([^)#:]+)(#[^)]*)?\\)");

  /**
   * What stands around a page: $1 is the folder of the test, $2 the release, $3 the project, $4 the script of the page.
   */
  private static final String HOST = """
      set -eu
      release=$2 folder=$1/host
      mkdir "$folder"
      mount -t tmpfs none "$folder"
      cp -r /etc "$folder/" 2>/dev/null || true
      for place in /usr/local/bin /etc /opt /var/cache; do
        mkdir -p "$folder$place"
        mount --bind "$folder$place" $place
      done
      ip link set lo up
      mkdir "$folder/bin" "$folder/work"
      cp -r "$release"/. "$3/config" "$3/rules" "$3/Makefile" "$folder/work/"
      mkdir "$folder/work/build" && ln -s "$release" "$folder/work/build/release"
      printf '#!/bin/sh\\n[ "$1" = daemon-reload ] || [ -f "/etc/systemd/system/$3.service" ]\\n' \
      >"$folder/bin/systemctl"
      printf '#!/bin/sh\\n[ "$1" = build ] && [ -f "$3" ]\\n' >"$folder/bin/podman"
      ln -s "$3/build/image/bin/portcullis" "$folder/bin/portcullis"
      chmod 755 "$folder/bin/systemctl" "$folder/bin/podman"
      export PATH="/usr/local/bin:$folder/bin:$PATH" TMPDIR="$folder" PORTCULLIS_HOME="$folder/home"
      awaited() {
        for _ in $(seq 300); do ! grep -q '_service=\\(proxy\\|decision\\)' "$folder/log" || return 0; sleep 0.1; done
        cat "$folder/log"; exit 1
      }
      trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
      if grep -q login.example.com "$4"; then
        mkdir "$folder/openid"
        python3 "$3/test/data/pages/openid.py" "$folder/openid" &
        for _ in $(seq 300); do [ ! -f "$folder/openid/openid-ready" ] || break; sleep 0.1; done
        echo 127.0.0.1 login.example.com >>/etc/hosts
        export SSL_CERT_FILE="$folder/openid/ca.pem" CURL_CA_BUNDLE="$folder/openid/ca.pem"
      fi
      cd "$folder/work"
      if grep -q release-key.pub "$4"; then
        ssh-keygen -q -t ed25519 -N '' -C '' -f "$folder/release-key"
        ssh-keygen -q -Y sign -n portcullis -f "$folder/release-key" SHA256SUMS
        cp "$folder/release-key.pub" .
      fi
      . "$4"
      """;

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
  void everyCommandWorks(Path page) throws IOException {
    Release.assumeTool("ip");
    Release.assumeTool("curl");
    Release.assumeTool("ssh-keygen");
    Release.assumeTool("openssl");
    Release.assumeNamespace("-rmn");
    Path script = Files.writeString(folder.resolve("script"), script(Files.readString(page)));
    String project = Path.of("").toAbsolutePath().toString();
    Release.Outcome outcome = Release.run(Map.of(), "unshare", "-rmn", "bash", "-c", HOST, "bash", folder.toString(),
        Release.FOLDER.toString(), project, script.toString());
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
    if (line.matches("portcullis (demo|serve) ?.*")) {
      return line + " >\"$folder/log\" 2>&1 & awaited";
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
  void linksOfPagesLeadSomewhere() throws IOException {
    for (Path page : pages().toList()) {
      String text = Files.readString(page);
      for (Matcher link = LINK.matcher(text); link.find();) {
        assertTrue(Files.exists(page.resolveSibling(link.group(1)).normalize()), page + " links to " + link.group(1));
      }
      Path index = page.startsWith(DOCS.resolve("reference")) ? DOCS.resolve("reference/README.md")
          : Path.of("README.md");
      String named = index.resolveSibling("").relativize(page).toString();
      boolean linked = page.startsWith(DOCS.resolve("decisions")) || Files.readString(index).contains(named);
      assertTrue(page.endsWith("README.md") || linked, index + " does not link to " + page);
    }
  }
}
