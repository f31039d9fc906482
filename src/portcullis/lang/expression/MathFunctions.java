package portcullis.lang.expression;

import java.util.List;
import java.util.Optional;

/** {@code math.…}. */
final class MathFunctions {
  private MathFunctions() {}

  static Optional<Function> find(String name) {
    return switch (name) {
      case "math.@max" -> Optional.of(a -> extreme(a, 1));
      case "math.@min" -> Optional.of(a -> extreme(a, -1));
      case "math.ceil" -> Optional.of(a -> new Val.Real(Math.ceil(real(a))));
      case "math.floor" -> Optional.of(a -> new Val.Real(Math.floor(real(a))));
      case "math.trunc" -> Optional.of(a -> new Val.Real(trunc(real(a))));
      case "math.round" -> Optional.of(a -> new Val.Real(round(real(a))));
      case "math.isNaN" -> Optional.of(a -> Val.of(Double.isNaN(real(a))));
      case "math.isInf" -> Optional.of(a -> Val.of(Double.isInfinite(real(a))));
      case "math.isFinite" -> Optional.of(a -> Val.of(Double.isFinite(real(a))));
      case "math.sqrt" -> Optional.of(MathFunctions::sqrt);
      case "math.abs" -> Optional.of(MathFunctions::abs);
      case "math.sign" -> Optional.of(MathFunctions::sign);
      case "math.bitAnd" -> Optional.of(a -> bits(a, left(a) & right(a)));
      case "math.bitOr" -> Optional.of(a -> bits(a, left(a) | right(a)));
      case "math.bitXor" -> Optional.of(a -> bits(a, left(a) ^ right(a)));
      case "math.bitNot" -> Optional.of(a -> bits(a, ~left(a)));
      case "math.bitShiftLeft" -> Optional.of(a -> bits(a, offset(a) > 63 ? 0 : left(a) << offset(a)));
      case "math.bitShiftRight" -> Optional.of(a -> bits(a, offset(a) > 63 ? 0 : left(a) >>> offset(a)));
      default -> Optional.empty();
    };
  }

  private static double real(Arguments a) throws EvaluationFailure {
    if (a.get(0) instanceof Val.Real number) {
      return number.value();
    }
    throw a.mismatch();
  }

  private static double trunc(double value) {
    return value < 0 ? Math.ceil(value) : Math.floor(value);
  }

  /** Rounds half away from zero. */
  private static double round(double value) {
    double whole = trunc(value);
    return Math.abs(value - whole) >= 0.5 ? whole + Math.copySign(1, value) : Math.copySign(whole, value);
  }

  private static Val sqrt(Arguments a) throws EvaluationFailure {
    if (!Order.isNumber(a.get(0))) {
      throw a.mismatch();
    }
    return new Val.Real(Math.sqrt(Order.real(a.get(0))));
  }

  private static Val abs(Arguments a) throws EvaluationFailure {
    return switch (a.get(0)) {
      case Val.Uint u -> u;
      case Val.Real r -> new Val.Real(Math.abs(r.value()));
      case Val.Int i when i.value() != Long.MIN_VALUE -> new Val.Int(Math.abs(i.value()));
      case Val.Int i -> throw Arithmetic.overflow(i);
      default -> throw a.mismatch();
    };
  }

  private static Val sign(Arguments a) throws EvaluationFailure {
    return switch (a.get(0)) {
      case Val.Uint u -> new Val.Uint(u.bits() == 0 ? 0 : 1);
      case Val.Real r -> new Val.Real(r.value() == 0 ? 0 : Math.signum(r.value()));
      case Val.Int i -> new Val.Int(Long.signum(i.value()));
      default -> throw a.mismatch();
    };
  }

  private static Val extreme(Arguments a, int wanted) throws EvaluationFailure {
    List<Val> numbers = a.count() == 1 && a.get(0) instanceof Val.Items items ? items.values() : List.of(a.values());
    if (numbers.isEmpty()) {
      throw new EvaluationFailure("`" + DisplayNames.operator(a.function()) + "` takes no empty list");
    }
    a.meter().charge(numbers.size());
    Val found = numbers.getFirst();
    for (Val number : numbers) {
      if (!Order.isNumber(number)) {
        throw a.mismatch();
      }
      found = Order.compare(number, found) == wanted ? number : found;
    }
    return found;
  }

  // --- bits

  private static long left(Arguments a) throws EvaluationFailure {
    return bits(a, 0);
  }

  private static long right(Arguments a) throws EvaluationFailure {
    if (a.get(0).getClass() != a.get(1).getClass()) {
      throw a.mismatch();
    }
    return bits(a, 1);
  }

  private static long bits(Arguments a, int index) throws EvaluationFailure {
    return switch (a.get(index)) {
      case Val.Int i -> i.value();
      case Val.Uint u -> u.bits();
      default -> throw a.mismatch();
    };
  }

  private static long offset(Arguments a) throws EvaluationFailure {
    long offset = a.whole(1);
    if (offset < 0) {
      throw new EvaluationFailure("`" + a.function() + "` takes no negative offset");
    }
    return offset;
  }

  /** Bits of the first argument's type. */
  private static Val bits(Arguments a, long bits) {
    return a.get(0) instanceof Val.Uint ? new Val.Uint(bits) : new Val.Int(bits);
  }
}
