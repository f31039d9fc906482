package portcullis.policy.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.fixture.FullMemory;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.pipeline.Pipeline;
import portcullis.policy.pipeline.Step;
import portcullis.policy.route.RouteSet;

class RuleReaderTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: none, type: unauthorized}]
      authorizers: [{id: yes, type: allow}, {id: no, type: deny}, {id: cel, type: cel, config: {expressions: \
      [{expression: 'true'}]}}]
      contextualizers: [{id: texts, type: map, config: {items: {a: b}}}]
      finalizers: [{id: noop, type: noop}, {id: head, type: header, config: {headers: {X-A: b}}}]
      error_handlers: [{id: ask, type: www_authenticate, config: {}}, {id: teapot, type: generic, config: {code: 418}}]
      """;
  private static final String DEFAULT_RULE = "{execute: [{authenticator: none}, {authorizer: yes}, {finalizer: noop}], "
      + "on_error: [{error_handler: ask}]}";

  private final Problems problems = new Problems();
  private final Catalogue catalogue = Catalogues.of(MECHANISMS, Enforcement.ALL, problems);

  private Optional<RouteSet<Rule>> read(String rules, boolean proxy, boolean withStandard) {
    Optional<Pipeline> base = withStandard
        ? RuleReader.readDefaultRule(Catalogues.node(DEFAULT_RULE, problems).orElseThrow(), catalogue, problems)
        : Optional.empty();
    return new RuleReader(catalogue, base, proxy, Optional.empty()).read("test", new SourceFile("f", rules), problems)
        .set();
  }

  /** A rule set of one rule with these steps, on lines of their own. */
  private static String rule(String steps) {
    return "version: 1alpha4\nrules:\n- id: r\n  match: {routes: [{path: /}]}\n" + steps.indent(2);
  }

  private Pipeline pipeline(String steps) {
    return read(rule(steps), false, true).orElseThrow().entries().getFirst().value().pipeline();
  }

  private static String sources(List<? extends Step<?>> steps) {
    return String.join(" ", steps.stream().map(Step::source).toList());
  }

  private static String stages(Pipeline p) {
    return sources(p.authenticators()) + " | " + sources(p.handlers()) + " | " + sources(p.finalizers()) + " | "
        + sources(p.errorHandlers());
  }

  @Test
  void fetchedRuleSetsAreReadWithinABudget() {
    String costly = rule("execute: [{authenticator: anon}]") + "more: [" + "{},".repeat(140_000) + "{}]\n";
    RuleReader reader = new RuleReader(catalogue, Optional.empty(), false, Optional.empty());
    assertTrue(reader.read("http_endpoint:http://a", new SourceFile("http://a", costly), problems).set().isEmpty());
    assertEquals("http://a:1:1: the rule set is too large: it has more than 131072 values",
        problems.sorted().getFirst().text());
    Problems none = new Problems();
    assertTrue(reader.read("http_endpoint:http://a", new SourceFile("http://a", rule("execute: [{authenticator: "
        + "anon}]")), none).set().isPresent());
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {
    "[{authenticator: anon}];anon | yes | noop | ask",
    "[{authenticator: anon}, {authorizer: no}];anon | no | noop | ask",
    "[{authenticator: anon}, {contextualizer: texts}];anon | texts | noop | ask",
    "[{finalizer: head}];none | yes | head | ask",
    "[{authorizer: no}, {contextualizer: texts}, {authorizer: cel}, {finalizer: head}, {finalizer: noop}];none | "
        + "no texts cel | head noop | ask",
  })
  void stagesThatARuleDoesNotNameAreThoseOfTheDefaultRule(String execute, String stages) {
    assertEquals(stages, stages(pipeline("execute: " + execute)));
  }

  /** Each row: two lists of steps, whether they make one pipeline, how many of the first two steps are one. */
  @ParameterizedTest
  @CsvSource(delimiter = ';', value = {
    "[{authenticator: anon}, {finalizer: head}];[{authenticator: anon}, {finalizer: head}];true;2",
    "[{authenticator: anon}, {finalizer: head}];[{authenticator: anon}, {finalizer: noop}];false;1",
    "[{authenticator: anon}, {finalizer: head}];[{authenticator: anon}, {finalizer: head, id: own}];false;1",
    "[{authenticator: anon}, {finalizer: head, if: 'true'}];[{authenticator: anon}, {finalizer: head, if: "
        + "'false'}];false;1",
    "[{authenticator: anon}, {finalizer: head, config: {headers: {X-A: c}}}];[{authenticator: anon}, {finalizer: "
        + "head}];false;1",
    "[{authenticator: anon}, {finalizer: head}];[{finalizer: head}];false;1",
  })
  void sharesEqualStepsAndPipelinesOnly(String one, String two, boolean shared, int steps) {
    List<Pipeline> both = read(rule("execute: " + one) + "- id: s\n  match: {routes: [{path: /s}]}\n  execute: " + two,
        false, true)
        .orElseThrow().entries().stream().map(entry -> entry.value().pipeline()).toList();
    assertEquals(shared, both.getFirst() == both.getLast());
    assertEquals(steps,
        (both.getFirst().authenticators().getFirst() == both.getLast().authenticators().getFirst() ? 1 : 0)
            + (both.getFirst().finalizers().getFirst() == both.getLast().finalizers().getFirst() ? 1 : 0));
  }

  @Test
  void errorHandlersReplaceThoseOfTheDefaultRule() {
    assertEquals("none | yes | noop | teapot default", stages(pipeline("""
        execute: [{finalizer: noop}]
        on_error: [{error_handler: teapot, if: 'type(Error) == authorization_error'}, {error_handler: default}]
        """)));
  }

  @Test
  void stepsAreKnownByTheirOwnIds() {
    Pipeline p = pipeline("execute: [{contextualizer: texts, id: 1}, {contextualizer: texts, id: two}, "
        + "{contextualizer: texts}]");
    assertEquals("[1, two, texts]", p.handlers().stream().map(Step::id).toList().toString());
  }

  @Test
  void aKeyThatMeansNothingInAStepIsWarnedOf() {
    assertEquals("none | yes | noop | ask", stages(pipeline("execute: [{finalizer: noop, comment: why not}]")));
    assertEquals("f:5:31: warning: rules[0].execute[0]: unknown key `comment` has no effect, remove it",
        Catalogues.reported(problems));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "execute: []|f:5:12: rules[0].execute: must contain at least 1 item, each a mapping",
    "execute: [{authenticator: nobody}]|f:5:29: rules[0].execute[0].authenticator: no authenticator `nobody`, "
        + "known: anon, none",
    "execute: [{authenticator: anon}, {authorizer: }]|f:5:48: rules[0].execute[1].authorizer: this is nothing, a "
        + "string is needed",
    "execute: [{authorizer: ye}]|f:5:26: rules[0].execute[0].authorizer: no authorizer `ye`, did you mean `yes`?",
    "execute: [{}]|f:5:13: rules[0].execute[0]: a step names a mechanism, one of: authenticator, authorizer, "
        + "contextualizer, finalizer",
    "execute: [{authorizer: yes, finalizer: noop}]|f:5:13: rules[0].execute[0]: a step names one mechanism only, "
        + "this one 2, "
        + "one of: authenticator, authorizer, contextualizer, finalizer",
    "execute: [{authorizer: yes}, {authenticator: anon}]|f:5:32: rules[0].execute[1]: an authenticator comes "
        + "before all other steps, move this step up",
    "execute: [{finalizer: noop}, {authorizer: yes}]|f:5:32: rules[0].execute[1]: an authorizer comes before the "
        + "finalizers, move this step up",
    "execute: [{authorizer: yes, id: a}, {authorizer: no}, {authorizer: yes, id: a}]|f:5:57: rules[0].execute[2]: "
        + "a second step with the id `a`, the first is at f:5:13; give one of them another",
    "execute: [{authorizer: yes, if: ''}]|f:5:36: rules[0].execute[0].if: a condition must not be empty, leave "
        + "`if` out where there is none",
    "execute: [{authorizer: yes, if: true}]|f:5:35: rules[0].execute[0].if: `true` is a boolean, a string is needed, "
        + "put it in quotes",
    "execute: [{authorizer: no, config: {a: b}}]|f:5:38: rules[0].execute[0].config: the `deny` authorizer cannot "
        + "be reconfigured in a rule, "
        + "define another authorizer for it",
    "execute: [{authorizer: cel, config: 5}]|f:5:39: rules[0].execute[0].config: `5` is a number, a mapping is "
        + "needed, settings "
        + "with: expressions, message, values",
    "execute: [{finalizer: head, config: {headers: {A: b}, headrs: {}}}]|f:5:57: rules[0].execute[0].config: "
        + "unknown key `headrs`, did you mean `headers`?",
    "execute: [{authorizer: yes, fi: x}]|f:5:31: rules[0].execute[0]: unknown key `fi`, did you mean `if`?",
  })
  void saysWhatIsWrongWithAStep(String steps, String message) {
    assertEquals(Optional.empty(), read(rule(steps), false, true));
    assertEquals(message, Catalogues.reported(problems));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "rules: [{id: r}]|f:1:1: `version` is missing, it is `1alpha4`: the format; f:1:9: rules[0]: "
        + "`match` is missing, it is a mapping: the requests that the rule applies to; "
        + "f:1:9: rules[0]: `execute` is missing, it is a "
        + "list of at least 1, each item a mapping: the steps",
    "{version: 1beta2, rules: [], x: y}|f:1:11: version: unsupported rule set version `1beta2`, right is one of: "
        + "1alpha4, 1beta1",
    "{version: 1alpha4, rules: []}|f:1:27: rules: must contain at least 1 item, each a mapping",
    "{version: 1alpha4}|f:1:1: `rules` is missing, it is a list of at least 1, each item a mapping: the rules",
    "[]|f:1:1: this is a list, a mapping is needed, a rule set with: version, name, rules",
  })
  void saysWhatIsWrongWithARuleSet(String rules, String message) {
    assertEquals(Optional.empty(), read(rules, false, true));
    assertEquals(message, Catalogues.reported(problems));
  }

  @Test
  void emptyFileIsNoRuleSetAndNoError() {
    assertEquals(Optional.empty(), read("# nothing yet\n", false, true));
    assertFalse(problems.hasErrors());
    assertTrue(Catalogues.reported(problems).startsWith("f:1:1: warning: the file is empty: it has no rules"));
  }

  @Test
  void proxyModeNeedsAnUpstream() {
    read(rule("execute: [{finalizer: noop}]"), true, true);
    assertEquals("f:3:3: rules[0]: `forward_to` is missing, proxy mode needs an upstream for every rule",
        Catalogues.reported(problems));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "{host: 'http://a'}|f:5:23: rules[0].forward_to.host: invalid host `http://a`, as `app.local` or "
        + "`127.0.0.1:8080`, without scheme and path",
    "{host: a, rewrite: {scheme: http}}|f:5:43: rules[0].forward_to.rewrite.scheme: the scheme of an upstream must "
        + "be https, "
        + "or allow http to upstreams by `--insecure-skip-upstream-tls-enforcement`",
    "{host: a, rewrite: {scheme: ftp}}|f:5:43: rules[0].forward_to.rewrite.scheme: `ftp` is not known here, right "
        + "is one of: https, http, h2c",
    "{host: b, hots: a}|f:5:25: rules[0].forward_to: unknown key `hots`, did you mean `host`?",
  })
  void saysWhatIsWrongWithAnUpstream(String upstream, String message) {
    read(rule("forward_to: " + upstream + "\nexecute: [{finalizer: noop}]"), true, true);
    assertEquals(message, Catalogues.reported(problems));
  }

  @Test
  void aRuleWithoutAnyAuthenticatorIsRefused() {
    read(rule("execute: [{finalizer: noop}]"), false, false);
    assertEquals("f:3:7: rules[0].id: rule `r` has no authenticator, name one, or give the default rule one",
        Catalogues.reported(problems));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "{execute: [{authenticator: anon}]}|f:1:1: default_rule: insecure default rule: it admits everyone, begin "
        + "with another authenticator, "
        + "or allow it by `--insecure-skip-secure-default-rule-enforcement`",
    "{execute: [{finalizer: noop}]}|f:1:1: default_rule: the default rule has no authenticator, one that denies is "
        + "of type `unauthorized`",
    "{execute: [{authenticator: none}, {authenticator: anon}]}|''",
  })
  void checksTheDefaultRule(String rule, String message) {
    RuleReader.readDefaultRule(Catalogues.node(rule, problems).orElseThrow(), catalogue, problems);
    assertEquals(message, Catalogues.reported(problems));
  }

  @Test
  void reportsBrokenDefinitionOnce() {
    Catalogue broken = Catalogues.of("authenticators: [{id: n, type: anonymous}]\nauthorizers: [{id: a, type: cel, "
        + "config: {}}]", Enforcement.ALL, problems);
    new RuleReader(broken, Optional.empty(), false, Optional.empty()).read("test",
        new SourceFile("f", rule("execute: [{authenticator: n}, {authorizer: a}]")), problems).set();
    assertEquals("f:2:42: authorizers[0].config: `expressions` is missing, it is a list of at least 1, each item a "
        + "mapping: expressions that must all be true", Catalogues.reported(problems));
  }

  @Test
  void fetchedRuleSetsTakeMemoryForParsing() {
    SourceFile set = new SourceFile("http://a", rule("execute: [{authenticator: anon}]"));
    RuleReader reader = new RuleReader(catalogue, Optional.empty(), false, Optional.empty());
    try (FullMemory _ = new FullMemory()) {
      assertTrue(reader.read("http_endpoint:http://a", set, problems).set().isEmpty());
      assertTrue(reader.read("file_system:/a", set, new Problems()).set().isPresent(), "files of the operator do not");
    }
    assertEquals("http://a:1:1: the rule set cannot be parsed now: too much is being parsed at once",
        problems.sorted().getFirst().text());
    assertTrue(reader.read("http_endpoint:http://a", set, new Problems()).set().isPresent());
  }
}
