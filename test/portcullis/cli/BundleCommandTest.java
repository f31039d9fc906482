package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.serve.bundle.Bundle;
import portcullis.serve.bundle.SignedBundle;

/** What is signed, and what those who review it see. */
class BundleCommandTest {
  private static final String RULES = """
      version: 1alpha4
      rules:
        - id: shop
          match: { routes: [ { path: /shop } ] }
          execute: [ { authenticator: anon } ]
      """;

  @TempDir
  private Path folder;
  private KeyPair pair;

  @BeforeEach
  void write() throws Exception {
    pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    put("ann.key", "-----BEGIN PRIVATE KEY-----\n" + Base64.getEncoder().encodeToString(pair.getPrivate().getEncoded())
        + "\n-----END PRIVATE KEY-----\n");
    put("ann.pub", "-----BEGIN PUBLIC KEY-----\n" + Base64.getEncoder().encodeToString(pair.getPublic().getEncoded())
        + "\n-----END PUBLIC KEY-----\n");
    put("shop.yaml", RULES);
  }

  private String put(String name, String text) throws Exception {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private String at(String name) {
    return folder.resolve(name).toString();
  }

  private CommandResult sign(String... more) {
    List<String> words = new ArrayList<>(List.of("bundle", "sign", "--key", at("ann.key"), "--counter", "1",
        "--not-after", "2999-01-01T00:00:00Z", "--force", "--out", at("rules.bundle")));
    words.addAll(Arrays.asList(more));
    return CommandResult.of(words.toArray(String[]::new));
  }

  private String bundle(String configuration, String rules) throws Exception {
    Instant now = Instant.now();
    return put("made.bundle", SignedBundle.of(new Bundle(1, now, now.plus(Duration.ofDays(1)), Optional.empty(),
        Optional.of(configuration), Optional.empty(), new LinkedHashMap<>(Map.of("a.yaml", rules)))).text());
  }

  private void assertRefused(CommandResult result, String message) {
    assertEquals(1, result.status(), result.err());
    assertTrue(result.err().contains(message), result.err());
    assertFalse(Files.exists(folder.resolve("rules.bundle")), "something was signed");
  }

  @Test
  void theFilesThatAreTakenAreNamed() throws Exception {
    Path rules = Files.createDirectory(folder.resolve("rules"));
    for (String name : List.of("a.yaml", "a_test.yaml", "b.json", ".hidden.yaml", "c.yaml.bak", "x.schema.json")) {
      Files.writeString(rules.resolve(name), RULES);
    }
    CommandResult result = sign(rules.toString());
    assertEquals(0, result.status(), result.err());
    assertEquals("Rule set " + rules.resolve("a.yaml") + "\nRule set " + rules.resolve("b.json")
        + "\nBundle 1 has 1 signature\n", result.err());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      users.yml      | users: [ { id: ann, password_hash: x } ]     | users.yml:1:1: unknown key `users`
      keys.yaml      | keys: []                                     | keys.yaml:1:1: `version` is missing
      x.json         | [ 1 ]                                        | x.json:1:1:
      text.yaml      | just text                                    | text.yaml:1:1:
      broken.yaml    | rules: [                                     | broken.yaml:1:
      empty.yaml     | # nothing                                    | empty.yaml:1:1: the file is empty
      shop_test.yaml | cases: []                                    | shop_test.yaml:1:1: these are test cases
      config.yaml    | mechanisms: {}                               | is a configuration, not a rule set
      """)
  void onlyRuleSetsAreSigned(String name, String text, String message) throws Exception {
    assertRefused(sign(at("shop.yaml"), put(name, text + "\n")), message);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      match:   | macht: {}\\n    match: | shop.yaml:4:5: rules[0]: unknown key `macht`
      /shop    | shop                   | shop.yaml:4:
      1alpha4  | 1alpha9                | shop.yaml:1:10: version: unsupported rule set version
      """)
  void rulesThatNoHostWouldReadAreNotSigned(String old, String now, String message) throws Exception {
    assertRefused(sign(put("shop.yaml", RULES.replace(old, now.replace("\\n", "\n")))), message);
  }

  @Test
  void valuesOfVariablesAreLeftToTheHost() throws Exception {
    String text = RULES.replace("id: shop", "id: shop\n    revalidate: ${INTERVAL}");
    assertEquals(0, sign(put("shop.yaml", text)).status());
    assertRefused(delete(sign(put("shop.yaml", text.replace("${INTERVAL}", "often")))), "shop.yaml:4:");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      id: shop          | id: shop\\n    unknwon: x # ${y}   | shop.yaml:4:5: rules[0]: unknown key `unknwon`
      id: shop          | id: shop\\n    revalidate: x # ${y} | shop.yaml:4:17:
      execute: [        | execute: ] # ${X}                   | shop.yaml:5:
      1alpha4           | ${VERSION}                          | shop.yaml:1:10: version: unsupported
      id: shop          | id: shop\\n    ${KEY}: x            | shop.yaml:4:5: rules[0]: unknown key
      """)
  void variablesHideNoOtherErrors(String old, String now, String message) throws Exception {
    assertRefused(sign(put("shop.yaml", RULES.replace(old, now.replace("\\n", "\n")))), message);
  }

  @Test
  void ruleSetsOfBundlesAreCheckedAndListedForEachSigner() throws Exception {
    CommandResult result = CommandResult.of("bundle", "sign", "--key", at("ann.key"), bundle("", RULES));
    assertEquals(0, result.status(), result.err());
    assertEquals("Rule set made.bundle!a.yaml\nBundle 1 has 1 signature\n", result.err());
    String bad = bundle("", RULES.replace("match:", "macht:"));
    String before = Files.readString(Path.of(bad));
    result = CommandResult.of("bundle", "sign", "--key", at("ann.key"), bad);
    assertEquals(1, result.status(), result.err());
    assertTrue(result.err().contains("made.bundle!a.yaml:4:5: rules[0]: unknown key `macht`"), result.err());
    assertEquals(before, Files.readString(Path.of(bad)));
  }

  private CommandResult delete(CommandResult result) throws Exception {
    if (result.status() != 0) {
      Files.deleteIfExists(folder.resolve("rules.bundle"));
    }
    return result;
  }

  @ParameterizedTest
  @ValueSource(strings = {"\r", "\u0085", "\u2028", "\u202e", "\u2066", "\u200f", "\u009b", "\u200b", "\u200d",
    "\u2060",
    "\ufeff", "\u00ad", "\udb40\udc41"})
  void rulesThatWouldBeShownAsOtherTextAreNotSigned(String hidden) throws Exception {
    CommandResult result = sign(put("shop.yaml", RULES.replace("id: shop", "id: shop # " + hidden + "# x")));
    assertEquals(1, result.status(), result.err());
    assertTrue(result.err().contains(":3:") && result.err().contains("shop.yaml"), result.err());
    assertFalse(Files.exists(folder.resolve("rules.bundle")));
    result = CommandResult.of("bundle", "sign", "--key", at("ann.key"), bundle("", RULES + "# " + hidden + "# x"));
    assertTrue(result.status() == 1 && result.err().contains("made.bundle!a.yaml:6:3: the control or format"
        + " character U+%04X ".formatted(hidden.codePointAt(0))),
        result.err());
  }

  @Test
  void rulesWithLineEndsOfOtherSystemsAreSigned() throws Exception {
    assertEquals(0, sign(put("shop.yaml", "\ufeff" + RULES.replace("\n", "\r\n"))).status());
  }

  @Test
  void nothingInABundleChangesHowItIsShown() throws Exception {
    String shown = CommandResult.of("bundle", "show", "--rules", bundle("sha\u001b[2K\nsha\u202e", RULES
        + "# a\rb\u001b[1A\u0085\u2028\u202e\u2066\u200f\tc")).out();
    assertTrue(shown.contains("configuration    sha\\u001b[2K\\u000asha\\u202e\n"), shown);
    assertTrue(shown.contains("- id: shop\n"), shown);
    assertTrue(shown.endsWith("# a\\u000db\\u001b[1A\\u0085\\u2028\\u202e\\u2066\\u200f\tc\n"), shown);
  }

  @ParameterizedTest
  @ValueSource(strings = {"show", "verify", "sign"})
  void filesThatAreNotTextAreNamed(String command) throws Exception {
    Path file = Files.write(folder.resolve("x.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe});
    CommandResult result = command.equals("sign") ? sign(file.toString())
        : CommandResult.of(command.equals("show") ? new String[] {"bundle", "show", file.toString()}
            : new String[] {"bundle", "verify", "--key", at("ann.pub"), file.toString()});
    assertEquals(1, result.status());
    assertTrue(result.err().endsWith("`" + file + "`: it is not UTF-8 text\n"), result.err());
  }

  @Test
  void ruleFilesThatAreNotTextAreNamed() throws Exception {
    Path file = Files.write(folder.resolve("x.yaml"), (RULES + "# \u00ff").getBytes(StandardCharsets.ISO_8859_1));
    assertRefused(sign(at("shop.yaml"), file.toString()), "`" + file + "`: it is not UTF-8 text");
  }

  @Test
  @Timeout(60)
  void aPipeIsNotReplaced() throws Exception {
    assertEquals(0, new ProcessBuilder("mkfifo", at("rules.bundle")).start().waitFor());
    CommandResult result = sign(at("shop.yaml"));
    assertEquals(1, result.status());
    assertTrue(result.err().contains("rules.bundle`: it is not a regular file"), result.err());
    assertFalse(Files.isRegularFile(folder.resolve("rules.bundle")));
  }
}
