package portcullis.policy.rule;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import portcullis.config.Node;
import portcullis.crypto.keys.Jca;
import portcullis.lang.source.Origin;
import portcullis.policy.pipeline.RuleSetVersion;

/**
 * Where a rule is written, and digests (SHA-256, hexadecimal) of what it was made of, those of parts of a file 128 bits
 * of them. Immutable.
 *
 * @param at file and line; empty if unknown
 * @param rule the digest of the rule alone, whatever its formatting; empty if unknown
 * @param authenticators the digest of its authenticators alone
 * @param ruleSet the digest of the text of its rule set; empty for the default rule
 * @param configuration the digest of the configuration's text
 * @param effect what the rule does, with all that its steps refer to
 */
public record RuleOrigin(String at, String rule, String authenticators, String ruleSet, String configuration,
    ConfigurationDigests.Effect effect) {
  private static final int SHORT = 32;

  /** The origin of rules if no origins are recorded. */
  public static final RuleOrigin UNKNOWN = new RuleOrigin("", "", "", "", "",
      ConfigurationDigests.Effect.UNKNOWN);

  /** Returns the origin of a rule. */
  public static RuleOrigin of(Node rule, RuleSetVersion version, String ruleSet, ConfigurationDigests configuration) {
    String at = rule.at() instanceof Origin.InFile file ? file.file().name() + ":" + file.line() : rule.at().text();
    String canonical = ConfigurationDigests.canonical(withoutMode(rule));
    return new RuleOrigin(at, shortDigest(canonical), shortDigest(authenticators(rule)), ruleSet, configuration.text(),
        configuration.effect(rule, canonical, version));
  }

  /** Returns a shadow rule as it would be if it were live. */
  private static Node withoutMode(Node rule) {
    if (!(rule instanceof Node.Mapping mapping) || mapping.get(RuleDraft.MODE).isEmpty()) {
      return rule;
    }
    SequencedMap<String, Node.Member> left = new LinkedHashMap<>(mapping.members());
    left.remove(RuleDraft.MODE);
    return new Node.Mapping(mapping.at(), mapping.where(), left);
  }

  private static String authenticators(Node rule) {
    return rule instanceof Node.Mapping members && members.get("execute").orElse(rule) instanceof Node.Sequence steps
        ? steps.items().stream()
            .filter(step -> step instanceof Node.Mapping one && one.get("authenticator").isPresent())
            .map(ConfigurationDigests::canonical).collect(Collectors.joining("\n"))
        : "";
  }

  private static String shortDigest(String text) {
    return digest(text).substring(0, SHORT);
  }

  /** Returns the digest of a text in UTF-8. */
  public static String digest(String text) {
    return HexFormat.of().formatHex(Jca.sha256().digest(text.getBytes(StandardCharsets.UTF_8)));
  }
}
