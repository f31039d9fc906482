package portcullis.reference;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import portcullis.config.Enforcement;
import portcullis.fixture.TestKeys;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.catalogue.MechanismKind;
import portcullis.policy.mechanism.MechanismType;
import portcullis.serve.runtime.ConfigurationFile;
import portcullis.serve.runtime.EnvironmentOverrides;
import portcullis.verify.Suite;

/** The examples of the reference pages load, and decide as their test cases say. */
class PageExamplesTest {
  private static final Pattern BLOCK = Pattern.compile("(?ms)^`([a-z_.]+)`:\\n\\n```yaml\\n(.*?)^```$");
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(/[^`]*)` \\| ([^|]*) \\| ([^|]*) \\|$");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  /** In tests of rules there are no requests before, so no case shows what limits refuse. */
  private static final String LIMIT = "type: rate_limit";
  private static final String UNCOUNTED = "too_many_requests_error";
  private static final Pattern STEP = Pattern.compile(
      "      - (authenticator|authorizer|contextualizer|finalizer|error_handler): .*");
  private static final Pattern REASON = Pattern.compile("reason: \"?(argument|authentication|authorization"
      + "|communication|communication timeout|internal) error");

  @TempDir
  private Path folder;

  static List<Page> pages() {
    return Reference.pages().stream().filter(page -> BLOCK.matcher(page.text()).find()).toList();
  }

  static Stream<MechanismType<?, ?>> types() {
    return Catalogue.KINDS.stream().flatMap(kind -> kind.types().stream());
  }

  private Suite.Outcome run(Path test) throws InterruptedException {
    Problems problems = new Problems();
    return outcome(test, problems)
        .orElseThrow(() -> new AssertionError(problems.sorted().stream().map(Problem::text).toList()));
  }

  private Optional<Suite.Outcome> outcome(Path test, Problems problems) throws InterruptedException {
    Suite suite = new Suite(named -> new ConfigurationFile(named.map(Path::toString),
        new EnvironmentOverrides(Map.of(), List.of("PORTCULLISCFG_")), Enforcement.NONE).settings(problems),
        Enforcement.NONE, problems);
    return suite.run(List.of(test), "");
  }

  private void write(String text) throws IOException {
    Files.writeString(folder.resolve("signer.pem"), TestKeys.pem(TestKeys.ec(256)));
    for (var block = BLOCK.matcher(text); block.find();) {
      Files.writeString(folder.resolve(block.group(1)),
          block.group(2).replaceAll("\\b(keys\\.yaml|(clients|revoked|signer)\\.pem|users\\.yaml|session\\.keys)\\b",
              folder + "/$1"));
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void exampleDecidesAsItsCasesSay(Page page) throws Exception {
    write(page.text());
    Suite.Outcome outcome = run(folder.resolve("rules_test.yaml"));
    assertEquals(List.of(), outcome.results().stream().filter(result -> !result.passed()).toList());
    assertEquals(List.of(), outcome.unused());
    if (!page.text().contains(LIMIT)) {
      assertEquals(List.of(), outcome.coverage().missing());
    }
    assertFalse(outcome.results().isEmpty());
  }

  @ParameterizedTest
  @MethodSource("pages")
  void casesNoticeAMissingStep(Page page) throws Exception {
    if (page.text().contains(LIMIT)) {
      return;
    }
    write(page.text());
    Path rules = folder.resolve("rules.yaml");
    List<String> lines = Files.readAllLines(rules);
    for (int i = 0; i < lines.size(); i++) {
      if (STEP.matcher(lines.get(i)).matches()) {
        int end = i + 1;
        while (end < lines.size() && lines.get(end).startsWith("        ")) {
          end++;
        }
        List<String> left = new ArrayList<>(lines.subList(0, i));
        left.addAll(lines.subList(end, lines.size()));
        Files.write(rules, left);
        assertTrue(isNoticed(), "no case notices that this is missing: " + lines.get(i));
      }
    }
  }

  /** A rule set without the step may be invalid. */
  private boolean isNoticed() throws InterruptedException {
    return outcome(folder.resolve("rules_test.yaml"), new Problems()).filter(outcome -> outcome.failed() == 0)
        .isEmpty();
  }

  @Test
  void everyTypeHasAPurposeAndAnExample() {
    List<String> pages = pages().stream().map(Page::file).toList();
    for (MechanismKind<?> kind : Catalogue.KINDS) {
      kind.types().forEach(type -> {
        assertTrue(type.doc().purpose().endsWith("."), type.name());
        assertTrue(pages.contains("mechanisms/" + kind.stepKey() + "-" + type.name() + ".md"), type.name());
      });
    }
  }

  @Test
  void examplesShowEachErrorAndNoOther() {
    for (MechanismKind<?> kind : Catalogue.KINDS) {
      for (MechanismType<?, ?> type : kind.types()) {
        String example = MechanismPages.example(MechanismPages.name(kind, type)).getLast().text();
        Set<String> shown = REASON.matcher(example).results()
            .map(found -> found.group(1).replace(" timeout", "").replace("argument", "precondition") + "_error")
            .collect(Collectors.toCollection(TreeSet::new));
        Set<String> declared = type.doc().errors().stream().map(cause -> cause.kind().constant())
            .filter(constant -> !constant.equals(UNCOUNTED))
            .collect(Collectors.toCollection(TreeSet::new));
        if (!LIMIT.equals("type: " + type.name())) {
          assertEquals(declared, shown, kind.name() + " " + type.name());
        }
      }
    }
  }

  /** Each row of the table of paths is tried as a rule of its own. */
  @Test
  void pathsMatchAsTheTableSays() throws Exception {
    String page = Reference.topics().getFirst().page().get().text();
    Files.writeString(folder.resolve("portcullis.yaml"), "mechanisms: {authenticators: [{id: a, type: anonymous}]}\n");
    int rows = 0;
    for (var row = ROW.matcher(page); row.find(); rows++) {
      Files.writeString(folder.resolve("rules.yaml"), "version: 1alpha4\nrules: [{id: r, match: {routes: [{path: '"
          + row.group(1) + "'}]}, execute: [{authenticator: a}]}]\n");
      List<String> cases = new ArrayList<>();
      code(row.group(2)).forEach(path -> cases.add(caseOf(path, "r")));
      code(row.group(3)).forEach(path -> cases.add(caseOf(path, "none")));
      assertTrue(cases.size() >= 2, row.group());
      Path test = Files.writeString(folder.resolve("rules_test.yaml"),
          "config: portcullis.yaml\nrules: rules.yaml\ncases:\n" + String.join("", cases));
      assertEquals(List.of(), run(test).results().stream().filter(result -> !result.passed()).toList(), row.group());
    }
    assertTrue(rows >= 7, () -> "too few rows");
  }

  private static List<String> code(String cell) {
    return CODE.matcher(cell).results().map(found -> found.group(1)).toList();
  }

  private static String caseOf(String path, String rule) {
    return "- {name: '" + path + "', request: 'GET https://app.example" + path + "', expect: {rule: " + rule + "}}\n";
  }
}
