package portcullis.lang.value;

/** Reports a value that cannot be computed, as for invalid JSON. An expected outcome, so without stack trace. */
public sealed class ValueException extends Exception permits BudgetExceededException {
  private static final long serialVersionUID = 1;

  public ValueException(String message) {
    super(message, null, false, false);
  }
}
