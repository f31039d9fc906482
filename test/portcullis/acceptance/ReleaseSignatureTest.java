package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;

/** The signature of SHA256SUMS and the provenance that come with a release. */
final class ReleaseSignatureTest {
  @TempDir
  private Path folder;
  private Path sums;

  @BeforeEach
  void prepare() throws IOException {
    sums = Files.copy(Release.FOLDER.resolve("SHA256SUMS"), folder.resolve("SHA256SUMS"));
  }

  private void key(String name) throws IOException {
    Release.run(Map.of(), "ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "", "-f",
        folder.resolve(name).toString()).assertStatus(0);
  }

  /** Signs the sums as the build does. */
  private Release.Outcome sign(String key) throws IOException {
    String script = "set -euo pipefail; say() { echo \"$*\" >&2; }; die() { say \"$@\"; exit 1; }; VERSION=0; "
        + ". jlink/release.sh; sign \"$1\"";
    return Release.run(Map.of("PORTCULLIS_SIGNING_KEY", key), "bash", "-c", script, "bash", folder.toString());
  }

  private Release.Outcome verify(String key) throws IOException {
    Files.writeString(folder.resolve("signers"),
        "release@example.org " + Files.readString(folder.resolve(key + ".pub")));
    String script = "ssh-keygen -Y verify -f signers -I release@example.org -n portcullis "
        + "-s SHA256SUMS.sig <SHA256SUMS";
    return Release.run(Map.of(), "sh", "-c", "cd \"$1\" && " + script, "sh", folder.toString());
  }

  @Test
  void signatureOfTheSumsVerifies() throws IOException {
    Release.assumeTool("ssh-keygen");
    key("release");
    sign(folder.resolve("release").toString()).assertStatus(0);
    verify("release").assertStatus(0).assertSays("Good \"portcullis\" signature");
  }

  @Test
  void changedSumsOrAnotherKeyDoNotVerify() throws IOException {
    Release.assumeTool("ssh-keygen");
    key("release");
    key("other");
    sign(folder.resolve("release").toString()).assertStatus(0);
    assertFalse(verify("other").status() == 0, "another key verifies");
    Files.writeString(sums, Files.readString(sums).replaceFirst("^.", "x"));
    assertFalse(verify("release").status() == 0, "changed sums verify");
  }

  @Test
  void missingKeyFileFailsAndNoKeyLeavesItUnsigned() throws IOException {
    sign(folder.resolve("missing").toString()).assertStatus(1).assertSays("PORTCULLIS_SIGNING_KEY names no file");
    sign("").assertStatus(0).assertSays("is not signed");
    assertFalse(Files.exists(folder.resolve("SHA256SUMS.sig")));
  }

  @Test
  void provenanceNamesEachFileAndDependency() throws Exception {
    Value.Dict statement = (Value.Dict) Json.read(Files.readString(Release.file("\\.intoto\\.json")));
    assertEquals(Value.of("https://in-toto.io/Statement/v1"), statement.get("_type").orElseThrow());
    assertEquals(Value.of("https://slsa.dev/provenance/v1"), statement.get("predicateType").orElseThrow());
    Map<String, String> listed = new TreeMap<>();
    for (String line : Files.readAllLines(sums)) {
      listed.put(line.substring(66), line.substring(0, 64));
    }
    String name = Release.file("\\.intoto\\.json").getFileName().toString();
    assertTrue(listed.containsKey(name), "SHA256SUMS has no " + name);
    listed.remove(name);
    assertEquals(listed, digests(statement.get("subject").orElseThrow()));
    Value.Dict predicate = (Value.Dict) statement.get("predicate").orElseThrow();
    Value.Dict definition = (Value.Dict) predicate.get("buildDefinition").orElseThrow();
    Map<String, String> used = digests(definition.get("resolvedDependencies").orElseThrow());
    String machine = System.getProperty("os.arch").equals("aarch64") ? "-linux-aarch_64.jar" : "-linux-x86_64.jar";
    for (String line : Files.readAllLines(Path.of("jlink/dependencies.lock"))) {
      boolean other = line.contains("-linux-") && !line.endsWith(machine);
      assertEquals(other ? null : line.substring(0, 64), used.get(line.substring(66)));
    }
    String linked = definition.get("internalParameters").orElseThrow().toString();
    assertTrue(linked.matches(".*gcc \\d+.*, glibc 2\\.\\d+, zstd 1\\..*|.*no compiler.*"), linked);
    assertTrue(used.containsKey("source") && used.containsKey("JDK lib/modules"), used.toString());
  }

  /** Returns the digest of each, by name. */
  private static Map<String, String> digests(Value list) {
    Map<String, String> out = new TreeMap<>();
    for (Value one : ((Value.Array) list).items()) {
      Value.Dict entry = (Value.Dict) one;
      List<Value> digest = List.copyOf(((Value.Dict) entry.get("digest").orElseThrow()).members().values());
      out.put(string(entry.get("name").orElseThrow()), string(digest.getFirst()));
    }
    return out;
  }

  private static String string(Value value) {
    return ((Value.Str) value).value();
  }
}
