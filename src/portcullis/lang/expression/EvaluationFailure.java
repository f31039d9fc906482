package portcullis.lang.expression;

/** An expression has no value: a missing member, a wrong operand. An outcome, so without stack trace. */
public final class EvaluationFailure extends Exception {
  private static final long serialVersionUID = 1;

  public EvaluationFailure(String message) {
    super(message, null, false, false);
  }
}
