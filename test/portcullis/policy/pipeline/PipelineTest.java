package portcullis.policy.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.policy.rule.Rules;

class PipelineTest {
  private static final String MECHANISMS = """
      authenticators: [{id: anon, type: anonymous}, {id: ann, type: anonymous, config: {subject: ann}}, {id: none, \
      type: unauthorized},
                       {id: basic, type: basic_auth, config: {user_id: u, password: p}}]
      authorizers: [{id: yes, type: allow}, {id: no, type: deny},
                    {id: is, type: cel, config: {values: {who: ann}, expressions: [{expression: 'Subject.ID == \
      Values.who', message: not she}]}},
                    {id: knows, type: cel, config: {expressions: [{expression: 'Outputs.texts.path == "/a"'}]}},
                    {id: breaks, type: cel, config: {expressions: [{expression: 'Subject.Attributes.level == 3'}]}}]
      contextualizers: [{id: texts, type: map, config: {items: {path: '{{ .Request.URL.Path }}', who: '{{ .Subject.ID \
      }}'}}},
                        {id: bad, type: map, config: {items: {x: '{{ index .Subject.Attributes "a" "b" }}'}}}]
      finalizers: [{id: noop, type: noop}, {id: tell, type: header, config: {headers: {X-User: '{{ .Subject.ID }}'}}},
                   {id: lines, type: header, config: {headers: {X-L: "a\\n\\nb"}}}]
      error_handlers: [{id: ask, type: www_authenticate, config: {}}, {id: teapot, type: generic, config: {code: 418}},
                       {id: away, type: redirect, config: {to: 'http://login.local/?to={{ .Request.URL | urlenc }}'}},
                       {id: odd, type: generic, config: {code: 200, body: '{{ index .Request.ClientIPAddresses 9 }}'}}]
      """;

  private static String run(String steps) {
    return Rules.outcome(
        Rules.pipeline(MECHANISMS, steps.replace("; ", "\n")).run(
            Rules.request("/a", "b=c", "Accept", "text/html"), AccessGuard.OPEN,
            Observer.NONE));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "execute: [{authenticator: anon}]|passed anonymous []",
    "execute: [{authenticator: none}, {authenticator: ann}, {authenticator: anon}]|passed ann []",
    "execute: [{authenticator: none}, {authenticator: basic}]|authentication error: expected header not present in "
        + "request: "
        + "argument error: no 'Authorization' header present @basic/basic",
    "execute: [{authenticator: anon, if: 'Request.Method == \"POST\"'}]|authentication error: no authenticator "
        + "applies @/",
    "execute: [{authenticator: anon, if: 'Request.Method == \"POST\"'}, {authenticator: ann}]|passed ann []",
    "execute: [{authenticator: anon, config: {subject: bob}}]|passed bob []",
    "execute: [{authenticator: anon, config: {subject: \"a\\nb\"}}]|authentication error: the subject has a control "
        + "character @anon/anon",
    "execute: [{authenticator: anon, config: {subject: \"a\\eb\"}}, {authenticator: ann}]|passed ann []",
  })
  void firstAcceptingAuthenticatorSetsTheSubject(String steps, String outcome) {
    assertEquals(outcome, run(steps));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "execute: [{authenticator: ann}, {authorizer: is}, {finalizer: tell}]|passed ann [X-User: ann]",
    "execute: [{authenticator: anon}, {authorizer: is}, {finalizer: tell}]|authorization error: not she @is/is",
    "execute: [{authenticator: anon}, {authorizer: is, id: own, config: {values: {who: anonymous}}}]|passed "
        + "anonymous []",
    "execute: [{authenticator: anon}, {authorizer: is, config: {expressions: [{expression: 'false'}], message: "
        + "never}}]|"
        + "authorization error: never @is/is",
    "execute: [{authenticator: anon}, {authorizer: is, config: {expressions: [{expression: 'false'}]}}]|"
        + "authorization error: expression 1 failed @is/is",
    "execute: [{authenticator: anon}, {authorizer: no, if: 'Subject.ID == \"ann\"'}]|passed anonymous []",
    "execute: [{authenticator: anon}, {authorizer: no}]|authorization error: denied by authorizer @no/no",
  })
  void authorizersStopWhatTheyDoNotAllow(String steps, String outcome) {
    assertEquals(outcome, run(steps));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "execute: [{authenticator: ann}, {contextualizer: texts}, {authorizer: knows}]|passed ann [] "
        + "{\"texts\":{\"path\":\"/a\",\"who\":\"ann\"}}",
    "execute: [{authenticator: ann}, {contextualizer: texts, id: t}]|passed ann [] "
        + "{\"t\":{\"path\":\"/a\",\"who\":\"ann\"}}",
    "execute: [{authenticator: ann}, {finalizer: lines}, {finalizer: tell}]|passed ann [X-L: a, X-L: b, X-User: ann]",
  })
  void stepsHandOnWhatTheyFindOut(String steps, String outcome) {
    assertEquals(outcome, run(steps));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "execute: [{authenticator: none}]; on_error: [{error_handler: ask}]|401",
    "execute: [{authenticator: none}]; on_error: [{error_handler: teapot, if: type(Error) == authorization_error}, "
        + "{error_handler: ask}]|401",
    "execute: [{authenticator: anon}, {authorizer: no}]; on_error: [{error_handler: teapot, if: type(Error) == "
        + "authorization_error}]|418",
    "execute: [{authenticator: none}]; on_error: [{error_handler: away, if: "
        + "'Request.Header(\"Accept\").contains(\"text/html\")'}]|302",
    "execute: [{authenticator: none}]; on_error: [{error_handler: default}, {error_handler: teapot}]|none",
    "execute: [{authenticator: none}]; on_error: [{error_handler: teapot, if: 'Error.Source == \"other\"'}]|none",
    "execute: [{authenticator: none, id: first}]; on_error: [{error_handler: teapot, if: 'Error.Source == \"none\" "
        + "&& Error.StepID == \"first\"'}]|418",
  })
  void theFirstErrorHandlerThatAppliesAnswers(String steps, String status) {
    String outcome = run(steps);
    assertEquals(status, outcome.contains(" answered ") ? outcome.substring(outcome.lastIndexOf(' ') + 1) : "none",
        outcome);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "execute: [{authenticator: anon}, {authorizer: breaks}]|internal error: failed evaluating expression 1: ",
    "execute: [{authenticator: anon}, {contextualizer: bad}]|internal error: failed to render templates for the "
        + "map contextualizer: x: ",
    "execute: [{authenticator: none}]; on_error: [{error_handler: odd}]|internal error: failed to render the body: ",
    "execute: [{authenticator: anon}, {authorizer: yes, if: 'Subject.Attributes.level == 3'}]|internal error: "
        + "failed evaluating the condition of step `yes`: ",
    "execute: [{authenticator: none}]; on_error: [{error_handler: teapot, if: 'Request.URL.Captures.x == \"1\"'}]|"
        + "internal error: failed evaluating the condition of step `teapot`: ",
  })
  void whatCannotBeEvaluatedIsAnInternalError(String steps, String beginning) {
    String outcome = run(steps);
    assertEquals(beginning, outcome.substring(0, Math.min(outcome.length(), beginning.length())), outcome);
  }
}
