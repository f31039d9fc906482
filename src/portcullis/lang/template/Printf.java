package portcullis.lang.template;

import java.util.List;
import portcullis.lang.value.ValueException;

/** Formats operands as Go's printf does; for one use. */
final class Printf {
  private static final int LARGEST = 1_000_000;
  private static final int END = -1;

  private final String format;
  private final List<Item> operands;
  private final Output out;
  private int at;
  private int operand;
  private boolean reordered;
  private boolean goodIndex;
  private boolean afterIndex;

  private Printf(String format, List<Item> operands, Output out) {
    this.format = format;
    this.operands = operands;
    this.out = out;
  }

  static String text(String format, List<Item> operands, Budget budget) throws ValueException {
    Output out = new Output(budget);
    new Printf(format, operands, out).run();
    return out.text();
  }

  private void run() throws ValueException {
    while (at < format.length()) {
      int percent = format.indexOf('%', at);
      out.add(format.substring(at, percent < 0 ? format.length() : percent));
      at = percent < 0 ? format.length() : percent + 1;
      if (percent >= 0) {
        directive();
      }
    }
    if (!reordered && operand < operands.size()) {
      extra();
    }
  }

  private void extra() throws ValueException {
    out.add("%!(EXTRA ");
    for (int i = operand; i < operands.size(); i++) {
      out.add(i > operand ? ", " : "");
      Item item = operands.get(i);
      if (item.equals(Item.NIL)) {
        out.add("<nil>");
      } else {
        out.add(Types.name(item)).add('=');
        new OperandWriter(out, Flags.NONE).print(item, 'v');
      }
    }
    out.add(')');
  }

  private void directive() throws ValueException {
    goodIndex = true;
    afterIndex = false;
    Flags flags = flags();
    index();
    flags = width(flags);
    flags = precision(flags);
    if (!afterIndex) {
      index();
    }
    if (at >= format.length()) {
      out.add("%!(NOVERB)");
      return;
    }
    int verb = format.codePointAt(at);
    at += Character.charCount(verb);
    verb(verb, flags);
  }

  private void verb(int verb, Flags flags) throws ValueException {
    String shown = Character.toString(verb);
    if (verb == '%') {
      out.add('%');
    } else if (!goodIndex) {
      out.add("%!").add(shown).add("(BADINDEX)");
    } else if (operand >= operands.size()) {
      out.add("%!").add(shown).add("(MISSING)");
    } else {
      new OperandWriter(out, verb == 'v' ? flags.ofValue() : flags).print(operands.get(operand++), verb);
    }
  }

  private Flags flags() {
    Flags flags = Flags.NONE;
    while (at < format.length() && "#0+- ".indexOf(format.charAt(at)) >= 0) {
      flags = flags.with(format.charAt(at++));
    }
    return flags;
  }

  /** Reads {@code [n]}, which selects the next operand. */
  private void index() {
    afterIndex = false;
    if (peek() != '[') {
      return;
    }
    reordered = true;
    int close = format.indexOf(']', at);
    if (close < 0) {
      goodIndex = false;
      at++;
      return;
    }
    int start = at + 1;
    at = start;
    int number = number();
    boolean valid = at == close && number >= 1 && number <= operands.size();
    afterIndex = at == close && number >= 0;
    at = close + 1;
    if (valid) {
      operand = number - 1;
    } else {
      goodIndex = false;
    }
  }

  private Flags width(Flags flags) throws ValueException {
    if (peek() == '*') {
      at++;
      afterIndex = false;
      long width = operandNumber();
      if (width == Long.MIN_VALUE) {
        out.add("%!(BADWIDTH)");
        return flags;
      }
      return width < 0 ? flags.leftBound().withWidth((int) -width) : flags.withWidth((int) width);
    }
    int width = number();
    if (width >= 0 && afterIndex) {
      goodIndex = false;
    }
    return width >= 0 ? flags.withWidth(width) : flags;
  }

  private Flags precision(Flags flags) throws ValueException {
    if (peek() != '.') {
      return flags;
    }
    at++;
    if (afterIndex) {
      goodIndex = false;
    }
    index();
    if (peek() != '*') {
      return flags.withPrecision(Math.max(number(), 0));
    }
    at++;
    afterIndex = false;
    long precision = operandNumber();
    if (precision < 0) {
      out.add(precision == Long.MIN_VALUE ? "%!(BADPREC)" : "");
      return flags;
    }
    return flags.withPrecision((int) precision);
  }

  /** Returns the next operand as a width or precision; the smallest number where it is invalid. */
  private long operandNumber() {
    if (operand < operands.size() && operands.get(operand++) instanceof Item.Whole whole
        && Math.abs(whole.value()) <= LARGEST) {
      return whole.value();
    }
    return Long.MIN_VALUE;
  }

  /** Reads digits as a number; returns a negative one where there are none. Too many end the format. */
  private int number() {
    int start = at;
    int number = 0;
    while (peek() >= '0' && peek() <= '9') {
      if (number > LARGEST) {
        at = format.length();
        return END;
      }
      number = number * 10 + peek() - '0';
      at++;
    }
    return at == start ? END : number;
  }

  private int peek() {
    return at < format.length() ? format.charAt(at) : END;
  }
}
