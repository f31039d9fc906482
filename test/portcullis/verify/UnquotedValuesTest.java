package portcullis.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.TestKeys;
import portcullis.serve.runtime.Settings;

/** Values of clients that are written unquoted elsewhere than into the JSON of calls. */
class UnquotedValuesTest {
  @TempDir
  private Path folder;

  /** What is written into answers, forms, lists of header fields and tokens has a request that changes it too. */
  @Test
  void unquotedValuesOutsideOfCallsAreShownByARequest() throws IOException {
    String key = Files.writeString(folder.resolve("key.pem"), TestKeys.pem(TestKeys.ec(256))).toString();
    String config = AnalysisTest.CONFIG.replace("default_rule:", """
            - { id: page, type: generic, config: { code: 403, body: '<p>{{ .Request.URL.Path }}</p>' } }
            - { id: safe, type: generic, config: { code: 403, body: '<p>{{ .Request.URL.Path | html }}</p>' } }
          finalizers:
            - { id: list, type: header, config: { headers: { X-L: 'user,{{ .Request.Header "X-G" }}' } } }
            - { id: one, type: header, config: { headers: { X-L: '{{ .Request.Header "X-G" }}' } } }
            - { id: signed, type: jwt, config: { signer: { key_store: { path: %s } },
                claims: '{ "role": "user", "id": "{{ .Request.URL.Captures.id }}" }' } }
        default_rule:""".formatted(key));
    String form = "a={{ .Request.URL.Captures.id }}&role=user";
    Path rules = TestSuite.write(folder.resolve("rules.yaml"), "version: 1alpha4\nrules:\n"
        + AnalysisTest.rule("a", "GET /a/:id", "authenticator: token") + "    on_error: [ { error_handler: page } ]\n"
        + AnalysisTest.rule("b", "GET /b/:id", "authenticator: token") + "    on_error: [ { error_handler: safe } ]\n"
        + AnalysisTest.rule("c", "GET /c/:id", "authenticator: token",
            "authorizer: ask, config: { payload: '" + form + "' }")
        + AnalysisTest.rule("d", "GET /d/:id", "authenticator: token", "finalizer: list")
        + AnalysisTest.rule("e", "GET /e/:id", "authenticator: token", "finalizer: one")
        + AnalysisTest.rule("f", "GET /f/:id", "authenticator: token", "finalizer: signed"));
    Settings settings = Estate.settings(TestSuite.write(folder.resolve("config.yml"), config), Map.of())
        .withRules(rules);
    List<Finding> found = AnalysisTest.run(settings, Analysis.Selection.EVERYTHING).findings();
    assertEquals(List.of(
        "step `page` writes `.Request.URL.Path` into HTML unquoted: a client can change the elements"
            + " <GET https://app.example/a/pcmark%3Cb%3E>",
        "step `ask` writes `.Request.URL.Captures.id` into a form unquoted: a client can change `role`"
            + " <GET https://app.example/c/pcmark%26role%3Dadmin>",
        "step `list` writes `.Request.Header \"X-G\"` into a list in a header field unquoted: a client can change the"
            + " list <GET https://app.example/d/1 -H 'X-G: pcmark,admin'>",
        "step `signed` writes `.Request.URL.Captures.id` into JSON unquoted: a client can change `role`"
            + " <GET https://app.example/f/pcmark%22%2C%22role%22%3A%22admin>"),
        found.stream().filter(f -> f.kind().equals(TaintedTemplates.KIND))
            .map(f -> f.message() + " <" + f.request() + ">").toList());
    assertEquals("changed  <p>/a/pcmark<b></p>", found.stream().filter(f -> f.message().contains("`page`"))
        .findFirst().orElseThrow().details().get(1));
  }
}
