package portcullis.lang.expression;

import java.util.List;
import java.util.Optional;

/** {@code && || ! ?:}. */
final class Logic {
  private Logic() {}

  /**
   * {@code &&}, or {@code ||}: decided as soon as one operand decides, even where others fail; fails only if nothing
   * decides.
   *
   * @param decisive the operand that decides: false for {@code &&}
   */
  record Any(boolean decisive, List<Term> operands) implements Term {
    @Override
    public Val value(Frame frame) throws EvaluationFailure {
      Optional<EvaluationFailure> failure = Optional.empty();
      for (Term operand : operands) {
        try {
          if (bool(operand.value(frame), decisive ? "||" : "&&") == decisive) {
            return Val.of(decisive);
          }
        } catch (EvaluationFailure e) {
          failure = failure.isPresent() ? failure : Optional.of(e);
        }
      }
      if (failure.isPresent()) {
        throw failure.get();
      }
      return Val.of(!decisive);
    }
  }

  record Not(Term operand) implements Term {
    @Override
    public Val value(Frame frame) throws EvaluationFailure {
      return Val.of(!bool(operand.value(frame), "!"));
    }
  }

  record Conditional(Term test, Term yes, Term no) implements Term {
    @Override
    public Val value(Frame frame) throws EvaluationFailure {
      return (bool(test.value(frame), "? :") ? yes : no).value(frame);
    }
  }

  static boolean bool(Val value, String operator) throws EvaluationFailure {
    if (value instanceof Val.Bool bool) {
      return bool.value();
    }
    throw new EvaluationFailure("`" + operator + "` takes bool, not " + value.type());
  }
}
