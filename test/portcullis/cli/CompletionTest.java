package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.Needs;

class CompletionTest {
  @TempDir
  private Path folder;

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "se|serve",
    "serve ''|proxy decision",
    "serve p|proxy",
    "validate rules --proxy|--proxy-mode",
    "validate rules --output ''|text json",
    "health -o y|yaml",
    "validate rules ''|:files",
    "validate -c|''",
    "serve proxy -c ''|:files",
    "serve proxy --config x --insecure-skip-in|--insecure-skip-ingress-tls-enforcement",
    "schema ''|config rules intents",
    "completion f|fish",
    "help mechanism oauth2|oauth2_introspection oauth2_client_credentials",
    "help val|validate",
    "help validate ''|config rules",
    "nonsense ''|''",
    "he|health help",
  })
  void whatFitsIsOffered(String words, String wanted) {
    String[] all = ("__complete " + words).split(" ");
    for (int i = 0; i < all.length; i++) {
      all[i] = all[i].equals("''") ? "" : all[i];
    }
    CommandResult reported = CommandResult.of(all);
    assertEquals(wanted,
        reported.out().lines().map(line -> line.replaceFirst("\t.*", "")).collect(Collectors.joining(" ")));
    assertEquals(0, reported.status());
  }

  @Test
  void whatIsOfferedIsDescribed() {
    assertEquals("version\tShows the version.\n", CommandResult.of("__complete", "vers").out());
  }

  @ParameterizedTest
  @CsvSource({"bash,bash -n", "zsh,zsh -n", "fish,fish --no-execute"})
  void theShellReadsItsScript(String shell, String check) throws IOException, InterruptedException {
    Path script = Files.writeString(folder.resolve("script"), CommandResult.of("completion", shell).out());
    Needs.program(shell);
    assertEquals("", output((check + " " + script).split(" ")));
  }

  @Test
  void bashOffersWhatTheProgramSaysAndNamesOfFiles() throws IOException, InterruptedException {
    Needs.program("bash");
    Path program = folder.resolve("portcullis");
    Files.writeString(program, "#!/bin/sh\ncase $3 in v*) printf 'validate\\tchecks\\nversion\\n';; *) echo :files;; "
        + "esac\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.writeString(folder.resolve("a file.yaml"), "");
    Path script = Files.writeString(folder.resolve("script"), CommandResult.of("completion", "bash").out());
    String ask = "source " + script + "; COMP_WORDS=('" + program + "' x %s); COMP_CWORD=2; _portcullis; printf "
        + "'<%%s>' \"${COMPREPLY[@]}\"";
    assertEquals("<validate><version>", output("bash", "-c", ask.formatted("v")));
    assertEquals("<" + folder + "/a file.yaml>", output("bash", "-c", ask.formatted("'" + folder + "/a'")));
  }

  private static String output(String... command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
    String reported = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(20, TimeUnit.SECONDS));
    return reported;
  }
}
