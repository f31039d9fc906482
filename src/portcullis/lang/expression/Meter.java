package portcullis.lang.expression;

/** Bounds the work of one evaluation. Mutable, for one thread. */
final class Meter {
  /** The budget: a step is a loop turn, an element or eight characters. Takes well below a tenth of a second. */
  private static final long MOST = 2_000_000;

  private long left = MOST;

  void charge(long steps) throws EvaluationFailure {
    left -= steps;
    if (left < 0 || steps < 0) {
      left = -1;
      throw new EvaluationFailure("the expression takes too many steps");
    }
  }

  /** Charges for so many characters or bytes. */
  void chargeText(long length) throws EvaluationFailure {
    charge(1 + (length >> 3));
  }
}
