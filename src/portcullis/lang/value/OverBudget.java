package portcullis.lang.value;

/** Says that a document holds more than its budget, or that the memory for parsing in the whole process is used up. */
public final class OverBudget extends ValueFault {
  private static final long serialVersionUID = 1;

  private final boolean exhausted;

  private OverBudget(String message, boolean exhausted) {
    super(message);
    this.exhausted = exhausted;
  }

  /** @param message what there is too much of, as {@code it has more than 10 values} */
  public static OverBudget tooLarge(String message) {
    return new OverBudget(message, false);
  }

  static OverBudget noMemory() {
    return new OverBudget("too much is being parsed at once", true);
  }

  /** Whether the process lacks memory for now, rather than the document being too large at any time. */
  public boolean exhausted() {
    return exhausted;
  }
}
