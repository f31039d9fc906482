package portcullis.policy.pipeline;

import java.util.Optional;
import java.util.function.Supplier;
import portcullis.lang.expression.EvaluationFailure;
import portcullis.lang.expression.Expression;
import portcullis.lang.expression.Variables;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.Subject;

/**
 * A step of a pipeline.
 *
 * @param id under which later steps read its output
 * @param source the id of the definition
 * @param type of the definition, as {@code jwt}
 * @param condition under which the step is executed
 * @param principal which subject of the request an authenticator determines
 */
public record Step<K extends Mechanism>(String id, String source, String type, Optional<Expression> condition,
    K mechanism, String principal) {
  /** Returns a step whose authenticator, if it is one, determines the default principal. */
  public Step(String id, String source, String type, Optional<Expression> condition, K mechanism) {
    this(id, source, type, condition, mechanism, Subject.DEFAULT);
  }

  /** Evaluates the condition; the variables are only computed if there is one. */
  boolean applies(Supplier<Value.Dict> scope) throws Failure {
    try {
      return condition.isEmpty() || condition.get().test(Variables.of(scope.get().members()));
    } catch (EvaluationFailure e) {
      throw new Failure.Internal("failed evaluating the condition of step `" + id + "`", e.getMessage());
    }
  }
}
