package portcullis.policy.errorhandler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.policy.pipeline.AccessGuard;
import portcullis.policy.pipeline.Observer;
import portcullis.policy.pipeline.PipelineResult;
import portcullis.policy.rule.Rules;

/** What templates of error handlers read where nobody is known, and where somebody is. */
class NobodyTest {
  private static String reported(String authenticator, String template) {
    String mechanisms = "authenticators: [{id: nobody, type: unauthorized}, {id: bob, type: anonymous, config: "
        + "{subject: bob}}]\n"
        + "authorizers: [{id: deny, type: deny}]\n"
        + "error_handlers: [{id: say, type: generic, config: {code: 418, body: '" + template
        + "', values: {who: '{{ .Subject.ID }}'}}}]\n";
    PipelineResult result = Rules
        .pipeline(mechanisms, "execute: [{authenticator: " + authenticator + "}, {authorizer: deny}]\n"
            + "on_error: [{error_handler: say}]")
        .run(Rules.request("/a", ""), AccessGuard.OPEN, Observer.NONE);
    return new String(((PipelineResult.Failed) result).answer().orElseThrow().answer().body(), StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource(delimiter = '§', quoteCharacter = '`', value = {
    "{{ .Subject }}§<no value>§{\"Attributes\":{},\"ID\":\"bob\"}",
    "{{ .Subject.ID }}§<no value>§bob",
    "{{ .Subject.Attributes.mail }}§<no value>§<no value>",
    "{{ .Subject.ID | default \"stranger\" }}§stranger§bob",
    "{{ default \"stranger\" .Subject.ID }}§stranger§bob",
    "{{ if .Subject }}known{{ else }}unknown{{ end }}§unknown§known",
    "{{ with .Subject }}{{ .ID }}{{ else }}-{{ end }}§-§bob",
    "{{ .Values.who }}§<no value>§bob",
  })
  void aMissingSubjectIsNoValue(String template, String nobody, String bob) {
    assertEquals(nobody, reported("nobody", template));
    assertEquals(bob, reported("bob", template));
  }
}
