package portcullis.lang.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;

/** Names in conditions that cannot be read at their place in a configuration. */
class MemberCheckTest {
  private static final Available STEPS = Available.of("Request", "Subject", "Outputs");

  private static String problems(String condition, Available available) {
    Problems problems = new Problems();
    Expression.condition(LocatedText.of("t", condition), available, problems);
    return problems.sorted().stream().findFirst().map(Problem::text).orElse("");
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
      Request.Method == 'GET' && Request.URL.Path == '/'       |
      Request.Header('X') == '' || Request.Body.a == 1         |
      Request.URL.Captures.any == '' && Request.URL.User == '' |
      Subject.Attributes.groups.exists(g, g.name == 'x')       |
      ['a'].exists(Request, Request == 'a')                    |
      Outputs.a.b == 1                                         |
      Request.Methd == 'GET'         | t:1:9: no member `Methd` in Request, did you mean `Method`?
      has(Request.URL.Pth)           | t:1:17: no member `Pth` in Request.URL, did you mean `Path`?
      Request.Header['X'] == ''      | t:1:9: no member `Header` in Request, it is a function: \
      `Request.Header("X-Name")`
      Subject.Id == 'x'              | t:1:9: no member `Id` in Subject, did you mean `ID`?
      Subject.email == 'x'           | t:1:9: no member `email` in Subject, attributes are read as \
      `Subject.Attributes.email`
      Subject.other.ID == 'x'        | t:1:9: no member `other` in Subject, attributes are read as \
      `Subject.Attributes.other`
      [1].exists(x, Subject.Id == x) | t:1:23: no member `Id` in Subject, did you mean `ID`?
      Payload.x == 1                 | t:1:1: warning: `Payload` has no value here, so evaluation fails, known: \
      Outputs, Request, Subject
      Values.x == 'a'                | t:1:1: warning: `Values` has no value here, so evaluation fails, known: \
      Outputs, Request, Subject
      """)
  void namesTheMemberThatDoesNotExist(String condition, String problem) {
    assertEquals(problem == null ? "" : problem, problems(condition, STEPS.withoutPrincipals()));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      Subject.other.ID == 'x'           |
      has(Subject.other.Attributes)     |
      Subject.Id.ID == 'x'              |
      Subject.Id == 'x'                 | t:1:9: no member `Id` in Subject, did you mean `ID`?
      Subject.email == 'x'              | t:1:9: warning: no member `email` in Subject, attributes are read as \
      `Subject.Attributes.email`
      """)
  void principalsAreMembersOfSubject(String condition, String problem) {
    assertEquals(problem == null ? "" : problem, problems(condition, STEPS));
  }
}
