package portcullis.policy.mechanism;

import java.util.List;
import java.util.Optional;
import portcullis.lang.expression.EvaluationFailure;
import portcullis.lang.expression.Variables;
import portcullis.lang.value.Value;

/** Expressions that all have to be true. */
public final class Checks {
  private Checks() {}

  /** @param otherwise what to say of an expression that has no message of its own */
  public static void pass(List<Languages.Check> checks, Optional<String> otherwise, Value.Dict scope) throws Failure {
    for (int i = 0; i < checks.size(); i++) {
      Languages.Check check = checks.get(i);
      if (!holds(check, i + 1, scope)) {
        throw new Failure.Authorization(
            check.message().or(() -> otherwise).orElse("expression " + (i + 1) + " failed"));
      }
    }
  }

  private static boolean holds(Languages.Check check, int number, Value.Dict scope) throws Failure {
    try {
      return check.expression().test(Variables.of(scope.members()));
    } catch (EvaluationFailure e) {
      throw new Failure.Internal("failed evaluating expression " + number, e.getMessage());
    }
  }
}
