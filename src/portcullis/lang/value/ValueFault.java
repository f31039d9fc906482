package portcullis.lang.value;

/** A value that cannot be had: a wrong argument, a text that is no JSON. An outcome, so without stack trace. */
public sealed class ValueFault extends Exception permits OverBudget {
  private static final long serialVersionUID = 1;

  public ValueFault(String message) {
    super(message, null, false, false);
  }
}
