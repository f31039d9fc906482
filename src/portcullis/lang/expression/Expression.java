package portcullis.lang.expression;

import java.util.Optional;
import java.util.Set;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;

/**
 * A compiled expression in CEL. Immutable, for any thread. An evaluation reads the values in place, takes at most about
 * a tenth of a second and then fails.
 */
public final class Expression {
  private static final Val[] NO_LOCALS = {};

  private final Planner.Plan plan;
  private final String type;

  Expression(Planner.Plan plan, String type) {
    this.plan = plan;
    this.type = type;
  }

  /** Made when the first expression is compiled. */
  private static final class Shared {
    private static final Compiler COMPILER = new Compiler(Signatures.VARIABLES);
  }

  /** A condition, whose type must be known to be bool. Empty exactly if a problem was added. */
  public static Optional<Expression> condition(LocatedText text, Problems problems) {
    return Shared.COMPILER.compile(text, true, problems);
  }

  /** An expression of any type. Empty exactly if a problem was added. */
  public static Optional<Expression> any(LocatedText text, Problems problems) {
    return Shared.COMPILER.compile(text, false, problems);
  }

  /** Whether the condition holds; of any other expression, whether its value is true. */
  public boolean test(Variables variables) throws EvaluationFailure {
    return Logic.bool(result(seen(variables)), "a condition");
  }

  /** The value; what JSON does not have is text: bytes in base 64, times, types. */
  public Value evaluate(Variables variables) throws EvaluationFailure {
    return Outcome.of(result(seen(variables)));
  }

  private static Frame.Roots seen(Variables variables) {
    return name -> variables.find(name).map(Val::of);
  }

  /** The variables that it reads. */
  public Set<String> reads() {
    return plan.reads();
  }

  /**
   * The name of its type as far as it is known before it is evaluated: {@code bool}, {@code list(string)}, {@code dyn}.
   */
  public String type() {
    return type;
  }

  Val result(Frame.Roots roots) throws EvaluationFailure {
    Val[] locals = plan.locals() == 0 ? NO_LOCALS : new Val[plan.locals()];
    return plan.root().value(new Frame(roots, locals, new Meter()));
  }
}
