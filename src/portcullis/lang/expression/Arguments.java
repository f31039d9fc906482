package portcullis.lang.expression;

import java.util.Arrays;
import java.util.List;

/**
 * What a function is called with, what stood before its name first: as many as one of its signatures has, but of any
 * types.
 *
 * @param function its name, for messages
 */
record Arguments(String function, Val[] values, Meter meter) {
  int count() {
    return values.length;
  }

  Val get(int index) {
    return values[index];
  }

  String text(int index) throws EvaluationFailure {
    if (values[index] instanceof Val.Text text) {
      return text.value();
    }
    throw mismatch();
  }

  long whole(int index) throws EvaluationFailure {
    if (values[index] instanceof Val.Int number) {
      return number.value();
    }
    throw mismatch();
  }

  List<Val> list(int index) throws EvaluationFailure {
    if (values[index] instanceof Val.Items items) {
      return items.values();
    }
    throw mismatch();
  }

  /** Returns the failure for operands whose types the function does not take. */
  EvaluationFailure mismatch() {
    List<String> types = Arrays.stream(values).map(Val::type).toList();
    String hint = DisplayNames.mixed(types);
    return new EvaluationFailure("`" + DisplayNames.operator(function) + "` does not take "
        + String.join(types.size() == 2 ? " and " : ", ", types) + (hint.isEmpty() ? "" : " (" + hint + ")"));
  }
}
