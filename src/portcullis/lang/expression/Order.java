package portcullis.lang.expression;

import java.util.Arrays;
import java.util.Optional;

/** Which of two values is the lesser. */
final class Order {
  private Order() {}

  static Optional<Function> find(String name) {
    return switch (name) {
      case "_<_" -> Optional.of(a -> Val.of(compare(a) < 0));
      case "_<=_" -> Optional.of(a -> Val.of(compare(a) <= 0));
      case "_>_" -> Optional.of(a -> Val.of(compare(a) > 0));
      case "_>=_" -> Optional.of(a -> Val.of(compare(a) >= 0));
      default -> Optional.empty();
    };
  }

  private static int compare(Arguments arguments) throws EvaluationFailure {
    Val a = arguments.get(0);
    Val b = arguments.get(1);
    if (!areComparable(a, b)) {
      throw arguments.mismatch();
    }
    return compare(a, b);
  }

  static boolean areComparable(Val a, Val b) {
    boolean ordered = switch (a) {
      case Val.Int _, Val.Uint _, Val.Real _, Val.Text _, Val.Bool _, Val.Bytes _, Val.Time _, Val.Span _ -> true;
      default -> false;
    };
    return ordered && (a.getClass() == b.getClass() || isNumber(a) && isNumber(b));
  }

  /** Compares comparable values. */
  static int compare(Val a, Val b) throws EvaluationFailure {
    if (isNumber(a)) {
      if (isNaN(a) || isNaN(b)) {
        throw new EvaluationFailure("NaN has no place in an order");
      }
    }
    return ordered(a, b);
  }

  /** Compares comparable values; NaN is the greatest. */
  static int ordered(Val a, Val b) {
    return switch (a) {
      case Val.Int _, Val.Uint _, Val.Real _ -> numbers(a, b);
      case Val.Text t -> texts(t.value(), ((Val.Text) b).value());
      case Val.Bool t -> Boolean.compare(t.value(), ((Val.Bool) b).value());
      case Val.Bytes t -> Arrays.compareUnsigned(t.value(), ((Val.Bytes) b).value());
      case Val.Time t -> t.value().compareTo(((Val.Time) b).value());
      case Val.Span t -> Long.compare(t.nanos(), ((Val.Span) b).nanos());
      default -> 0;
    };
  }

  static boolean isNumber(Val value) {
    return value instanceof Val.Int || value instanceof Val.Uint || value instanceof Val.Real;
  }

  private static boolean isNaN(Val value) {
    return value instanceof Val.Real r && Double.isNaN(r.value());
  }

  /** Compares by value; an operand beside a double is converted to double, NaN is not equal to anything. */
  static int numbers(Val a, Val b) {
    if (a instanceof Val.Real || b instanceof Val.Real) {
      double x = real(a);
      double y = real(b);
      return x < y ? -1 : x == y ? 0 : 1;
    }
    boolean left = a instanceof Val.Uint;
    boolean right = b instanceof Val.Uint;
    long x = bits(a);
    long y = bits(b);
    if (left == right) {
      return left ? Long.compareUnsigned(x, y) : Long.compare(x, y);
    }
    // of different types: a negative number is the lesser, an unsigned one beyond 63 bits the greater
    return x < 0 ? (left ? 1 : -1) : y < 0 ? (right ? -1 : 1) : Long.compare(x, y);
  }

  private static long bits(Val number) {
    return number instanceof Val.Uint u ? u.bits() : ((Val.Int) number).value();
  }

  static double real(Val number) {
    return switch (number) {
      case Val.Real r -> r.value();
      case Val.Uint u -> unsigned(u.bits());
      case Val.Int i -> i.value();
      default -> Double.NaN;
    };
  }

  static double unsigned(long bits) {
    return bits >= 0 ? bits : ((bits >>> 1) | (bits & 1)) * 2.0;
  }

  /** The characters beyond 16 bits are the last ones, though their halves are not. */
  private static int rank(char c) {
    return Character.isSurrogate(c) ? c + Character.MAX_VALUE : c;
  }

  /** Compares by code points, the order of the bytes of UTF-8. */
  static int texts(String a, String b) {
    int shorter = Math.min(a.length(), b.length());
    for (int i = 0; i < shorter; i++) {
      char x = a.charAt(i);
      char y = b.charAt(i);
      if (x != y) {
        return Integer.compare(rank(x), rank(y));
      }
    }
    return Integer.compare(a.length(), b.length());
  }
}
