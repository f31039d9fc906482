package portcullis.pipeline;

import java.util.Optional;
import java.util.function.Supplier;
import portcullis.expression.EvaluationFailure;
import portcullis.expression.Expression;
import portcullis.expression.Variables;
import portcullis.mechanism.Failure;
import portcullis.mechanism.Mechanism;
import portcullis.value.Value;

/**
 * One step of a pipeline.
 *
 * @param id what later steps call its output
 * @param source the id of the definition
 * @param type the type of the definition, as {@code jwt}
 * @param condition whether the step is taken at all
 */
public record Step<K extends Mechanism>(String id, String source, String type, Optional<Expression> condition, K mechanism) {
  /** Whether the step is taken for what the scope holds, which is asked for only where it matters. */
  boolean applies(Supplier<Value.Dict> scope) throws Failure {
    try {
      return condition.isEmpty() || condition.get().test(Variables.of(scope.get().members()));
    } catch (EvaluationFailure e) {
      throw new Failure.Internal("failed evaluating the condition of step `" + id + "`", e.getMessage());
    }
  }
}
