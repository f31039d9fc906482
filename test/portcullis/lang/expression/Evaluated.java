package portcullis.lang.expression;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.fixture.StubObject;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** Compiles and evaluates one expression for a table of tests. */
final class Evaluated {
  private Evaluated() {}

  /** The value as JSON, {@code fails: why}, or the first problem as {@code column+length: message}. */
  static String of(String expression) {
    Problems problems = new Problems();
    return Expression.any(LocatedText.of("t", expression), problems).map(Evaluated::evaluated)
        .orElseGet(() -> first(problems));
  }

  /** The problem that keeps an expression from being a condition, else nothing. */
  static String refusal(String condition) {
    Problems problems = new Problems();
    Optional<Expression> expression = Expression.condition(LocatedText.of("t", condition), problems);
    return expression.isPresent() ? "" : first(problems);
  }

  private static String evaluated(Expression expression) {
    try {
      return JsonText.plain(expression.evaluate(variables()));
    } catch (EvaluationFailure e) {
      return "fails: " + e.getMessage();
    }
  }

  private static String first(Problems problems) {
    Problem problem = problems.sorted().getFirst();
    String[] carets = problem.excerpt().split("\n");
    String under = carets.length == 2 ? carets[1] : "";
    String place = under.indexOf('^') + 1 + "+" + (under.length() - under.indexOf('^'));
    return place + ": " + problem.message() + (problem.hint().isEmpty() ? "" : ", " + problem.hint());
  }

  static Variables variables() {
    Value body = json("{'id': 7, 'none': null}");
    Value request = new StubObject("Request", Map.of("Method", Value.of("GET")),
        Map.of("Header", a -> Value.of("text/" + StubObject.argument(a)), "Body", _ -> body), "request");
    Value attributes = json("{'age': 42, 'admin': true, 'name': 'jo', 'nothing': null, 'groups': ['dev', 'ops'],"
        + " 'a-b': 1, 'big': 9007199254740993}");
    Value subject = new StubObject("Subject", Map.of("ID", Value.of("alice"), "Attributes", attributes), Map.of(),
        "subject");
    return Variables.of(Map.of("Request", request, "Subject", subject, "Values", json("{'tenant': 'acme'}"),
        "Error", new ErrorObject(Set.of(ErrorKind.AUTHENTICATION, ErrorKind.PRECONDITION), "jwt", "")));
  }

  private static Value json(String text) {
    try {
      return Json.read(text.replace('\'', '"'));
    } catch (ValueException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
