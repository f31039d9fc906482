package portcullis.lang.expression;

import java.util.Optional;
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
  private final String text;

  Expression(Planner.Plan plan, String type, String text) {
    this.plan = plan;
    this.type = type;
    this.text = text;
  }

  /** Initialized when the first expression is compiled. */
  private static final class Shared {
    private static final Compiler COMPILER = new Compiler(Signatures.VARIABLES);
    private static final Available ALL = Available.of("Request", "Subject", "Payload", "Outputs", "Values", "Error");
  }

  /** Compiles a condition, whose static type must be bool; returns an empty optional exactly if a problem was added. */
  public static Optional<Expression> condition(LocatedText text, Problems problems) {
    return Shared.COMPILER.compile(text, true, Optional.empty(), problems);
  }

  /** Compiles a condition, with an error for each name that is not available to it. */
  public static Optional<Expression> condition(LocatedText text, Available available, Problems problems) {
    return Shared.COMPILER.compile(text, true, Optional.of(available), problems);
  }

  /** Compiles an expression of any type; returns an empty optional exactly if a problem was added. */
  public static Optional<Expression> any(LocatedText text, Problems problems) {
    return Shared.COMPILER.compile(text, false, Optional.empty(), problems);
  }

  /** Compiles an expression of any type, with an error for each member that does not exist. */
  public static Optional<Expression> checked(LocatedText text, Problems problems) {
    return Shared.COMPILER.compile(text, false, Optional.of(Shared.ALL), problems);
  }

  /** Returns it as it was written. */
  public String text() {
    return text;
  }

  /** Returns whether the value is true. */
  public boolean test(Variables variables) throws EvaluationFailure {
    return Logic.bool(result(seen(variables)), "a condition");
  }

  /** Returns the value; types that JSON lacks are strings: bytes in base64, timestamps, durations, types. */
  public Value evaluate(Variables variables) throws EvaluationFailure {
    return ResultConverter.of(result(seen(variables)));
  }

  private static Frame.Roots seen(Variables variables) {
    return name -> variables.find(name).map(Val::of);
  }

  /**
   * Returns the static type, as far as it is known before evaluation: {@code bool}, {@code list(string)}, {@code dyn}.
   */
  String type() {
    return type;
  }

  Val result(Frame.Roots roots) throws EvaluationFailure {
    Val[] locals = plan.locals() == 0 ? NO_LOCALS : new Val[plan.locals()];
    return plan.root().value(new Frame(roots, locals, new Meter()));
  }
}
