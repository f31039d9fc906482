package portcullis.policy.pipeline;

import java.util.Optional;
import java.util.function.Supplier;
import portcullis.lang.expression.EvaluationFailure;
import portcullis.lang.expression.Expression;
import portcullis.lang.expression.Variables;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;

/**
 * One step of a pipeline.
 *
 * @param id what later steps call its output
 * @param source the id of the definition
 * @param type the type of the definition, as {@code jwt}
 * @param condition whether the step is taken at all
 */
public record Step<K extends Mechanism>(String id, String source, String type, Optional<Expression> condition,
    K mechanism) {
  /** Whether the step is taken for what the scope holds, which is asked for only where it matters. */
  boolean applies(Supplier<Value.Dict> scope) throws Failure {
    try {
      return condition.isEmpty() || condition.get().test(Variables.of(scope.get().members()));
    } catch (EvaluationFailure e) {
      throw new Failure.Internal("failed evaluating the condition of step `" + id + "`", e.getMessage());
    }
  }
}
