package portcullis.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;

/** The decision log and its audit chain on a real file system that is full, and then has room again. */
final class FullDiskTest {
  private static final String SCRIPT = """
      mount -t tmpfs -o size=256k none "$1/log" || exit 99
      dd if=/dev/zero of="$1/log/filler" bs=1k count=200 status=none
      open="http://127.0.0.1:$3/open" shut="http://127.0.0.1:$3/shut" status="http://127.0.0.1:$4/status"
      until_so() {
        for _ in $(seq 600); do ! eval "$1" >/dev/null 2>&1 || return 0; sleep 0.1; done
        echo "never so: $1"; curl -s "$status"; tail -n 40 "$1/said"; return 1
      }
      "$2" serve decision -c "$1/config.yaml" --insecure >"$1/said" 2>&1 &
      said="$1/said" log="$1/log/decisions.log"
      until_so 'grep -q "Portcullis started" "$said"'
      curl -s -o /dev/null -w '%{http_code}\\n' "$open/[1-500]" | sort | uniq -c
      until_so 'curl -s "$status" | grep -q "decision log cannot be written: No space left"'
      sed 's/authorizer: never/authorizer: may/' "$1/rules.yaml" >"$1/new" && mv "$1/new" "$1/rules.yaml"
      until_so 'curl -s "$status" | grep -q "audit log cannot be written"'
      curl -s -o /dev/null -w 'full %{http_code}\\n' "$shut/1"
      rm "$1/log/filler"
      until_so '[ "$(curl -s -o /dev/null -w "%{http_code}" "$shut/1")" = 200 ]'
      echo 'room 200'
      until_so 'grep -q "\\"lost\\":" "$log"'
      kill %1
      wait %1
      echo "end $?"
      [ "$(grep -c 'A log cannot be written' "$said")" = 1 ] \\
        && [ "$(grep -c 'Lines of a log were dropped' "$said")" -le 2 ] && echo 'said once' || cat "$said"
      "$2" audit verify --key "$1/audit.pub" "$log"
      echo "verified $?"
      """;

  @TempDir
  private Path folder;

  @Test
  void decisionsGoOnAndChangesOfRulesWaitForRoom() throws IOException {
    Release.assumeTool("curl");
    Release.assumeTool("openssl");
    Release.assumeNamespace("-rm");
    int port = FreePort.next();
    int management = FreePort.next();
    Files.createDirectory(folder.resolve("log"));
    Path key = folder.resolve("audit.pem");
    Release.run(Map.of(), "openssl", "genpkey", "-algorithm", "ed25519", "-out", key.toString());
    Release.run(Map.of(), "openssl", "pkey", "-in", key.toString(), "-pubout", "-out", folder.resolve("audit.pub")
        .toString());
    Files.writeString(folder.resolve("config.yaml"), """
        log: { level: info }
        tracing: { enabled: false }
        metrics: { enabled: false }
        serve: { host: 127.0.0.1, port: %d }
        management: { host: 127.0.0.1, port: %d }
        decision_log: { file: { path: "%s" }, audit: { key: "%s" } }
        mechanisms:
          authenticators: [ { id: anon, type: anonymous } ]
          authorizers: [ { id: may, type: allow }, { id: never, type: deny } ]
        providers: { file_system: { src: "%s", watch: true } }
        """.formatted(port, management, folder.resolve("log/decisions.log"), key, folder.resolve("rules.yaml")));
    Files.writeString(folder.resolve("rules.yaml"), """
        version: 1alpha4
        rules:
          - { id: open, match: { routes: [ { path: /open/** } ] }, execute: [ { authenticator: anon } ] }
          - id: shut
            match: { routes: [ { path: /shut/** } ] }
            execute: [ { authenticator: anon }, { authorizer: never } ]
        """);
    Release.run(Map.of(), "unshare", "-rm", "bash", "-c", SCRIPT, "bash", folder.toString(),
        RunningImage.PROGRAM.toString(), "" + port, "" + management).assertSays("500 200\n").assertSays("full 403\n")
        .assertSays("room 200\n").assertSays("end 0\n").assertSays("said once\n").assertSays("verified 0\n");
  }
}
