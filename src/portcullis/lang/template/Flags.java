package portcullis.lang.template;

/**
 * The flags, width and precision of a printf directive.
 *
 * @param goSyntax {@code %#v}
 * @param width negative for none
 * @param precision negative for none
 */
record Flags(boolean sharp, boolean zero, boolean plus, boolean minus, boolean space, boolean goSyntax, int width,
    int precision) {
  static final Flags NONE = new Flags(false, false, false, false, false, false, -1, -1);

  Flags with(char flag) {
    return new Flags(sharp || flag == '#', zero || flag == '0', plus || flag == '+', minus || flag == '-',
        space || flag == ' ', goSyntax, width, precision);
  }

  /** Returns the flags for {@code %v}, where {@code #} and {@code +} select a syntax. */
  Flags ofValue() {
    return new Flags(false, zero, false, minus, space, sharp, width, precision);
  }

  Flags leftBound() {
    return new Flags(sharp, false, plus, true, space, goSyntax, width, precision);
  }

  Flags withWidth(int other) {
    return new Flags(sharp, zero, plus, minus, space, goSyntax, other, precision);
  }

  Flags withPrecision(int other) {
    return new Flags(sharp, zero, plus, minus, space, goSyntax, width, other);
  }

  Flags withPlus() {
    return with('+');
  }

  /** Zeros pad on the left only. */
  boolean fillsWithZeros() {
    return zero && !minus && width >= 0;
  }
}
