package portcullis.serve.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.crypto.keys.Jca;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Value;
import portcullis.observe.decisions.AuditEvent;
import portcullis.policy.rule.RuleOrigin;

/** The events of the audit chain about configuration, rules and keys: digests of what was and of what comes. */
final class ChangeEvents {
  private static final int MOST_ERRORS = 20;
  private static final Value NONE = new Value.Array(List.of());

  private ChangeEvents() {}

  /**
   * @param rules the rule sets by source
   * @param rolledBack bundles that are older than those before them, as an option allows
   */
  static AuditEvent start(ServeOptions options, Settings settings, Map<String, SourceFile> rules, Value rolledBack) {
    AuditEvent event = AuditEvent.of("start", "program").with("version", Version.current())
        .with("service", options.service().name().toLowerCase(Locale.ROOT))
        .with("insecure", options.disabledChecks()).with("configuration_sha256", settings.digest())
        .with("rule_sets", changed(Map.of(), rules));
    return rolledBack.equals(NONE) ? event : event.with("rolled_back", rolledBack);
  }

  /**
   * @param rules the rule sets in use, by source
   * @param applied those that will be in use: not what was loaded and has errors
   */
  static AuditEvent reload(String by, Settings before, Settings next, Map<String, SourceFile> rules,
      Map<String, SourceFile> applied) {
    return AuditEvent.of("reload", by).with("configuration_sha256_before", before.digest())
        .with("configuration_sha256", next.digest()).with("rule_sets", changed(rules, applied));
  }

  /** @param next empty where the configuration has errors */
  static AuditEvent refusedReload(String by, Optional<Settings> next, List<String> errors) {
    AuditEvent event = AuditEvent.of("reload_refused", by).with("errors",
        errors.subList(0, Math.min(MOST_ERRORS, errors.size())));
    return next.map(settings -> event.with("configuration_sha256", settings.digest())).orElse(event);
  }

  /** @param rolledBack bundles that an older one replaces, as an option allows */
  static AuditEvent rules(Map<String, SourceFile> before, Map<String, SourceFile> after, Value rolledBack) {
    AuditEvent event = AuditEvent.of("rules", "watch").with("rule_sets", changed(before, after));
    return rolledBack.equals(NONE) ? event : event.with("rolled_back", rolledBack);
  }

  static AuditEvent refusedRules(String source, SourceFile text, List<String> errors) {
    return AuditEvent.of("rules_refused", "watch").with("rule_set", source)
        .with("sha256", RuleOrigin.digest(text.text()))
        .with("errors", errors.subList(0, Math.min(MOST_ERRORS, errors.size())));
  }

  /** @param text as it is in use, and was before it was refused with other content */
  static AuditEvent restoredRules(String source, SourceFile text) {
    return AuditEvent.of("rules_restored", "watch").with("rule_set", source)
        .with("sha256", RuleOrigin.digest(text.text()));
  }

  static AuditEvent key(String by, String kind, Path file, String before, String after) {
    return AuditEvent.of("key", by).with("kind", kind).with("file", file.toString()).with("sha256_before", before)
        .with("sha256", after);
  }

  private static Value changed(Map<String, SourceFile> before, Map<String, SourceFile> after) {
    Set<String> sources = new LinkedHashSet<>(before.keySet());
    sources.addAll(after.keySet());
    List<Value> out = new ArrayList<>();
    for (String source : sources) {
      String old = digest(before, source);
      String next = digest(after, source);
      if (!old.equals(next)) {
        Map<String, Value> one = new LinkedHashMap<>();
        one.put("rule_set", Value.of(source));
        one.put("sha256_before", Value.of(old));
        one.put("sha256", Value.of(next));
        out.add(new Value.Dict(one));
      }
    }
    return new Value.Array(out);
  }

  private static String digest(Map<String, SourceFile> texts, String source) {
    return texts.containsKey(source) ? RuleOrigin.digest(texts.get(source).text()) : "";
  }

  /** Returns the SHA-256 of a file; empty if it cannot be read. */
  static String digest(Path file) {
    try {
      return HexFormat.of().formatHex(Jca.sha256().digest(Files.readAllBytes(file)));
    } catch (IOException _) {
      return "";
    }
  }
}
