package portcullis.policy.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Node;
import portcullis.lang.source.Problems;
import portcullis.policy.pipeline.RuleSetVersion;

/** What of a configuration counts for a rule. */
class ConfigurationDigestsTest {
  private static final String CONFIG = """
      serve: {port: 1, trusted_proxies: [10.0.0.1]}
      mechanisms:
        authenticators:
          - {id: bearer, type: jwt, config: {issuer: a, scopes: [b]}}
          - {id: other, type: anonymous}
        authorizers:
          - {id: may, type: allow}
          - {id: never, type: deny}
        error_handlers: [{id: to, type: redirect, config: {to: a}}]
      default_rule: {execute: [{authenticator: other}], on_error: [{error_handler: to}]}
      """;
  private static final String RULE = "{id: r, execute: [{authenticator: bearer}, {authorizer: may}]}";
  private static final ConfigurationDigests.Effect EFFECT = effect(CONFIG, RULE);

  private static Node.Mapping node(String yaml) {
    return (Node.Mapping) Catalogues.node(yaml, new Problems()).orElseThrow();
  }

  private static ConfigurationDigests.Effect effect(String configuration, String rule) {
    return RuleOrigin.of(node(rule), RuleSetVersion.ALPHA4, "", ConfigurationDigests.of("text", node(configuration)))
        .effect();
  }

  private static ConfigurationDigests.Effect changed(String from, String to) {
    assertNotEquals(CONFIG, CONFIG.replace(from, to));
    return effect(CONFIG.replace(from, to), RULE);
  }

  @Test
  void layoutAndWhatIsNotReferredToDoNotCount() {
    assertEquals(EFFECT, effect("# a comment\n" + CONFIG + "# another\n", RULE));
    assertEquals(EFFECT, changed("{issuer: a, scopes: [b]}", "{ \"scopes\": [ b ], issuer: 'a' }"));
    assertEquals(EFFECT, changed("{id: never, type: deny}", "{id: never, type: allow}"));
    assertEquals(EFFECT, changed("{id: other, type: anonymous}", "{id: other, type: unauthorized}"));
    assertEquals(EFFECT, changed("port: 1", "port: 2, host: a"));
    assertEquals(EFFECT, changed("mechanisms:", "log: {level: debug}\nmechanisms:"));
  }

  @Test
  void anotherDefinitionOfAnAuthorizerChangesTheRuleAlone() {
    ConfigurationDigests.Effect flipped = changed("{id: may, type: allow}", "{id: may, type: deny}");
    assertEquals(EFFECT.authenticators(), flipped.authenticators());
    assertNotEquals(EFFECT.rule(), flipped.rule());
    assertNotEquals(EFFECT.rule(), changed("config: {to: a}", "config: {to: b}").rule(), "of the default rule");
  }

  @Test
  void whatAuthenticatorsAndRequestsDependOnCounts() {
    for (ConfigurationDigests.Effect other : new ConfigurationDigests.Effect[] {changed("issuer: a", "issuer: c"),
      changed("10.0.0.1", "10.0.0.2"), changed("mechanisms:", "cache: {type: noop}\nmechanisms:"),
      changed("mechanisms:", "a_later_section: {}\nmechanisms:"),
      effect(CONFIG, RULE.replace("bearer}", "bearer, if: 'true'}")),
      effect(CONFIG, RULE.replace("bearer", "other"))}) {
      assertNotEquals(EFFECT.authenticators(), other.authenticators());
      assertNotEquals(EFFECT.rule(), other.rule());
    }
  }

  @Test
  void filesOfAuthenticatorsCountWithTheContentsThatTheyHaveNow(@TempDir Path folder) throws IOException {
    Path keys = Files.writeString(folder.resolve("keys"), "one");
    String config = CONFIG.replace("issuer: a", "issuer: a, keys: '" + keys + "'");
    ConfigurationDigests.Effect before = effect(config, RULE);
    assertEquals(before, effect(config, RULE));
    assertNotEquals("", before.contents());
    NamedFiles files = new NamedFiles();
    assertEquals(before, before.now(files));
    Files.writeString(keys, "three");
    ConfigurationDigests.Effect after = before.now(files);
    assertNotEquals(before.contents(), after.contents());
    assertEquals(after, effect(config, RULE));
    Files.write(keys, new byte[(1 << 20) + 1]);
    ConfigurationDigests.Effect large = before.now(files);
    Files.write(keys, new byte[(1 << 20) + 2]);
    assertNotEquals(large.contents(), before.now(files).contents(), "its size counts");
    Files.delete(keys);
    assertNotEquals(large.contents(), before.now(files).contents());
    Files.writeString(keys, "one");
    assertEquals(before, before.now(files));
  }

  @Test
  void filesOfLaterStepsDoNotCount(@TempDir Path folder) throws IOException {
    Path ca = Files.writeString(folder.resolve("ca"), "one");
    String rule = RULE.replace("authorizer: may", "authorizer: may, config: {trust_store: '" + ca + "'}");
    ConfigurationDigests.Effect before = effect(CONFIG, rule);
    Files.writeString(ca, "two");
    assertEquals(before, effect(CONFIG, rule));
    assertEquals("", before.contents());
  }

  @Test
  void valuesThatNameNoFileDoNoHarm(@TempDir Path folder) {
    for (String value : List.of("\"\\0\"", "''", folder.toString(), folder + "/missing", "/dev/zero",
        "x".repeat(5000))) {
      String config = CONFIG.replace("issuer: a", "issuer: " + value);
      assertEquals(effect(config, RULE), effect(config, RULE), value);
    }
  }

  @Test
  void authenticatorsOfTheDefaultRuleCountForRulesWithout() {
    String rule = "{id: r, execute: [{authorizer: may}]}";
    ConfigurationDigests.Effect inherited = effect(CONFIG, rule);
    assertNotEquals(inherited.authenticators(),
        effect(CONFIG.replace("{id: other, type: anonymous}", "{id: other, type: unauthorized}"), rule)
            .authenticators());
    assertEquals(inherited.authenticators(), effect(CONFIG.replace("issuer: a", "issuer: c"), rule).authenticators());
  }
}
