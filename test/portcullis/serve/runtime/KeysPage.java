package portcullis.serve.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.config.Enforcement;
import portcullis.policy.pipeline.RuleSetVersion;
import portcullis.policy.rule.RuleReader;

/**
 * The tables of {@code config/docs/keys.md} and {@code rule-keys.md}, made from what the program reads; the text around
 * them is written by hand.
 */
public final class KeysPage {
  /** The pages that explain a key. */
  private static final Map<String, String> EXPLAINED = Map.ofEntries(
      Map.entry("decision_log", "decision-log.md"), Map.entry("decision_log.audit", "audit.md"),
      Map.entry("fleet", "fleet.md"), Map.entry("management.console", "console.md"),
      Map.entry("management.debug", "debug-token.md"), Map.entry("management.locks", "locks.md"),
      Map.entry("providers.file_system.require_signature", "bundles.md"),
      Map.entry("providers.file_system.shadow", "shadow-rules.md"), Map.entry("serve.readings", "readings.md"),
      Map.entry("serve.security_events", "locks.md"), Map.entry("serve.streams", "streams.md"),
      Map.entry("rules[].mode", "shadow-rules.md"), Map.entry("rules[].readings", "readings.md"),
      Map.entry("rules[].revalidate", "streams.md"));
  private static final Pattern MECHANISM = Pattern.compile("mechanisms\\.(\\w+)s\\[(\\w+)]\\.config");
  private static final String HEAD = "| key | type | default | what it is |\n| --- | --- | --- | --- |\n";

  private KeysPage() {}

  /** Returns both pages with their tables as they have to be. */
  public static Map<Path, String> all() throws IOException {
    Map<Path, String> pages = new LinkedHashMap<>();
    pages.put(Path.of("config/docs/keys.md"), filled(Path.of("config/docs/keys.md")));
    pages.put(Path.of("config/docs/rule-keys.md"), filled(Path.of("config/docs/rule-keys.md")));
    return pages;
  }

  /** Returns the sections, each with its table, by title. */
  static Map<String, List<SchemaRows.Row>> sections() {
    Map<String, List<SchemaRows.Row>> sections = new LinkedHashMap<>();
    sections.put("Configuration", SchemaRows.of(Settings.decoder(Enforcement.ALL).shape()));
    sections.put("Rule sets 1alpha4", SchemaRows.of(RuleReader.shape(RuleSetVersion.ALPHA4)));
    sections.put("Rule sets 1beta1", SchemaRows.of(RuleReader.shape(RuleSetVersion.BETA1)));
    return sections;
  }

  private static String filled(Path file) throws IOException {
    String text = Files.readString(file);
    for (Map.Entry<String, List<SchemaRows.Row>> section : sections().entrySet()) {
      Pattern table = Pattern.compile("(?m)(?<=^## " + section.getKey() + "\\n\\n)(^\\|.*\\n)+");
      text = table.matcher(text).replaceFirst(Matcher.quoteReplacement(table(section.getValue())));
    }
    return text;
  }

  private static String table(List<SchemaRows.Row> rows) {
    List<String> lines = new ArrayList<>();
    rows.forEach(row -> lines.add(linked(row).line()));
    return HEAD + String.join("\n", lines) + "\n";
  }

  private static SchemaRows.Row linked(SchemaRows.Row row) {
    Matcher mechanism = MECHANISM.matcher(row.path());
    String page = mechanism.matches()
        ? "reference/mechanisms/" + mechanism.group(1) + "-" + mechanism.group(2) + ".md"
        : EXPLAINED.get(row.path());
    return page == null ? row : row.with("see [" + page + "](" + page + ")");
  }
}
