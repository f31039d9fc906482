package portcullis.lang.value;

/** Reports a value that cannot be computed, as for invalid JSON. An expected outcome, so without stack trace. */
public sealed class ValueFault extends Exception permits OverBudget {
  private static final long serialVersionUID = 1;

  public ValueFault(String message) {
    super(message, null, false, false);
  }
}
