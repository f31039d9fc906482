package portcullis.lang.template;

import java.util.Locale;
import portcullis.lang.value.Floats;
import portcullis.lang.value.ValueException;

/** Writes numbers as Go's fmt does with flags, and pads to a width. */
final class NumberWriter {
  private NumberWriter() {}

  /** Pads with blanks, or zeros on the left, up to the width in characters. */
  static void padded(String text, Flags flags, Output out) throws ValueException {
    int missing = flags.width() - text.codePointCount(0, text.length());
    if (missing <= 0) {
      out.add(text);
      return;
    }
    out.budget().spendText(missing);
    String filling = (flags.fillsWithZeros() ? "0" : " ").repeat(missing);
    out.add(flags.minus() ? text : filling).add(flags.minus() ? filling : text);
  }

  private static Flags blank(Flags flags) {
    return new Flags(false, false, false, flags.minus(), false, false, flags.width(), -1);
  }

  static void whole(Item.Whole whole, int base, int verb, Flags flags, Output out) throws ValueException {
    boolean negative = whole.type().signed() && whole.value() < 0;
    String digits = Long.toUnsignedString(negative ? -whole.value() : whole.value(), base);
    digits = verb == 'X' ? digits.toUpperCase(Locale.ROOT) : digits;
    int least = flags.precision();
    if (least == 0 && whole.value() == 0) {
      padded("", blank(flags), out);
      return;
    }
    if (least < 0 && flags.fillsWithZeros()) {
      least = flags.width() - (negative || flags.plus() || flags.space() ? 1 : 0);
    }
    int zeros = Math.max(least - digits.length(), 0);
    out.budget().spendText(zeros);
    String sign = negative ? "-" : flags.plus() ? "+" : flags.space() ? " " : "";
    padded(sign + prefix(digits, zeros, verb, flags) + "0".repeat(zeros) + digits, blank(flags), out);
  }

  private static String prefix(String digits, int zeros, int verb, Flags flags) {
    return switch (verb) {
      case 'O' -> "0o";
      case 'b' -> flags.sharp() ? "0b" : "";
      case 'o' -> flags.sharp() && zeros == 0 && !digits.startsWith("0") ? "0" : "";
      case 'x' -> flags.sharp() ? "0x" : "";
      case 'X' -> flags.sharp() ? "0X" : "";
      default -> "";
    };
  }

  /** Returns {@code U+0041}, with {@code #} followed by the character. */
  static String unicode(long value, Flags flags) {
    String digits = Long.toHexString(value).toUpperCase(Locale.ROOT);
    String code = "U+" + "0".repeat(Math.max(Math.max(flags.precision(), 4) - digits.length(), 0)) + digits;
    boolean shown = flags.sharp() && QuotedText.isCharacter(value) && QuotedText.isPrintable((int) value);
    return shown ? code + " '" + Character.toString((int) value) + "'" : code;
  }

  /** @param precision the default where the flags have none */
  static void real(double value, char verb, int precision, Flags flags, Output out) throws ValueException {
    int digits = flags.precision() < 0 ? precision : flags.precision();
    String text = Floats.text(value, verb, digits);
    boolean signed = text.startsWith("-") || text.startsWith("+");
    String sign = signed ? text.substring(0, 1) : "+";
    String bare = signed ? text.substring(1) : text;
    String shown = sign.equals("-") || flags.plus() ? sign : flags.space() ? " " : "";
    if (!Double.isFinite(value)) {
      endless(value, shown + bare, flags, out);
      return;
    }
    bare = flags.sharp() && verb != 'b' ? pointed(bare, verb, digits) : bare;
    int missing = flags.width() - shown.length() - bare.length();
    if (flags.fillsWithZeros() && missing > 0) {
      out.budget().spendText(missing);
      out.add(shown).add("0".repeat(missing)).add(bare);
    } else {
      padded(shown + bare, blank(flags), out);
    }
  }

  private static void endless(double value, String text, Flags flags, Output out) throws ValueException {
    boolean infinite = Double.isInfinite(value) && value > 0;
    padded(infinite && !flags.space() ? "+Inf" : text, blank(flags), out);
  }

  /** Adds a decimal point and, except for {@code e f}, all digits of the precision. */
  private static String pointed(String number, char verb, int precision) {
    int exponent = verb == 'x' || verb == 'X' ? indexOfAny(number, "pP") : indexOfAny(number, "eE");
    String mantissa = number.substring(0, exponent);
    boolean general = verb == 'g' || verb == 'G' || verb == 'x' || verb == 'X';
    int missing = general ? (precision < 0 ? 6 : precision) - significant(mantissa) : 0;
    String point = mantissa.contains(".") ? "" : ".";
    return mantissa + point + "0".repeat(Math.max(missing, 0)) + number.substring(exponent);
  }

  private static int significant(String mantissa) {
    String digits = mantissa.replace(".", "");
    int leading = 0;
    while (leading < digits.length() && digits.charAt(leading) == '0') {
      leading++;
    }
    return mantissa.equals("0") ? 1 : digits.length() - leading;
  }

  private static int indexOfAny(String text, String any) {
    for (int i = 0; i < text.length(); i++) {
      if (any.indexOf(text.charAt(i)) >= 0) {
        return i;
      }
    }
    return text.length();
  }
}
