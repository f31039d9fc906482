package portcullis.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;

/** Two processes with one decision log, or one file of locks, would overwrite each other's lines. */
final class SecondWriterTest {
  private static final String SCRIPT = """
      begin() {
        : >"$1/said"
        "$2" serve decision -c "$1/one.yaml" --insecure >"$1/said" 2>&1 &
        one=$!
        for _ in $(seq 600); do ! grep -q "Portcullis started" "$1/said" || return 0; sleep 0.1; done
        cat "$1/said"
      }
      begin "$@"
      kill $one
      wait $one
      begin "$@"
      timeout 60 "$2" serve decision -c "$1/other.yaml" --insecure 2>&1 | grep -c "$3"
      kill $one
      wait $one
      echo "end $?"
      """;

  @TempDir
  private Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anotherProcessDoesNotStartAlsoAfterARestart(boolean chained) throws IOException {
    Release.assumeTool("openssl");
    Path key = folder.resolve("audit.pem");
    Release.run(Map.of(), "openssl", "genpkey", "-algorithm", "ed25519", "-out", key.toString());
    for (String name : new String[] {"one", "other"}) {
      Files.writeString(folder.resolve(name + ".yaml"), """
          log: { level: info }
          tracing: { enabled: false }
          metrics: { enabled: false }
          serve: { host: 127.0.0.1, port: %d }
          management: { host: 127.0.0.1, port: %d }
          decision_log: { file: { path: "%s" }%s }
          """.formatted(FreePort.next(), FreePort.next(), folder.resolve("decisions.log"),
          chained ? ", audit: { key: \"" + key + "\" }" : ""));
    }
    Release.run(Map.of(), "bash", "-c", SCRIPT, "bash", folder.toString(), RunningImage.PROGRAM.toString(),
        "another process writes it").assertSays("1\n").assertSays("end 0\n");
  }

  @Test
  void anotherProcessWithTheSameLocksDoesNotStart() throws IOException {
    for (String name : new String[] {"one", "other"}) {
      Files.writeString(folder.resolve(name + ".yaml"), """
          log: { level: info }
          metrics: { enabled: false }
          serve: { host: 127.0.0.1, port: %d }
          management: { host: 127.0.0.1, port: %d, locks: { state_file: "%s" } }
          """.formatted(FreePort.next(), FreePort.next(), folder.resolve("locks")));
    }
    Release.run(Map.of(), "bash", "-c", SCRIPT, "bash", folder.toString(), RunningImage.PROGRAM.toString(),
        "^portcullis: .*another process keeps its locks there").assertSays("1\n").assertSays("end 0\n");
  }
}
