package portcullis.lang.template;

import portcullis.lang.value.ValueException;

/** A string builder that is bounded in bytes; for one thread. */
final class Output {
  private static final int BYTES_A_STEP = 256;

  private final StringBuilder out;
  private final Budget budget;
  private long bytes;
  private long paid;

  Output(Budget budget, int expected) {
    this.budget = budget;
    this.out = new StringBuilder(expected);
  }

  Output(Budget budget) {
    this(budget, 32);
  }

  Output add(String text) throws ValueException {
    grow(Bytes.length(text));
    out.append(text);
    return this;
  }

  Output add(char ascii) throws ValueException {
    grow(1);
    out.append(ascii);
    return this;
  }

  private void grow(long more) throws ValueException {
    bytes += more;
    if (bytes > budget.mostBytes()) {
      throw budget.tooLong();
    }
    if (bytes - paid >= BYTES_A_STEP) {
      budget.spend((bytes - paid) / BYTES_A_STEP);
      paid = bytes;
    }
  }

  Budget budget() {
    return budget;
  }

  int length() {
    return out.length();
  }

  /** Returns whether there is a line break at or after {@code from}. */
  boolean hasLineBreak(int from) {
    return out.indexOf("\n", from) >= 0 || out.indexOf("\r", from) >= 0;
  }

  String text() {
    return out.toString();
  }
}
