package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Signed bundles from the command line to the rules that are checked, on the built image. */
final class BundleTest {
  private static final String PROGRAM = Path.of("build/image/bin/portcullis").toAbsolutePath().toString();

  @TempDir
  private Path folder;

  @BeforeEach
  void write() throws Exception {
    for (String name : List.of("ann", "bob")) {
      KeyPair pair = KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
      put(name + ".key", pem("PRIVATE KEY", pair.getPrivate().getEncoded()));
      put(name + ".pub", pem("PUBLIC KEY", pair.getPublic().getEncoded()));
    }
    put("shop.yaml", """
        version: 1alpha4
        rules:
          - id: shop
            match: { routes: [ { path: /shop } ] }
            execute: [ { authenticator: anon } ]
        """);
    put("config.yaml", """
        mechanisms:
          authenticators: [ { id: anon, type: anonymous } ]
        providers:
          file_system:
            src: %s
            require_signature: { keys: [ %s, %s ], threshold: 2, state: %s }
        """.formatted(at("rules.bundle"), at("ann.pub"), at("bob.pub"), at("state")));
  }

  private static String pem(String label, byte[] der) {
    return "-----BEGIN " + label + "-----\n" + Base64.getEncoder().encodeToString(der) + "\n-----END " + label
        + "-----\n";
  }

  private void put(String name, String content) throws IOException {
    Files.writeString(folder.resolve(name), content);
  }

  private String at(String name) {
    return folder.resolve(name).toString();
  }

  private static Release.Outcome run(String... words) throws IOException {
    List<String> command = new ArrayList<>(List.of(PROGRAM));
    command.addAll(Arrays.asList(words));
    return Release.run(Map.of(), command.toArray(String[]::new));
  }

  private Release.Outcome validate() throws IOException {
    return run("validate", "config", "--insecure", "-c", at("config.yaml"));
  }

  @Test
  void bundleOfTwoKeysIsAppliedAndOneOfAKeyIsRefused() throws IOException {
    run("bundle", "sign", "--key", at("ann.key"), "--counter", "1", "--not-after", "2999-01-01T00:00:00Z", "--out",
        at("rules.bundle"), at("shop.yaml")).assertStatus(0);
    validate().assertStatus(1)
        .assertSays("too few signatures: 1 of the configured keys have signed it, 2 are required");
    run("bundle", "sign", "--key", at("bob.key"), at("rules.bundle")).assertStatus(0).assertSays("has 2 signatures");
    validate().assertStatus(0).assertSays("Configuration is valid");
    run("validate", "rules", "--insecure", "-c", at("config.yaml"), at("rules.bundle")).assertStatus(0);
    run("bundle", "show", "--rules", at("rules.bundle")).assertStatus(0)
        .assertSays("rule set         shop.yaml, 5 lines")
        .assertSays("- id: shop");
    assertTrue(!Files.exists(folder.resolve("state")), "a dry run has written the state");
  }

  @Test
  void signTakesNothingElseForRules() throws IOException {
    run("bundle", "sign", "--key", at("ann.key"), "--counter", "1", "--not-after", "2999-01-01T00:00:00Z", "--out",
        at("rules.bundle"), at("shop.yaml"), at("config.yaml")).assertStatus(1)
        .assertSays("config.yaml` is a configuration, not a rule set: name the files of the rules");
    put("broken.yaml", "rules: [");
    run("bundle", "sign", "--key", at("ann.key"), "--counter", "1", "--not-after", "2999-01-01T00:00:00Z", "--out",
        at("rules.bundle"), at("broken.yaml")).assertStatus(1).assertSays("broken.yaml:1:");
    assertTrue(!Files.exists(folder.resolve("rules.bundle")), "it was signed");
  }

  @Test
  void signReplacesNoFileUnlessForced() throws IOException {
    put("rules.bundle", "something else");
    String[] sign = {"bundle", "sign", "--key", at("ann.key"), "--counter", "1", "--not-after", "2999-01-01T00:00:00Z",
      "--out", at("rules.bundle"), at("shop.yaml")};
    run(sign).assertStatus(1).assertSays("exists: name another file by `--out`, or replace it by `--force`");
    assertTrue(Files.readString(folder.resolve("rules.bundle")).equals("something else"), "the file was replaced");
    sign[sign.length - 1] = "--force";
    List<String> forced = new ArrayList<>(Arrays.asList(sign));
    forced.add(at("shop.yaml"));
    run(forced.toArray(String[]::new)).assertStatus(0);
    run("bundle", "sign", "--key", at("bob.key"), "--out", at("rules.bundle"), at("rules.bundle")).assertStatus(0);
    run("bundle", "sign", "--key", at("bob.key"), "--out", at("ann.pub"), at("rules.bundle")).assertStatus(1);
  }

  @Test
  void verifyTellsAGoodBundleFromAChangedOne() throws IOException {
    run("bundle", "sign", "--key", at("ann.key"), "--key", at("bob.key"), "--counter", "1", "--not-after",
        "2999-01-01T00:00:00Z", "--out", at("rules.bundle"), at("shop.yaml")).assertStatus(0);
    String[] verify = {"bundle", "verify", "--key", at("ann.pub"), "--key", at("bob.pub"), "--threshold", "2",
      at("rules.bundle")};
    run(verify).assertStatus(0).assertSays("Bundle is valid");
    String good = Files.readString(folder.resolve("rules.bundle"));
    put("rules.bundle", good.replace("\"payload\":\"e", "\"payload\":\"f"));
    run(verify).assertStatus(1);
    Release.Outcome refused = validate();
    refused.assertStatus(1).assertSays("the bundle is refused");
    assertTrue(!refused.output().contains("payload"), refused.output());
  }

  @Test
  void verifyRefusesABundleForANewerProgram() throws IOException {
    run("bundle", "sign", "--key", at("ann.key"), "--counter", "1", "--not-after", "2999-01-01T00:00:00Z",
        "--minimum-version", "999.0.0", "--out", at("rules.bundle"), at("shop.yaml")).assertStatus(0);
    run("bundle", "verify", "--key", at("ann.pub"), at("rules.bundle")).assertStatus(1)
        .assertSays("it needs version 999.0.0, this is ");
  }

  @Test
  void signRefusesFailedTestsAndKeysOfOtherKinds() throws IOException {
    put("report.json", "{\"passed\": 1, \"failed\": 2}");
    run("bundle", "sign", "--key", at("ann.key"), "--counter", "1", "--not-after", "2999-01-01T00:00:00Z", "--tests",
        at("report.json"), "--out", at("rules.bundle"), at("shop.yaml")).assertStatus(1)
        .assertSays("2 test cases have failed");
    run("bundle", "sign", "--key", at("ann.pub"), "--counter", "1", "--not-after", "2999-01-01T00:00:00Z", "--out",
        at("rules.bundle"), at("shop.yaml")).assertStatus(1);
    assertTrue(!Files.exists(folder.resolve("rules.bundle")), "a bundle was written");
  }
}
