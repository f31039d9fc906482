package portcullis.policy.mechanism;

import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.lang.expression.Available;
import portcullis.lang.expression.EvaluationFailure;
import portcullis.lang.expression.Expression;
import portcullis.lang.expression.Variables;
import portcullis.lang.source.LocatedText;
import portcullis.lang.value.Value;

/** Decodes and evaluates lists of expressions that must all be true. */
public final class Checks {
  private static final Key<LocatedText> EXPRESSION = Key.required("expression", Decoders.located(),
      "a CEL expression that is true or false");
  private static final Key<Optional<String>> MESSAGE = Key.optional("message", Decoders.text(),
      "the error message if it is false");

  private Checks() {}

  /** An expression that must be true, and the error message if it is not. */
  public record Check(Expression expression, LocatedText text, Optional<String> message) {}

  /**
   * Returns the decoder of a list with at least that many expressions.
   *
   * @param available what they can read
   */
  public static Decoder<List<Check>> decoder(int least, Available available) {
    Decoder<Check> one = Decoders.checked("an expression", List.of(EXPRESSION, MESSAGE), (parts, problems) -> Expression
        .condition(parts.get(EXPRESSION), available, problems)
        .map(e -> new Check(e, parts.get(EXPRESSION), parts.get(MESSAGE))));
    return Decoders.list(one, least);
  }

  /**
   * Fails unless all expressions are true.
   *
   * @param defaultMessage the error message of expressions without one
   */
  public static void verify(List<Check> checks, Optional<String> defaultMessage, Value.Dict scope) throws Failure {
    for (int i = 0; i < checks.size(); i++) {
      Check check = checks.get(i);
      if (!holds(check, i + 1, scope)) {
        throw new Failure.Authorization(
            check.message().or(() -> defaultMessage).orElse("expression " + (i + 1) + " failed"),
            new FailedCheck(check.text(), scope));
      }
    }
  }

  private static boolean holds(Check check, int number, Value.Dict scope) throws Failure {
    try {
      return check.expression().test(Variables.of(scope.members()));
    } catch (EvaluationFailure e) {
      throw new Failure.Internal("failed evaluating expression " + number, e.getMessage());
    }
  }
}
