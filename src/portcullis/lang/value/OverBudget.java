package portcullis.lang.value;

/** Reports that a document exceeds its budget, or that the memory for parsing in the whole process is exhausted. */
public final class OverBudget extends ValueFault {
  private static final long serialVersionUID = 1;

  private final boolean exhausted;

  private OverBudget(String message, boolean exhausted) {
    super(message);
    this.exhausted = exhausted;
  }

  /** @param message which limit is exceeded, as {@code it has more than 10 values} */
  public static OverBudget tooLarge(String message) {
    return new OverBudget(message, false);
  }

  static OverBudget noMemory() {
    return new OverBudget("too much is being parsed at once", true);
  }

  /** Returns whether memory is exhausted for now, as opposed to a document that is always too large. */
  public boolean exhausted() {
    return exhausted;
  }
}
