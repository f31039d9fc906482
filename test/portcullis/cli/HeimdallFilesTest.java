package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.Needs;

/** heimdall's own examples load, but for what is refused on purpose: each refusal is in the table of its test. */
class HeimdallFilesTest {
  @TempDir
  private Path folder;

  @BeforeEach
  void files() throws IOException {
    Files.writeString(folder.resolve("k.pem"), CertificateDraft.of("gate").make().keyStore()
        .replace("-----BEGIN PRIVATE KEY-----\n", "-----BEGIN PRIVATE KEY-----\nX-Key-ID: key\n\n"));
    for (String name : List.of("example_rules.yaml", "examples/upstream-rules.yaml",
        "validate_test_data/ruleset-valid.yaml",
        "validate_test_data/ruleset-invalid-for-proxy-usage.yaml",
        "validate_test_data/ruleset-no-https-for-upstream.yaml")) {
      Files.copy(data().resolve(name), folder.resolve(Path.of(name).getFileName()));
    }
  }

  private static Path data() {
    return Needs.corpus("heimdall-data");
  }

  /** A copy of a configuration, whose files are in the folder of the test. */
  private Path copy(String name) throws IOException {
    String text = Files.readString(data().resolve(name));
    for (Map.Entry<String, String> edit : Map
        .of("/path/to/file.pem", "k.pem", "${TEST_KEYSTORE_FILE}", "k.pem", "/etc/heimdall/keys/signer.pem",
            "k.pem", "src: example_rules.yaml", "src: ./example_rules.yaml", "test_data/ruleset-valid.yaml",
            "ruleset-valid.yaml",
            "src: test_rules.yaml", "src: ruleset-valid.yaml", "/etc/heimdall/rules.yaml", "upstream-rules.yaml")
        .entrySet()) {
      String file = Path.of(edit.getValue().replace("src: ", "")).getFileName().toString();
      String in = edit.getValue().startsWith("src: ") ? "src: " + folder.resolve(file)
          : folder.resolve(file).toString();
      text = text.replace(edit.getKey(), in);
    }
    return Files.writeString(folder.resolve("c.yaml"), text);
  }

  private static void edit(Path file, String from, String to) throws IOException {
    String text = Files.readString(file);
    assertTrue(text.contains(from), from);
    Files.writeString(file, text.replace(from, to));
  }

  /** Takes a member of {@code providers} away. */
  private static void withoutProvider(Path file, String name) throws IOException {
    List<String> left = new ArrayList<>();
    boolean within = false;
    for (String line : Files.readAllLines(file)) {
      within = within ? line.isBlank() || line.startsWith("    ") : line.equals("  " + name + ":");
      if (!within) {
        left.add(line);
      }
    }
    Files.write(file, left);
  }

  /** What is wrong, without places and hints; or that all is well. */
  private static List<String> reported(String... words) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, StandardCharsets.UTF_8);
    new Commands(new Console(print, print)).run(List.of(words));
    return out.toString(StandardCharsets.UTF_8).lines()
        .filter(line -> !line.startsWith("    ") && !line.matches("\\d+ errors?"))
        .map(line -> line.replaceFirst("^\\S+?\\.yaml:\\d+:\\d+: ", "").replaceFirst("(?s), .*", "")).toList();
  }

  @Test
  void theExampleOfNginxAndEnvoyIsValid() throws IOException {
    Path config = copy("examples/heimdall-config.yaml");
    assertEquals(List.of("Configuration is valid"),
        reported("validate", "config", "-c", config.toString(), "--insecure"));
    assertEquals(List.of("Rule set is valid"),
        reported("validate", "rules", "-c", config.toString(), "--insecure",
            folder.resolve("upstream-rules.yaml").toString()));
  }

  /**
   * The two providers are refused by name; `RSA` is no algorithm and allows nothing. The rules of the first one use a
   * finalizer that is a comment in its configuration.
   */
  @Test
  void largeExamplesAreValidExceptForRejectedKeys() throws IOException {
    Map<String, List<String>> algorithms = Map.of(
        "example_config.yaml", List.of(
            "warning: mechanisms.authenticators[4].config.assertions.allowed_algorithms[0]: `RSA` is a key type"),
        "validate_test_data/config-valid.yaml", List.of(
            "warning: mechanisms.authenticators[5].config.assertions.allowed_algorithms[0]: `RSA` is a key type",
            "warning: mechanisms.authenticators[6].config.assertions.allowed_algorithms[0]: `RSA` is a key type"));
    for (Map.Entry<String, List<String>> row : algorithms.entrySet()) {
      Path config = copy(row.getKey());
      String[] validate = {"validate", "config", "-c", config.toString(), "--insecure"};
      List<String> all = new ArrayList<>(row.getValue());
      all.add("providers: there is no provider `cloud_blob` in Portcullis");
      all.add("providers: there is no provider `kubernetes` in Portcullis");
      List<String> ofRules = row.getKey().equals("example_config.yaml")
          ? List.of("rules[0].execute[5].finalizer: no finalizer `jwt`")
          : List.of("warning: rules[0].match: `backtracking_enabled` has no effect",
              "warning: rules[0].match.hosts[0].type: hosts of type `glob` are deprecated", "Configuration is valid");
      ofRules.stream().filter(line -> line.startsWith("rules[")).forEach(all::add);
      assertEquals(all, reported(validate));
      withoutProvider(config, "cloud_blob");
      withoutProvider(config, "kubernetes");
      List<String> warned = new ArrayList<>(row.getValue());
      warned.addAll(ofRules);
      assertEquals(warned, reported(validate));
      edit(config, "- RSA\n", "- PS256\n");
      assertEquals(ofRules, reported(validate));
    }
  }

  /** The rules of some name what their configurations do not have. */
  @Test
  void theInsecureOnesAreRefusedForThatAlone() throws IOException {
    String https = "scheme must be https";
    String pre = "validate_test_data/config-";
    Map<String, List<String>> rows = Map.ofEntries(
        Map.entry("insecure-trusted-proxies", List.of("serve.trusted_proxies[0]: `10.10.0.0/0` trusts every client")),
        Map.entry("no-https-endpoint-in-generic-authenticator",
            List.of("mechanisms.authenticators[0].config.identity_info_endpoint.url: " + https)),
        Map.entry("no-https-endpoint-in-generic-contextualizer",
            List.of("mechanisms.contextualizers[0].config.endpoint.url: " + https)),
        Map.entry("no-https-endpoint-in-oauth2-client-credentials-finalizer",
            List.of("mechanisms.finalizers[0].config.token_url: " + https)),
        Map.entry("no-https-endpoint-in-oauth2-introspection-authenticator",
            List.of("mechanisms.authenticators[0].config.introspection_endpoint.url: " + https)),
        Map.entry("no-https-endpoint-in-remote-authorizer",
            List.of("mechanisms.authorizers[0].config.endpoint.url: " + https)),
        Map.entry("no-https-in-http-endpoint-provider", List.of("providers.http_endpoint.endpoints[0].url: " + https)),
        Map.entry("no-https-in-oauth2-client-credentials-authentication-strategy",
            List.of("mechanisms.authenticators[0].config.identity_info_endpoint.auth.config.token_url: " + https)),
        Map.entry("no-https-jwks-endpoint-in-jwt-authenticator",
            List.of("mechanisms.authenticators[0].config.jwks_endpoint.url: " + https)),
        Map.entry("no-https-metadata-endpoint-in-jwt-authenticator",
            List.of("mechanisms.authenticators[0].config.metadata_endpoint.url: " + https)),
        Map.entry("no-tls-config-for-ingres-services",
            List.of("management: `tls` is missing", "serve: `tls` is missing")));
    for (Map.Entry<String, List<String>> row : rows.entrySet()) {
      List<String> found = reported("validate", "config", "-c", copy(pre + row.getKey() + ".yaml").toString());
      assertEquals(row.getValue(),
          found.stream().filter(line -> !line.matches("(warning: )?rules\\[.*")).toList(), row.getKey());
    }
  }

  /** Of the two that are to be refused some mechanisms are unknown to the only configuration that there is. */
  @Test
  void ruleSetsAreValidAsTheirNamesSay() throws IOException {
    assertEquals(List.of("warning: rules[0].match: `backtracking_enabled` has no effect",
        "warning: rules[0].match.hosts[0].type: hosts of type `glob` are deprecated", "Rule set is valid"),
        decided("ruleset-valid.yaml"));
    assertEquals(List.of("rules[0].execute[2].authenticator: no authenticator `hydra_authenticator`"),
        decided("ruleset-invalid-for-proxy-usage.yaml").stream().filter(line -> !line.startsWith("warning: "))
            .toList());
    assertEquals(List.of("rules[0]: `forward_to` is missing"),
        decided("ruleset-invalid-for-proxy-usage.yaml", "--proxy-mode").stream()
            .filter(line -> line.contains("forward_to")).toList());
    assertEquals(List.of("rules[0].forward_to.rewrite.scheme: the scheme of an upstream must be https"),
        decided("ruleset-no-https-for-upstream.yaml", "secure").stream().filter(line -> line.contains("scheme"))
            .toList());
  }

  private List<String> decided(String rules, String... mode) throws IOException {
    Path config = copy("validate_test_data/config-valid.yaml");
    withoutProvider(config, "cloud_blob");
    withoutProvider(config, "kubernetes");
    edit(config, "- RSA\n", "- PS256\n");
    List<String> words = new ArrayList<>(
        List.of("validate", "rules", "-c", config.toString(), folder.resolve(rules).toString()));
    words.addAll(List.of(mode));
    if (!words.remove("secure")) {
      words.add("--insecure");
    }
    return reported(words.toArray(String[]::new));
  }
}
