package portcullis.policy.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import portcullis.fixture.KeyList;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.policy.pipeline.RuleSetVersion;

class RuleSetConversionTest {
  private static final String ALPHA = """
      version: 1alpha4
      name: orders
      rules:
          - id: r:1
            allow_encoded_slashes: "off"
            match:
              routes:
                  - path: /a/:id
                    path_params:
                      - name: id
                        value: '*x*'
                        type: glob
              scheme: https
              methods:
                  - '!GET'
                  - ALL
              hosts:
                  - value: a.example
                    type: wildcard
                  - value: '*.example'
                    type: wildcard
            readings:
              case: guard
            forward_to:
              host: ${HOST}
              forward_host_header: false
              rewrite:
                  scheme: http
                  strip_path_prefix: ""
                  add_path_prefix: ""
                  strip_query_parameters: []
            execute:
              - authenticator: anon
              - config:
                  claims: |
                      {"a": {{ quote .Subject.ID }}}

                      x
                  empty: {}
                  list:
                      - 1
                      - 1.5
                      - "1"
                      - - a
                      - "y": null
                  text: 'a: b'
                finalizer: jwt
                id: token
                if: Request.Method == "GET"
            on_error:
              - error_handler: page
      """;

  private static final String FLOW = "version: 1alpha4\nrules: [{id: r, match: {routes: [{path: /a, path_params: "
      + "[{name: a, type: exact, value: b}]}], hosts: [{type: exact, value: h}]}, execute: [{config: {b: '2', a: 1}, "
      + "if: 'true', authorizer: allow, id: x}]}]";

  private final Problems problems = new Problems();

  private Optional<String> convert(String text, RuleSetVersion target) {
    return RuleSetConversion.convert(new SourceFile("f", text), target, problems);
  }

  @Test
  void aRuleSetComesBackAsItWas() {
    String beta = convert(ALPHA, RuleSetVersion.BETA1)
        .orElseThrow(() -> new AssertionError(Catalogues.reported(problems)));
    assertEquals("", Catalogues.reported(problems));
    String again = convert(convert(beta, RuleSetVersion.ALPHA4).orElseThrow(), RuleSetVersion.BETA1).orElseThrow();
    assertEquals(beta, again);
  }

  @Test
  void stepsAndPathsGetTheirNewNames() {
    assertEquals("""
        version: 1beta1
        rules:
            - id: r
              match:
                http:
                    paths:
                        - path: /a
                          captures:
                            - name: a
                              value: b
                              type: exact
                    hosts:
                        - h
              execute:
                - id: x
                  if: "true"
                  authorizer: allow
                  config:
                    a: 1
                    b: "2"
        """, convert(FLOW, RuleSetVersion.BETA1).orElseThrow());
  }

  @ParameterizedTest
  @CsvSource({"2024-01-01,2024-01-01T00:00:00Z", "2024-1-2 3:4:5.120,2024-01-02T03:04:05.12Z",
    "2024-01-02t03:04:05+02:00,2024-01-02T03:04:05+02:00", "2024-13-01,2024-13-01", "2024-01,2024-01"})
  void unquotedTimesAreWrittenAsHeimdallDoes(String written, String converted) {
    String text = convert(FLOW.replace("a: 1", "a: " + written), RuleSetVersion.BETA1).orElseThrow();
    assertTrue(text.contains("a: \"" + converted + "\"") || text.contains("a: " + converted), text);
    assertEquals(written.equals(converted) ? 0 : 1, problems.sorted().size());
    String quoted = convert(FLOW.replace("a: 1", "a: '" + written + "'"), RuleSetVersion.BETA1).orElseThrow();
    assertTrue(quoted.contains(written), quoted);
  }

  @Test
  void jsonStaysJson() {
    assertEquals(
        "{\"version\":\"1alpha4\",\"rules\":[{\"id\":\"r\",\"match\":{\"routes\":[{\"path\":\"/\\u003ca\\u003e\"}],"
            + "\"hosts\":[{\"value\":\"h\",\"type\":\"wildcard\"}]},\"forward_to\":{\"host\":\"u\","
            + "\"rewrite\":{\"scheme\":\"\","
            + "\"strip_path_prefix\":\"/a\",\"add_path_prefix\":\"\",\"strip_query_parameters\":null}},"
            + "\"execute\":[{\"authenticator\":\"a\"}]}]}",
        convert("{\"version\":\"1beta1\",\"rules\":[{\"id\":\"r\",\"match\":{\"http\":{\"paths\":[{\"path\":\"/<a>\"}],"
            + "\"hosts\":[\"h\"]}},\"forward_to\":{\"host\":\"u\",\"rewrite\":{\"strip_path_prefix\":\"/a\"}},"
            + "\"execute\":[{\"authenticator\":\"a\"}]}]}", RuleSetVersion.ALPHA4).orElseThrow());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "BETA1|version: 1alpha4|hosts: [{type: glob, value: a}]|execute: [{authenticator: a}]|version `1beta1` has "
        + "no hosts of "
        + "type `glob`",
    "BETA1|version: 1alpha4|scheme: http|execute: [{authenticator: a, colour: red}]|unknown key `colour`",
    "BETA1|version: 1alpha4|scheme: http|execute: [{authenticator: a, if: 'true'}]|the condition of an "
        + "authenticator would "
        + "be lost",
    "ALPHA4|version: 1beta1|scheme: http|execute: [{authenticator: a, if: 'true'}]|the condition of an "
        + "authenticator would "
        + "be lost",
    "ALPHA4|version: 1beta1|scheme: http|execute: [{authenticator: a, principal: b}]|version `1alpha4` has no "
        + "principals",
    "BETA1|version: 1beta1|scheme: http|execute: [{authenticator: a}]|the rule set has version `1beta1` already",
    "BETA1|version: 1alpha3|scheme: http|execute: [{authenticator: a}]|unsupported rule set version `1alpha3`",
    "BETA1|version: 1alpha4|colour: red|execute: [{authenticator: a}]|unknown key `colour`",
  })
  void whatWouldBeLostIsRefused(RuleSetVersion target, String version, String more, String steps, String message) {
    String match = version.endsWith("1beta1") ? "{http: {paths: [{path: /}], " + more + "}}"
        : "{routes: [{path: /}], " + more + "}";
    assertEquals(Optional.empty(),
        convert(version + "\nrules:\n- id: r\n  match: " + match + "\n  " + steps + "\n", target));
    assertEquals(true, Catalogues.reported(problems).contains(message), Catalogues.reported(problems));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "''|f:1:1: the file holds no rule set",
    "{version: 1alpha4, rules: []}|f:1:27: rules: must contain at least 1 item, each a mapping",
    "'a: b\n---\nc: d'|f:1:1: the file holds 2 documents, convert each from a file of its "
        + "own",
    "{apiVersion: a, kind: RuleSet}|f:1:1: an object of Kubernetes cannot be converted, convert what is in its "
        + "`spec`, with "
        + "`version` instead of `apiVersion`",
  })
  void saysWhatCannotBeConverted(String text, String message) {
    assertEquals(Optional.empty(), convert(text, RuleSetVersion.BETA1));
    assertEquals(message, Catalogues.reported(problems));
  }

  @Test
  void warnsWhereTheMeaningChanges() {
    String rule = "version: 1alpha4\nrules:\n- id: r\n  match: {routes: [{path: /}], backtracking_enabled: true}\n"
        + "  execute: [{authenticator: a, principal: b}]\n  on_error: [{error_handler: c}, {error_handler: d}]\n";
    convert(rule, RuleSetVersion.BETA1).orElseThrow();
    assertEquals(3, problems.sorted().size(), Catalogues.reported(problems));
  }

  @ParameterizedTest
  @EnumSource(RuleSetVersion.class)
  void whereNothingMayNotBeWrittenIsListed(RuleSetVersion target) throws IOException {
    KeyList.assertRestricting("conversion to " + target.text(), new RuleSetConversion(target, false).set().shape());
  }
}
