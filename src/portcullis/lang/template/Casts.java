package portcullis.lang.template;

import java.math.BigInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Converts anything to a number, as sprig does: what is not a number becomes 0. */
final class Casts {
  /** The characters of the smallest int64. */
  private static final int LONGEST = 20;
  private static final Pattern DECIMAL = Pattern.compile("([-+]?\\d*)\\.\\d*");

  private Casts() {}

  static long whole(Item item) {
    return switch (item) {
      case Item.Whole whole -> whole.value();
      case Item.Exact(String digits, double nearest) -> whole(digits, nearest);
      case Item.Real(double real) -> cut(real);
      case Item.Bool(boolean truth) -> truth ? 1 : 0;
      case Item.Text(String text) -> ofText(text);
      case Item.Absent _, Item.Nil _, Item.NilPointer _, Item.Complex _, Item.Sequence _, Dict _ -> 0;
      case Item.Host _, Item.Time _, Item.Zone _, Item.SemVer _ -> 0;
    };
  }

  private static long whole(String digits, double nearest) {
    return digits.length() > LONGEST ? cut(nearest)
        : NumberText.whole(digits).filter(NumberText::fits64).map(BigInteger::longValue).orElseGet(() -> cut(nearest));
  }

  /** Truncates as amd64 does: what does not fit an int64 becomes the smallest one. */
  private static long cut(double real) {
    return real >= -0x1p63 && real < 0x1p63 ? (long) real : Long.MIN_VALUE;
  }

  /** Ignores digits after the point; accepts the prefix of a base. */
  private static long ofText(String text) {
    Matcher decimal = DECIMAL.matcher(text);
    String digits = text;
    if (decimal.matches()) {
      String front = decimal.group(1);
      digits = front.isEmpty() || front.equals("-") || front.equals("+") ? front + "0" : front;
    }
    return NumberText.whole(digits).filter(NumberText::fits64).map(BigInteger::longValue).orElse(0L);
  }

  static double real(Item item) {
    return switch (item) {
      case Item.Whole whole -> whole.value();
      case Item.Exact(_, double nearest) -> nearest;
      case Item.Real(double real) -> real;
      case Item.Bool(boolean truth) -> truth ? 1 : 0;
      case Item.Text(String text) -> NumberText.real(text).orElse(0.0);
      case Item.Absent _, Item.Nil _, Item.NilPointer _, Item.Complex _, Item.Sequence _, Dict _ -> 0;
      case Item.Host _, Item.Time _, Item.Zone _, Item.SemVer _ -> 0;
    };
  }
}
