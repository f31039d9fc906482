package portcullis.lang.value;

/** Reports that a document exceeds its budget, or that the memory for parsing in the whole process is exhausted. */
public final class BudgetExceededException extends ValueException {
  private static final long serialVersionUID = 1;

  private final boolean exhausted;

  private BudgetExceededException(String message, boolean exhausted) {
    super(message);
    this.exhausted = exhausted;
  }

  /** @param message which limit is exceeded, as {@code it has more than 10 values} */
  public static BudgetExceededException tooLarge(String message) {
    return new BudgetExceededException(message, false);
  }

  static BudgetExceededException noMemory() {
    return new BudgetExceededException("too much is being parsed at once", true);
  }

  /** Returns whether memory is exhausted for now, as opposed to a document that is always too large. */
  public boolean exhausted() {
    return exhausted;
  }
}
