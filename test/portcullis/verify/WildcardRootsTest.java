package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;

/** {@code /admin} and {@code /admin/} beside a route {@code /admin/**}. */
class WildcardRootsTest {
  private static final String CONFIG = """
      mechanisms:
        authenticators:
          - { id: token, type: generic, config: { identity_info_endpoint: "http://idp/me", cache_ttl: 0s,
              authentication_data_source: [ { header: Authorization } ], subject: { id: sub } } }
          - { id: anyone, type: anonymous }
          - { id: closed, type: unauthorized }
        authorizers:
          - id: admins
            type: cel
            config: { expressions: [ { expression: "'admin' in Subject.Attributes.roles" } ] }
          - { id: all, type: allow }
          - { id: none, type: deny }
      default_rule: { execute: [ { authenticator: closed } ] }
      """;
  private static final String ADMIN = """
      version: 1alpha4
      rules:
        - id: admin
          match: { routes: [ { path: /admin/** }%s ] }
          forward_to: { host: app.local }
          execute: [ { authenticator: token }, { authorizer: admins } ]
      """;
  private static final String PAGES = """
        - id: pages
          match: { routes: [ { path: %s } ] }
          forward_to: { host: %s }
          execute: [ %s ]
      """;
  private static final String USERS = "{ authenticator: token }, { authorizer: all }";

  @TempDir
  private Path folder;

  private List<String> found(String rules) {
    Problems problems = new Problems();
    return Analysis.run(Estate.settings(TestSuite.write(folder.resolve("config.yml"), CONFIG), Map.of())
        .withRules(TestSuite.write(folder.resolve("rules.yaml"), rules)), Enforcement.NONE,
        Analysis.Selection.EVERYTHING, problems)
        .orElseThrow(() -> new AssertionError(Estate.text(problems)))
        .findings().stream().filter(finding -> finding.kind().equals(WildcardRoots.KIND))
        .map(finding -> finding.request() + ": " + finding.message()).toList();
  }

  private List<String> warned(String rules) {
    Problems problems = new Problems();
    try (OfflineDecider decider = new OfflineDecider(
        Estate.settings(TestSuite.write(folder.resolve("config.yml"), CONFIG), Map.of())
            .withRules(TestSuite.write(folder.resolve("rules.yaml"), rules)),
        Enforcement.NONE)) {
      assertTrue(decider.load(problems), Estate.text(problems).toString());
      WildcardRoots.warn(decider.snapshot(), problems);
    }
    return problems.sorted().stream().map(Problem::message).filter(message -> message.contains("does not match"))
        .toList();
  }

  @Test
  void whatAnotherRuleLetsInBesideAWildcardIsShown() {
    String rules = ADMIN.formatted("") + PAGES.formatted("/**", "app.local", USERS);
    assertEquals(List.of(
        "GET https://app.example/admin: `/admin` is not matched by /admin/** of this rule, and is allowed by rule "
            + "`pages`",
        "GET https://app.example/admin/: `/admin/` is not matched by /admin/** of this rule, and is allowed by rule "
            + "`pages`"),
        found(rules));
    assertEquals(List.of("`/admin/**` does not match `/admin` and `/admin/`: rule `pages` decides them by `/**`, with "
        + "fewer checks"), warned(rules));
    String open = ADMIN.formatted("") + PAGES.formatted("/:page/**", "app.local", "{ authenticator: anyone }");
    assertEquals(0, found(open).size(), "`/admin/` has nothing for the wildcard to take");
    assertEquals(1, found(ADMIN.formatted("") + PAGES.formatted("/:page", "app.local", "{ authenticator: anyone }"))
        .size());
  }

  @Test
  void whatIsDecidedAlikeOrElsewhereIsNot() {
    for (String rules : List.of(ADMIN.formatted(""), ADMIN.formatted(", { path: /admin }, { path: /admin/ }")
        + PAGES.formatted("/**", "app.local", USERS),
        ADMIN.formatted("") + PAGES.formatted("/**", "other.local", USERS),
        ADMIN.formatted("") + PAGES.formatted("/**", "app.local", USERS.replace("all", "none")),
        ADMIN.formatted("") + PAGES.formatted("/**", "app.local", USERS.replace("all", "admins")))) {
      assertEquals(List.of(), found(rules), rules);
      assertEquals(List.of(), warned(rules), rules);
    }
  }
}
