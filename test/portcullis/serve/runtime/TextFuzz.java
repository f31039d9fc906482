package portcullis.serve.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.route.RouteSet;
import portcullis.policy.rule.Catalogues;
import portcullis.policy.rule.Rule;
import portcullis.policy.rule.RuleReader;

/**
 * Configurations and rule sets that are sound but for a few changes at random: reading them ends with a result or with
 * problems, each of which can be told in one line.
 */
public final class TextFuzz {
  private static final List<String> PIECES = List.of(" ", "  ", "\n", "\n  - ", ": ", "- ", "{", "}", "[", "]", ",",
      "\"", "'", "|", ">", "&a ",
      "*a", "!!int ", "${", "${A}", "${A:-b}", "$$", "{{", "}}", "{{ .Request", "~", "null", "true", "0", "-1",
      "99999999999999999999", "1e9",
      "5s", "/**", ":x", "*", "**", "\\", "%2F", "(", ")", "(a+)+$", "\u0000", "\t", "\r\n", "\u2028", "\uD83D\uDE00",
      "#", "---\n", "...\n", "<<: *a");

  private final Random random;
  private final List<String> seeds = new ArrayList<>();
  private final MechanismContext context = Catalogues.context(Enforcement.NONE);
  private final RuleReader reader;
  private int sound;

  public TextFuzz(Random random) throws IOException {
    this.random = random;
    for (String name : List.of("config/portcullis.yaml", "rules/shop.yaml")) {
      seeds.add(Files.readString(Path.of(name)));
    }
    Problems problems = new Problems();
    Settings settings = settings(seeds.getFirst(), problems)
        .orElseThrow(() -> new IllegalStateException(Catalogues.reported(problems)));
    ConfigurationPlan plan = ConfigurationPlan.of(settings, context, true, problems);
    reader = new RuleReader(plan.catalogue(), plan.defaultPipeline(), false, Optional.of(Map.of("A", "{b: [1]}")));
  }

  private static Optional<Settings> settings(String text, Problems problems) {
    EnvironmentOverrides surroundings = new EnvironmentOverrides(Map.of("A", "{b: [1]}", "P_SERVE_PORT", "1"),
        List.of("P_"));
    return Settings.read(new SourceFile("f", text), surroundings, Enforcement.NONE, problems);
  }

  /** Tries one text; what is wrong with what is made of it comes as an exception or an error that names the text. */
  public void once() {
    String text = changed(seeds.get(random.nextInt(seeds.size())));
    try {
      Problems ofConfiguration = new Problems();
      Optional<Settings> settings = settings(text, ofConfiguration);
      check(settings.isPresent() != ofConfiguration.hasErrors(), "settings and errors", ofConfiguration);
      Problems ofMechanisms = new Problems();
      settings.ifPresent(s -> ConfigurationPlan.of(s, context, true, ofMechanisms));
      check(true, "", ofMechanisms);
      Problems ofRules = new Problems();
      Optional<RouteSet<Rule>> rules = reader.read("s", new SourceFile("f", text), ofRules).set();
      check(rules.isEmpty() || !ofRules.hasErrors(), "rules and errors", ofRules);
      Problems ofRoutes = new Problems();
      sound += rules.isPresent() || settings.isPresent() ? 1 : 0;
      rules.ifPresent(set -> RouteIndex.<Rule>empty().with(List.of(set), ofRoutes));
      check(true, "", ofRoutes);
    } catch (RuntimeException | StackOverflowError | AssertionError e) {
      throw new AssertionError("of this text:\n" + text, e);
    }
  }

  /** How many texts were still configurations or rule sets. */
  public int sound() {
    return sound;
  }

  private static void check(boolean good, String what, Problems problems) {
    if (!good) {
      throw new AssertionError(what + ": " + Catalogues.reported(problems));
    }
    for (Problem problem : problems.sorted()) {
      if (problem.text().lines().count() != 1 || problem.excerpt().lines().count() > 2) {
        throw new AssertionError("more than a line: " + problem.text() + "\n" + problem.excerpt());
      }
    }
  }

  private String changed(String text) {
    StringBuilder out = new StringBuilder(text);
    for (int n = random.nextInt(4); n >= 0; n--) {
      int at = random.nextInt(out.length() + 1);
      int end = Math.min(out.length(), at + 1 + random.nextInt(random.nextInt(8) == 0 ? 400 : 6));
      String piece = PIECES.get(random.nextInt(PIECES.size()));
      switch (random.nextInt(4)) {
        case 0 -> out.insert(at, piece);
        case 1 -> out.delete(at, end);
        case 2 -> out.replace(at, end, piece);
        default -> out.insert(random.nextInt(out.length() + 1), out.substring(at, end));
      }
    }
    return out.toString();
  }
}
