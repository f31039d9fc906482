package portcullis.policy.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;

/** Members of known objects in templates. */
class TemplateVariablesTest {
  private static String problems(String template) {
    Problems problems = new Problems();
    TemplateVariables.compile(LocatedText.of("t", template), problems);
    return problems.sorted().stream().findFirst().map(Problem::text).orElse("");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '!', quoteCharacter = '~', textBlock = """
      {{ .Subject.ID }} {{ .Subject.Attributes.a.b }} {{ .Request.Header "X" }} {{ .Outputs.a.b }} {{ .Values.a }}
      {{ .Request.Body.a.b }} {{ .Request.Headers.X }} {{ .Request.URL.Captures.a }} {{ .Request.URL.Query.a }}
      {{ .Request.URL.User.Username }} {{ .Request.URL.String }} {{ (.Request.URL.JoinPath "a").Path }}
      {{ with .Subject }}{{ .ID }}{{ end }} {{ range .Outputs.list }}{{ .Id }}{{ end }} {{ $.Subject.ID }}
      {{ $s := .Subject }}{{ $s.ID }} {{ $s = "a" }}{{ define "x" }}{{ .Id }}{{ end }}{{ template "x" .Subject }}
      {{ .Subject.other.ID }} {{ if .Request.Body }}a{{ else }}b{{ end }} {{ "X" | .Request.Header }}
      """)
  void membersThatExistAreNoProblem(String template) {
    assertEquals("", problems(template));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '!', quoteCharacter = '~', textBlock = """
      a {{ .Subject.Id }}         ! t:1:15: no member `Id` in `Subject`, did you mean `ID`?
      {{ .Request.Methd }}        ! t:1:13: no member `Methd` in `Request`, did you mean `Method`?
      {{ .Request.URL.Pth }}      ! t:1:17: no member `Pth` in `URL`, did you mean `Path`?
      {{ .Request.Header }}       ! t:1:13: `Header` takes one string, as `Header "…"`
      {{ .Subjct.ID }}            ! t:1:5: there is no variable `.Subjct`, did you mean `.Subject`?
      {{ .Foo }}                  ! t:1:5: warning: there is no variable `.Foo`, known: AuthenticationData, Outputs, \
      Request, Subject, TokenIssuer, Values
      {{ .Subject.email }}        ! t:1:13: warning: no member `email` in `Subject`, known: Attributes, ID
      {{ with .Subject }}{{ .Id | quote }}{{ end }} ! t:1:24: no member `Id` in `Subject`, did you mean `ID`?
      {{ $s := .Subject }}{{ $s.Id }}               ! t:1:27: no member `Id` in `Subject`, did you mean `ID`?
      {{ range .Outputs.l }}{{ $.Subject.Id }}{{ end }} ! t:1:36: no member `Id` in `Subject`, did you mean `ID`?
      {{ if eq (.Request.Methd) "GET" }}a{{ end }}  ! t:1:20: no member `Methd` in `Request`, did you mean `Method`?
      """)
  void namesTheMemberThatDoesNotExist(String template, String problem) {
    assertEquals(problem, problems(template));
  }
}
