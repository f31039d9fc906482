package portcullis.lang.template;

import portcullis.lang.value.ValueException;

/** Counts down the steps that one rendering may still take; for one thread. */
final class Budget {
  /** The maximum depth of template calls, and of nested values. */
  static final int DEEPEST = 100;
  private static final int DEEPEST_VALUE = 400;
  private static final int BYTES_A_STEP = 256;

  private final long mostBytes;
  private long steps;

  Budget(Limits limits) {
    this.mostBytes = limits.outputBytes();
    this.steps = limits.steps();
  }

  void spend(long count) throws ValueException {
    steps -= count;
    if (steps < 0 || count < 0) {
      steps = 0;
      throw new ValueException("the template takes too many steps");
    }
  }

  void step() throws ValueException {
    if (--steps < 0) {
      spend(1);
    }
  }

  /** Charges for work on a string: long ones cost more, and none may be longer than the output. */
  void spendText(long length) throws ValueException {
    if (length > mostBytes) {
      throw tooLong();
    }
    if (length >= BYTES_A_STEP) {
      spend(length / BYTES_A_STEP);
    }
  }

  /** Charges for a list, on top of the step of the call that makes it. */
  void spendList(long length) throws ValueException {
    spend(length);
  }

  long mostBytes() {
    return mostBytes;
  }

  ValueException tooLong() {
    return new ValueException("a string of more than " + mostBytes + " bytes");
  }

  static void checkDepth(int depth) throws ValueException {
    if (depth > DEEPEST_VALUE) {
      throw new ValueException("a value is nested too deeply");
    }
  }
}
