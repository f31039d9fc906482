package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Ed25519Files;

/** What {@code validate} says of the files that a configuration names: keys, logs, states. */
class ConfiguredFilesTest {
  private static final String SERVICES = "serve: { host: 127.0.0.1 }\n";
  private static final String OWN = ", name a file of its own, as it is written";
  private static final String PURPOSE = ", make a key of its own for each purpose";

  @TempDir
  private Path folder;

  @BeforeEach
  void files() throws IOException, GeneralSecurityException {
    Ed25519Files.write(folder, "audit");
    for (String name : List.of("lock", "hash", "seal", "debug")) {
      Files.writeString(folder.resolve(name + ".key"), HexFormat.of().toHexDigits(name.hashCode()).repeat(8) + "\n");
    }
    Files.createDirectory(folder.resolve("rules"));
  }

  /** Returns what is wrong with a configuration whose files in the folder have the prefix `@`, by line. */
  private List<String> errors(String text) throws IOException {
    return problems(text).stream().filter(line -> !line.contains(": warning: ")).toList();
  }

  private List<String> problems(String text) throws IOException {
    Path file = Files.writeString(folder.resolve("c.yaml"), SERVICES + text.replace("@", folder + "/"));
    String said = CommandResult.of("validate", "config", "--insecure", "-c", file.toString()).err();
    return said.lines().filter(line -> line.startsWith(file + ":"))
        .map(line -> line.replace(folder + "/", "")).toList();
  }

  @Test
  void filesThatAreWrittenHaveNoOtherPurpose() throws IOException {
    Files.createSymbolicLink(folder.resolve("link"), Files.createFile(folder.resolve("audit.log")));
    Files.createLink(folder.resolve("hard"), folder.resolve("lock.key"));
    String log = "decision_log: { file: { path: '@audit.log' }, audit: { key: '@audit.pem'%s } }\n";
    String locks = "management: { host: 127.0.0.1, locks: { key_file: '@lock.key', state_file: '%s' } }\n";
    assertEquals(List.of(), errors(log.formatted(", anchor: { file: '@anchor.log' }") + locks.formatted("@locks")));
    assertEquals(List.of("c.yaml:2:80: management.locks.state_file: this file is that of `management.locks.key_file` "
        + "(c.yaml:2:34) too" + OWN).toString().replaceAll(":\\d+:\\d+", ":L"),
        errors(locks.formatted("@lock.key")).toString().replaceAll(":\\d+:\\d+", ":L"));
    for (String state : List.of("@audit.log", "@rules/../audit.log", "@link", "@audit.pem", "@hard", "@c.yaml")) {
      List<String> found = errors(log.formatted("") + locks.formatted(state));
      assertEquals(1, found.size(), state + found);
      assertTrue(found.getFirst().startsWith("c.yaml:3:") && found.getFirst().endsWith(OWN)
          && found.getFirst().contains(state.equals("@c.yaml") ? "this file is the configuration" : "(c.yaml:"),
          found.getFirst());
    }
    assertEquals(1, errors(log.formatted(", anchor: { file: '@audit.log' }")).size());
  }

  @Test
  void filesThatAreWrittenAreNotRules() throws IOException {
    String rules = "providers: { file_system: { src: '@rules' } }\n";
    String log = "decision_log: { file: { path: '@%s' } }\n";
    List<String> found = errors(rules + log.formatted("rules/decisions.log"));
    assertEquals(1, found.size(), found::toString);
    assertTrue(found.getFirst().contains("is in the folder of rules `providers.file_system.src` (c.yaml:2:"),
        found.getFirst());
    assertEquals(List.of(), errors(rules + log.formatted("rules/.decisions")));
    assertEquals(List.of(), errors(rules + log.formatted("decisions.log")));
  }

  @Test
  void devicesAreRefused() throws IOException {
    List<String> found = errors("decision_log: { file: { path: /dev/null }, "
        + "audit: { key: '@audit.pem', anchor: { file: /dev/null } } }\n");
    assertEquals(2, found.stream().filter(line -> line.endsWith("`/dev/null` is not a regular file, name one")).count(),
        found::toString);
  }

  @Test
  void linksToNothingAreNoFiles() throws IOException {
    String log = "decision_log: { file: { path: '@audit.log' }, "
        + "audit: { key: '@audit.pem', anchor: { file: '@a' } } }\n";
    for (String name : List.of("audit.log", "a")) {
      Files.createSymbolicLink(folder.resolve(name), folder.resolve("of-" + name));
    }
    List<String> found = problems(log);
    assertEquals(2,
        found.stream()
            .filter(line -> line.contains("it is a link to a file that does not exist, create that file, or name it"))
            .count(),
        found::toString);
    Files.createFile(folder.resolve("of-audit.log"));
    Files.createFile(folder.resolve("of-a"));
    assertEquals(List.of(), problems(log));
  }

  @Test
  void aKeyHasOnePurpose() throws IOException {
    String keys = "decision_log: { otlp: true, hash_key: '@%s', seal_key: '@%s' }\n"
        + "management: { host: 127.0.0.1, locks: { key_file: '@%s' }, debug: { key_file: '@%s' } }\n";
    assertEquals(List.of(), errors(keys.formatted("hash.key", "seal.key", "lock.key", "debug.key")));
    List<String> found = errors(keys.formatted("hash.key", "hash.key", "lock.key", "debug.key"));
    assertEquals(1, found.size(), found::toString);
    assertTrue(
        found.getFirst().contains(" decision_log.seal_key: this key is that of `decision_log.hash_key` (c.yaml:2:")
            && found.getFirst().endsWith(") too" + PURPOSE),
        found.getFirst());
    Files.writeString(folder.resolve("copy.key"), Files.readString(folder.resolve("lock.key")).toUpperCase() + "\n");
    found = errors(keys.formatted("hash.key", "seal.key", "lock.key", "copy.key"));
    assertEquals(1, found.size(), found::toString);
    assertTrue(found.getFirst().contains("management.debug.key_file: this key is that of `management.locks.key_file` "),
        found.getFirst());
  }

  @Test
  void severalMechanismsMayHaveOneKey() throws IOException {
    String one = "    - { id: %s, type: jwt, config: { jwks_endpoint: { url: 'https://a.example' }, assertions: "
        + "{ issuers: [ a ], proof_of_possession: { type: dpop, config: { nonce_required: true, "
        + "nonce_key: '@hash.key' } } } } }\n";
    String both = "mechanisms:\n  authenticators:\n" + one.formatted("a") + one.formatted("b");
    assertEquals(List.of(), errors(both));
    List<String> found = errors(both + "decision_log: { otlp: true, seal_key: '@hash.key' }\n");
    assertEquals(1, found.size(), found::toString);
  }

  @Test
  void theKeyOfTheAuditChainIsGuardedAndAlone() throws IOException, GeneralSecurityException {
    String log = "decision_log: { file: { path: '@audit.log' }, audit: { key: '@audit.pem' } }\n";
    assertEquals(List.of(), errors(log));
    Path key = folder.resolve("audit.pem");
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-rw-rw-"));
    assertEquals(1, errors(log).size());
    assertTrue(errors(log).getFirst().endsWith("everybody may write it, as `chmod 600` prevents"),
        errors(log)::toString);
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    Ed25519Files.write(folder, "second");
    Files.writeString(key, Files.readString(key) + Files.readString(folder.resolve("second.pem")));
    assertTrue(errors(log).getFirst().endsWith("key store `audit.pem`: it has 2 keys, and one signs: leave that one"),
        errors(log)::toString);
    Files.writeString(key, "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIGb\n-----END ENCRYPTED PRIVATE KEY-----\n");
    assertTrue(
        errors(log).getFirst().endsWith("key store `audit.pem`: the key is encrypted, which is not supported here: "
            + "`openssl pkey -in audit.pem -out plain.pem` decrypts it"),
        errors(log)::toString);
  }

  @Test
  void keysInsteadOfTheirFilesAreNotShown() throws IOException {
    String hex = "0123456789abcdef".repeat(4);
    String base64 = "q83vASNFZ4/rze8BI0VniavN7wEjRWeJq83vASNFZ4k=";
    String pem = Files.readString(folder.resolve("audit.pem")).replace("\n", "\\n");
    Path log = Files.writeString(folder.resolve("decisions.log"), "");
    Path rules = Files.writeString(folder.resolve("r.yaml"), "version: \"1alpha4\"\nrules: []\n");
    for (String key : List.of(hex, base64, pem)) {
      Path file = Files.writeString(folder.resolve("c.yaml"), """
          serve: { host: 127.0.0.1, tls: { key_store: { path: "KEY" } } }
          decision_log: { file: { path: '@log' }, hash_key: "KEY", seal_key: "KEY", audit: { key: "KEY" } }
          management: { host: 127.0.0.1, locks: { key_file: "KEY" }, debug: { key_file: "KEY" } }
          """.replace("@log", log.toString()).replace("KEY", key));
      String c = file.toString();
      String given = key.replace("\\n", "\n");
      String secret = key.equals(pem) ? given.lines().skip(1).findFirst().orElseThrow() : key;
      for (List<String> words : List.of(List.of("validate", "config", "--insecure", "-c", c),
          List.of("replay", "--insecure", "-c", c, "--key", given, log.toString()),
          List.of("lock", "--endpoint", "http://127.0.0.1:1", "--subject", "a", "--reason", "b", "--key", given),
          List.of("debug-token", "--rule", "r", "--key", given),
          List.of("bundle", "sign", "--key", given, "--counter", "1", "--not-after", "2046-01-31T00:00:00Z", "--out",
              folder.resolve("b").toString(), rules.toString()),
          List.of("bundle", "verify", "--key", given, rules.toString()),
          List.of("audit", "verify", "--key", given, log.toString()))) {
        CommandResult said = CommandResult.of(words.toArray(String[]::new));
        assertTrue(said.status() != 0, words + said.err());
        assertTrue(!said.err().contains(secret.substring(0, 9)) && !said.err().contains(secret.substring(20, 32)),
            words + said.err());
        assertTrue(said.err().contains("a key seems to be in the place of the path of its file"), words + said.err());
      }
    }
  }

  @Test
  void foldersOfFilesThatAreWrittenAreRequired() throws IOException {
    String all = "decision_log: { file: { path: '@%1$s/a' }, "
        + "audit: { key: '@audit.pem', anchor: { file: '@%1$s/b' } } }\n"
        + "management: { host: 127.0.0.1, locks: { state_file: '@%1$s/c' } }\n";
    String missing = ": there is no folder `";
    assertEquals(List.of(), problems(all.formatted(".")).stream().filter(line -> line.contains(missing)).toList());
    List<String> found = problems(all.formatted("none")).stream().filter(line -> line.contains(missing)).toList();
    assertEquals(3, found.size(), found::toString);
    assertTrue(found.stream().allMatch(line -> line.contains(": warning: ")), "another host may have it: " + found);
  }

  @Test
  void whatStopsTheStartIsAnError() throws IOException {
    String log = "decision_log: { file: { path: '@%s' }, audit: { key: '@audit.pem', anchor: { file: '@%s' } } }\n";
    assertEquals(List.of(), problems(log.formatted("log", "anchor")));
    assertFalse(Files.exists(folder.resolve("log")) || Files.exists(folder.resolve("anchor")), "nothing is created");
    assertEquals(2, errors(log.formatted("rules", ".")).stream()
        .filter(line -> line.contains("` is a folder, name a file in it")).count());
    String locks = "management: { host: 127.0.0.1, locks: { state_file: '%s' } }\n";
    assertEquals(List.of(), problems(locks.formatted("@locks")));
    String foreign = "cannot be used: it is not a file of locks, and stays as it is; name one that may be written anew";
    for (String[] one : new String[][] {{"@rules", "is a folder, name a file in it"}, {"@debug.key", foreign},
      {"@audit.pem", foreign}, {"/dev/null", "cannot be used: it is not a regular file"}}) {
      List<String> found = errors(locks.formatted(one[0]));
      assertEquals(1, found.size(), one[0] + found);
      assertTrue(found.getFirst().startsWith("c.yaml:2:") && found.getFirst().endsWith(one[1]), found.getFirst());
    }
    Files.writeString(folder.resolve("locks"), "{\"removed\":\"0123456789abcdef\"}\n{\"rem");
    assertTrue(errors(locks.formatted("@locks")).getFirst().contains("line 2 is cut off"));
    Files.writeString(folder.resolve("locks"), "{\"removed\":\"0123456789abcdef\"}\n");
    assertEquals(List.of(), problems(locks.formatted("@locks")));
    assertEquals("{\"removed\":\"0123456789abcdef\"}\n", Files.readString(folder.resolve("locks")), "unchanged");
  }

  @Test
  void pathsOfKeysAreNotEmpty() throws IOException {
    String log = "decision_log: { file: { path: '@audit.log' }, %s }\n";
    for (String empty : List.of("hash_key: ''", "seal_key: ' '", "hash_key: ${PORTCULLIS_NO_SUCH_FILE}",
        "seal_key: '/etc/${PORTCULLIS_NO_SUCH_FILE}.key'", "audit: { key: '' }", "hash_key:")) {
      List<String> found = errors(log.formatted(empty));
      assertEquals(1, found.size(), empty + found);
      assertTrue(found.getFirst().contains("decision_log.") && !found.getFirst().contains(":-}"), found.getFirst());
      assertTrue(found.getFirst().endsWith(empty.contains("$")
          ? ": environment variable PORTCULLIS_NO_SUCH_FILE is not set, give it a value, or write "
              + "${PORTCULLIS_NO_SUCH_FILE:-…} with a default"
          : empty.endsWith(":") ? ": this is nothing, a string is needed" : ": must not be empty"), found.getFirst());
    }
    assertEquals(1, errors("decision_log: { file: { path: '' } }\n").size());
  }

  @Test
  void aRefusalThatPassesIsAWarning() throws IOException {
    String text = "serve: { host: 127.0.0.1, respond: { with: { %s: { code: %s } } } }\n"
        + "mechanisms: { error_handlers: [ { id: a, type: generic, config: { code: %s } } ] }\n";
    Path file = folder.resolve("r.yaml");
    String warning = "code: with the status 204 a refused request passes where a proxy asks the decision service";
    for (String[] one : new String[][] {{"authentication_error", "204", "401", "r.yaml:1:"},
      {"no_rule_error", "404", "204", "r.yaml:2:"}, {"accepted", "204", "403", ""}}) {
      Files.writeString(file, text.formatted((Object[]) one));
      for (String[] words : new String[][] {{"validate", "config"}, {"analyze"}}) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--insecure", "-c", file.toString()));
        CommandResult said = CommandResult.of(all.toArray(String[]::new));
        assertEquals(0, said.status(), said.err());
        assertEquals(!one[3].isEmpty(), said.err().contains(warning) && said.err().contains(one[3]), said.err());
      }
    }
    for (String name : List.of("accepted", "internal_error")) {
      Files.writeString(file, text.formatted(name, "199", "401"));
      CommandResult said = CommandResult.of("validate", "config", "--insecure", "-c", file.toString());
      assertEquals(1, said.status());
      assertTrue(said.err().contains("code: `199` is out of range, 200 to 599 is right"), said.err());
    }
  }

  @Test
  void anEmptyFileOfRedisCredentialsIsAnError() throws IOException {
    String cache = "cache: { type: redis, config: { address: 'a:1', tls: { min_version: TLS1.2 }, "
        + "secret: 0123456789abcdef, credentials: { path: '@login.yaml' } } }\n";
    Files.writeString(folder.resolve("login.yaml"), "password: secret\n");
    assertEquals(List.of(), errors(cache));
    for (String empty : List.of("", " \n", "# password: x\n", "---\n", "{}\n", "password: ''\n", "null\n", "[]\n")) {
      Files.writeString(folder.resolve("login.yaml"), empty);
      List<String> found = errors(cache);
      assertEquals(1, found.size(), empty + found);
      assertTrue(found.getFirst().contains("cache.config.credentials.path: "), found.getFirst());
    }
  }
}
