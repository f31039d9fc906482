package portcullis.serve.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.value.JsonText;
import portcullis.observe.metrics.Registry;

class RulesPageTest {
  private final Registry registry = new Registry();

  @TempDir
  private Path folder;
  private Optional<Path> coverage = Optional.empty();

  private String page(String query, PageStatus status) {
    RulesPage page = new RulesPage(PageRules::snapshot, status, registry, coverage);
    return ConsoleSetup.text(new ConsoleSetup("[{authenticator: anon}]", List.of(page)).get("/console/rules" + query));
  }

  private String page(String query) {
    return page(query, PageStatus.EMPTY);
  }

  @Test
  void showsHostsPathsRulesAndTheirPlaces() {
    String text = page("");
    assertTrue(text.indexOf("shop.example</h3>") < text.indexOf("All other hosts</h3>"), text);
    assertTrue(text.contains("<code>/orders/:id</code></th><td data-label=\"Methods\">GET"), text);
    assertTrue(text.contains("orders<br><span class=\"soft\">shop.yaml:3</span>"), text);
    assertTrue(text.contains("shop.internal:8080 without /orders"), text);
    assertTrue(text.contains("&lt;b&gt;all&lt;/b&gt;"), text);
    assertFalse(text.contains("<b>all</b>"), "escaped");
    assertFalse(text.contains("secret"), "no setting of a mechanism");
  }

  private String covered(String text) throws IOException {
    coverage = Optional.of(Files.writeString(folder.resolve("coverage.json"), text));
    return page("");
  }

  private static TestedRules.Tested tested(String digest, long cases, long failed) {
    return new TestedRules.Tested("orders", digest, "digest", cases, failed, 3, 4);
  }

  private String covered(TestedRules.Tested... rules) throws IOException {
    return covered(JsonText.plain(new TestedRules(PageStatus.NOW, List.of(rules)).document()));
  }

  @Test
  void testCasesAreThoseOfThisVersionOfARule() throws IOException {
    String digest = PageRules.snapshot().index().values().stream().filter(rule -> rule.id().equals("orders"))
        .findFirst().orElseThrow().origin().rule();
    String cell = "<td data-label=\"Test cases\">";
    assertTrue(covered(tested(digest, 2, 0)).contains(cell + "2 cases, <span class=\"soft\">3 of 4 outcomes"));
    assertTrue(
        covered(tested("abc", 9, 0), tested(digest, 2, 1)).contains(cell + "2 cases, <span class=\"bad\">1 failed"));
    assertTrue(
        covered(tested("abc", 9, 0)).contains(cell + "<span class=\"warn\">9 cases of another version of this rule"));
    assertTrue(covered(tested(digest, 0, 0)).contains(cell + "<span class=\"warn\">none"));
    assertTrue(covered().contains(cell + "<span class=\"warn\">none"), "a rule that was never tested");
    assertTrue(covered(new TestedRules.Tested("orders", digest, "other", 1, 0, 1, 4))
        .contains(", <span class=\"warn\">with another configuration"));
  }

  @Test
  void anUnusableFileOfTestCasesIsNamed() throws IOException {
    assertTrue(page("").contains("names no file"));
    String written = JsonText.plain(new TestedRules(PageStatus.NOW, List.of(tested("a", 2, 0))).document());
    for (String wrong : List.of("", "[]", "{\"version\":2}", written.replace("\"failed\":0", "\"failed\":3"),
        written.replace("\"cases\":2", "\"cases\":\"<b>\""), written.replaceFirst("\"time\":\"2", "\"time\":\"x"))) {
      String text = covered(wrong);
      assertTrue(text.contains("management.console.coverage_file: cannot read "), text);
      assertFalse(text.contains(">Test cases</th>"), wrong);
    }
    coverage = Optional.of(folder.resolve("none"));
    assertTrue(page("").contains("/none: no such file or folder</p>"), page(""));
  }

  @Test
  void countsAgreeWithTheMetrics() {
    registry.counter("portcullis.rule.decisions", "{request}", "d", "ruleset.id", "rule.id", "rule.decision")
        .of("test:shop.yaml", "orders", "denied").add(7);
    assertTrue(page("").contains("data-label=\"Denied\">7<"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      method=GET&url=https://shop.example/orders/42 | <strong>orders</strong>
      method=GET&url=https://shop.example/orders/42 | id = 42
      method=GET&url=https://shop.example/orders/42 | staff (basic_auth)
      method=POST&url=https://shop.example/orders/42 | <strong>&lt;b&gt;all&lt;/b&gt;</strong>
      url=nonsense                                  | refused with 400
      url=https://a/%3Cscript%3E                    | value="https://a/&lt;script&gt;"
      """)
  void showsWhereARequestWouldGo(String query, String expected) {
    String text = page("?" + query);
    assertTrue(text.contains(expected), text);
  }

  @Test
  void aRequestWithoutARuleShowsTheNearest() {
    RouteFinder found = RouteFinder.of(PageRules.snapshot(PageRules.RULES.replaceFirst("(?s)- id: \"<b>.*", "")),
        "POST", "https://shop.example/orders/1");
    assertEquals(Optional.empty(), found.rule());
    assertTrue(found.html().markup().contains("`orders` would for GET"), found.html().markup());
  }

  @Test
  void aFilterLeavesWhatFits() {
    String text = page("?filter=ORDERS");
    assertTrue(text.contains("<code>/orders/:id</code>") && !text.contains("<code>/**</code>"), text);
    assertTrue(page("?filter=nowhere").contains("No rule has this"));
  }

  @Test
  void shadowChangesAreShown() {
    String text = page("", new PageStatus(Optional.of(PageStatus.newlyAllowed(3)), List.of(), List.of()));
    assertTrue(text.contains("newly allowed") && text.contains("orders: allowed") && text.contains("abc123"), text);
    assertFalse(page("").contains("Shadow rules"));
  }
}
