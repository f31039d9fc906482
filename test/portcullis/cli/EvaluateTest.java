package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EvaluateTest {
  private static final String CONTEXT = """
      Request:
        Method: POST
        URL: https://App.example:8443/orders/a%2Fb?page=2&page=3
        Headers: { X-Trace: t-1, X-Many: [one, two], Cookie: sid=abc }
        Captures: { id: 42 }
        Body: { total: 12.5, lines: [1, 2] }
        ClientIPAddresses: [ 203.0.113.7, 10.0.0.1 ]
      Subject: { ID: alice, Attributes: { groups: [dev, ops], age: 42, none: null, admin: true } }
      Values: { tenant: acme }
      Outputs: { profile: { mail: a@b.c } }
      Payload: { allowed: true }
      Error: { Kind: authentication_error, Source: jwt, StepID: first }
      """;

  @TempDir
  private Path folder;
  private String context;

  @BeforeEach
  void written() throws IOException {
    context = Files.writeString(folder.resolve("context.yaml"), CONTEXT).toString();
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "{{ .Subject.ID }} {{ .Subject.Attributes.age }}|alice 42",
    "{{ .Request.Method }} {{ .Request.URL }}|POST https://app.example:8443/orders/a%2Fb?page=2&page=3",
    "{{ .Request.Header \"x-many\" }} {{ .Request.Cookie \"sid\" }}|one,two abc",
    "{{ .Request.URL.Captures.id }} {{ .Request.Body.total }}|42 12.5",
    "{{ .Request.ClientIPAddresses }} {{ .Values.tenant }} {{ .Outputs.profile.mail }}|[203.0.113.7 10.0.0.1] acme "
        + "a@b.c",
    "{{ .Payload.allowed }}|true",
  })
  void aTemplateSeesTheContext(String template, String wanted) {
    assertEquals(new CommandResult(0, wanted + "\n", ""),
        CommandResult.of("eval", "template", "--context", context, template));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "'dev' in Subject.Attributes.groups|true",
    "Subject.Attributes.none == null && Subject.Attributes.admin|true",
    "Request.URL.Query()['page']|[\"2\",\"3\"]",
    "Request.Body().lines.map(x, x + 1.0)|[2.0,3.0]",
    "type(Error) == authentication_error && Error.Source == 'jwt'|true",
    "Outputs.profile|{\"mail\":\"a@b.c\"}",
  }, quoteCharacter = '`')
  void anExpressionSeesTheContext(String expression, String wanted) {
    CommandResult reported = CommandResult.of("eval", "expression", "-x", context, expression);
    assertEquals("", reported.err());
    assertEquals(wanted.replace(".0", ""), reported.out().strip().replace(".0", ""));
  }

  @Test
  void withoutContextThereIsAPlainRequest() {
    assertEquals(new CommandResult(0, "GET http://localhost/ []\n", ""),
        CommandResult.of("eval", "template", "{{ .Request.Method }} {{ .Request.URL }} {{ .Outputs | values }}"));
  }

  @Test
  void faultsAreShownInTheText() {
    assertEquals(new CommandResult(1, "", """
        template:2:4: unknown function `uper`, did you mean `upper`?
            {{ uper "x" }}
               ^^^^
        1 error
        """), CommandResult.of("eval", "template", "a\n{{ uper \"x\" }}"));
    assertEquals(new CommandResult(1, "", """
        expression:1:14: unexpected `=`, did you mean `==`?
            Subject.ID === 1
                         ^
        1 error
        """), CommandResult.of("eval", "expression", "Subject.ID === 1"));
  }

  @Test
  void faultsOfARunAreShownInTheText() {
    CommandResult reported = CommandResult.of("eval", "template", "-x", context, "{{ .Subject.Name }}");
    assertEquals(1, reported.status());
    assertTrue(reported.err().startsWith("template:1:4: "), reported.err());
    assertTrue(reported.err().contains("\n    {{ .Subject.Name }}\n       ^"), reported.err());
    CommandResult missing = CommandResult.of("eval", "expression", "-x", context, "Subject.Attributes.mail == 'x'");
    assertEquals(1, missing.status());
    assertTrue(missing.err().startsWith("expression:1:1: ") && missing.err().contains("`mail`"), missing.err());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "Requst: {}|context.yaml:1:1: unknown key `Requst`, did you mean `Request`?",
    "Request: { URL: shop }|context.yaml:1:17: Request.URL: this is no URL of a request",
    "Request: { URL: 'https://a b/' }|context.yaml:1:18: Request.URL: this is no URL of a request: the target has "
        + "a blank",
    "Subject: { ID: a, Attributes: [] }|context.yaml:1:31: Subject.Attributes: this is a list, a mapping is needed",
    "Error: { Kind: authn }|context.yaml:1:16: Error.Kind: `authn` is not known here",
  })
  void faultsOfTheContextAreShownInTheFile(String text, String wanted) throws IOException {
    Path file = Files.writeString(folder.resolve("context.yaml"), text);
    CommandResult reported = CommandResult.of("eval", "template", "--context", file.toString(), "x");
    assertEquals(1, reported.status());
    assertTrue(reported.err().startsWith(folder + "/" + wanted), reported.err());
  }

  @Test
  void requiresAContextAndOneExpression() {
    assertTrue(CommandResult.of("eval", "template", "--context", "nowhere", "x").err()
        .startsWith("cannot read the context file "
            + "`nowhere`"));
    assertEquals(2, CommandResult.of("eval", "expression").status());
    assertEquals(2, CommandResult.of("eval", "expression", "1", "2").status());
  }
}
