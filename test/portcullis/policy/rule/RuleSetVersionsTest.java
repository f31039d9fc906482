package portcullis.policy.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Value;
import portcullis.policy.catalogue.Catalogue;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.pipeline.AccessGuard;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.RuleSetVersion;
import portcullis.policy.route.RouteSet;

/** Rule sets of both versions, plain and as objects of Kubernetes, on one model. */
class RuleSetVersionsTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: eve, type: anonymous, config: {subject: eve}}, \
      {id: none, type: unauthorized}]
      authorizers: [{id: no, type: deny}, {id: yes, type: allow}]
      contextualizers: [{id: dump, type: map, config: {items: {s: '{{ toJson .Subject }}'}}}]
      finalizers: [{id: head, type: header, config: {headers: {X: '{{ .Subject.ID }} {{ .Subject.other.ID }}'}}}]
      error_handlers: [{id: teapot, type: generic, config: {code: 418}}, {id: slow, type: generic, \
      config: {code: 425}}, \
      {id: plain, type: default}]
      """;
  private static final String FAILING = "execute: [{authenticator: anon}, {authorizer: no}]\n";

  private final Problems problems = new Problems();
  private final Catalogue catalogue = Catalogues.of(MECHANISMS, Enforcement.ALL, problems);

  private Optional<RouteSet<Rule>> read(String text) {
    return new RuleReader(catalogue, Optional.empty(), false, Optional.empty()).read("test", new SourceFile("f", text),
        problems).set();
  }

  private static String set(String version, String steps) {
    String match = version.equals("1beta1") ? "{http: {paths: [{path: /}]}}" : "{routes: [{path: /}]}";
    return "version: " + version + "\nrules:\n- id: r\n  match: " + match + "\n" + steps.indent(2);
  }

  private String outcome(String version, String steps) {
    RouteSet<Rule> set = read(set(version, steps)).orElseThrow(() -> new AssertionError(Catalogues.reported(problems)));
    return Rules.outcome(
        set.entries().getFirst().value().pipeline().run(Rules.request("/", ""), AccessGuard.OPEN, Observer.NONE));
  }

  private String ids(String text) {
    return read(text).map(set -> String.join(" ", set.entries().stream().map(e -> e.value().id()).toList()))
        .orElse("none");
  }

  @Test
  void theVersionDecidesWhichErrorHandlersRun() {
    String two = FAILING + "on_error: [{error_handler: teapot}, {error_handler: slow}]\n";
    assertTrue(outcome("1alpha4", two).endsWith(" answered 418"));
    assertTrue(outcome("1beta1", two).endsWith(" answered 425"));
    assertFalse(outcome("1beta1", FAILING + "on_error: [{error_handler: teapot}, {error_handler: plain}]")
        .contains("answered"));
    assertTrue(outcome("1beta1", FAILING + "on_error: [{error_handler: teapot}, {error_handler: slow, if: 'false'}]")
        .endsWith(" answered 418"));
  }

  @Test
  void principalsAreAuthenticatedSeparately() {
    String both = "execute: [{authenticator: anon}, {authenticator: eve, principal: other}, {contextualizer: dump}, "
        + "{finalizer: head}]";
    assertEquals("passed anonymous [X: anonymous eve] {\"dump\":{\"s\":\"{\\\"default\\\":{\\\"Attributes\\\":{},"
        + "\\\"ID\\\":\\\"anonymous\\\"},\\\"other\\\":{\\\"Attributes\\\":{},\\\"ID\\\":\\\"eve\\\"}}\"}}",
        outcome("1beta1", both));
    assertEquals("passed anonymous [] {\"dump\":{\"s\":\"{\\\"Attributes\\\":{},\\\"ID\\\":\\\"anonymous\\\"}\"}}",
        outcome("1alpha4", both.replace(", {finalizer: head}", "")));
  }

  @Test
  void everyPrincipalHasToBeAuthenticated() {
    String second = "execute: [{authenticator: anon}, {authenticator: none, principal: other}]";
    assertTrue(outcome("1beta1", second).endsWith(" @none/none"), outcome("1beta1", second));
    assertEquals("passed anonymous []", outcome("1alpha4", second));
    String fallback = "execute: [{authenticator: none, principal: other}, {authenticator: anon}, "
        + "{authenticator: eve, principal: other}]";
    assertEquals("passed anonymous []", outcome("1beta1", fallback));
  }

  @Test
  void identityHasEveryPrincipal() {
    SortedMap<String, Subject> principals = new TreeMap<>();
    principals.put("other", new Subject("eve", Value.Dict.EMPTY));
    principals.put(Subject.DEFAULT, new Subject("adam", Value.Dict.EMPTY));
    assertEquals(List.of("adam", "{}", "other", "eve", "{}"), Subject.of(principals).identity());
    assertEquals(List.of("adam", "{}"), new Subject("adam", Value.Dict.EMPTY).identity());
  }

  @Test
  void aMissingPrincipalIsAnError() {
    String steps = "execute: [{authenticator: anon}, {finalizer: head}]";
    assertTrue(outcome("1beta1", steps).startsWith("internal error: "), outcome("1beta1", steps));
  }

  @ParameterizedTest
  @CsvSource({"1alpha4", "1beta1"})
  void aSkippedAuthenticatorIsNoSuccess(String version) {
    assertEquals("authentication error: no authenticator applies @/",
        outcome(version, "execute: [{authenticator: anon, if: 'false'}]"));
    assertEquals("passed eve []",
        outcome(version, "execute: [{authenticator: anon, if: 'false'}, {authenticator: eve}]"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "1beta1|execute: [{authenticator: anon, colour: red}]|f:5:35: rules[0].execute[0]: unknown key `colour`, known"
        + ": authenticator, authorizer, config, contextualizer, finalizer, id, if, principal",
    "1beta1|execute: [{authenticator: anon, principal: a}]|f:3:7: rules[0].id: rule `r` has no authenticator of the "
        + "principal `default`, leave `principal` out at one of them",
    "1beta1|execute: [{authenticator: anon}, {authorizer: yes, principal: a}]|f:5:65: warning: rules[0].execute[1]: "
        + "`principal` has no effect here, only authenticators determine principals",
    "1alpha4|execute: [{authenticator: anon, principal: a}]|f:5:35: warning: rules[0].execute[0]: unknown key "
        + "`principal` has no effect, remove it",
  })
  void keysOfStepsAreThoseOfTheVersion(String version, String steps, String message) {
    read(set(version, steps));
    assertEquals(message, Catalogues.reported(problems));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "{routes: [{path: /}]}|f:4:11: rules[0].match: unknown key `routes`",
    "{}|f:4:10: rules[0].match: `http` is missing",
    "{http: {paths: [{path: /, path_params: []}]}}|f:4:36: rules[0].match.http.paths[0]: unknown key `path_params`",
    "{http: {paths: [{path: /}], hosts: [{type: exact, value: a}]}}|f:4:46: rules[0].match.http.hosts[0]: this is a "
        + "mapping, a string is needed",
    "{http: {paths: [{path: /}], hosts: ['foo.*']}}|f:4:47: rules[0].match.http.hosts[0]: invalid host `foo.*`, "
        + "a wildcard is the first label, as in "
        + "`*.example.org`",
    "{http: {paths: [{path: /}], backtracking_enabled: true}}|f:4:38: rules[0].match.http: unknown key "
        + "`backtracking_enabled`",
  })
  void matchOfVersion1beta1IsChecked(String match, String message) {
    String text = "version: 1beta1\nrules:\n- id: r\n  match: " + match + "\n  execute: [{authenticator: anon}]\n";
    assertEquals(Optional.empty(), read(text));
    assertTrue(Catalogues.reported(problems).contains(message), Catalogues.reported(problems));
  }

  private static String object(String version, String id) {
    String match = version.equals("v1beta1") ? "{http: {paths: [{path: /" + id + "}], hosts: ['*.a', b]}}"
        : "{routes: [{path: /" + id + "}]}";
    return "{apiVersion: heimdall.dadrus.github.com/" + version + ", kind: RuleSet, metadata: {name: n, namespace: x}, "
        + "spec: {authClassName: default, rules: [{id: " + id + ", match: " + match
        + ", execute: [{authenticator: anon}]}]}, status: {activeIn: 1/1}}";
  }

  @Test
  void objectsOfKubernetesAreRead() {
    assertEquals("a", ids(object("v1alpha4", "a")));
    assertEquals("a b", ids("---\n" + object("v1alpha4", "a") + "\n---\n# none\n---\n" + object("v1beta1", "b")));
    assertEquals("a b c", ids("{apiVersion: v1, kind: List, metadata: {}, items: [" + object("v1alpha4", "a") + ", "
        + object("v1beta1", "b") + "]}\n---\n" + object("v1beta1", "c")));
    assertEquals("", Catalogues.reported(problems));
    assertEquals("a", ids("{apiVersion: v1, kind: Service, spec: {}}\n---\n" + object("v1beta1", "a")));
    assertEquals("f:1:1: warning: an object of kind `Service` has no rules and is ignored",
        Catalogues.reported(problems));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "{apiVersion: heimdall.dadrus.github.com/v1alpha3, kind: RuleSet, spec: {}}|f:1:14: apiVersion: "
        + "`heimdall.dadrus.github.com/v1alpha3` is not known here, did you mean "
        + "`heimdall.dadrus.github.com/v1alpha4`?",
    "{apiVersion: heimdall.dadrus.github.com/v1beta1, kind: RuleSet}|f:1:1: `spec` is missing, it is a mapping: the "
        + "rules",
    "{apiVersion: v1, kind: List, items: [{a: b}]}|f:1:38: items[0]: this is not an object of Kubernetes, as others of "
        + "this file are, give it `apiVersion` and `kind`, or put it into a file of its own",
  })
  void saysWhatIsWrongWithAnObject(String text, String message) {
    assertEquals(Optional.empty(), read(text));
    assertEquals(message, Catalogues.reported(problems));
  }

  @Test
  void aPlainRuleSetIsFollowedByNoOther() {
    assertEquals("r", ids(set("1beta1", "execute: [{authenticator: anon}]") + "---\n" + object("v1beta1", "b")));
    assertTrue(Catalogues.reported(problems).contains("only the first document of a file is read"));
    assertEquals(List.of("1alpha4", "1beta1"), RuleSetVersion.texts());
  }
}
