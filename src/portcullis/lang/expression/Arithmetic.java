package portcullis.lang.expression;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** {@code + - * / %}: of two numbers of one type, whole ones fail where they overflow; {@code +} also joins. */
final class Arithmetic {
  /** 9999-12-31T23:59:59Z and 0001-01-01T00:00:00Z: what a timestamp can be (RFC 3339). */
  private static final long LAST_SECOND = 253_402_300_799L;
  private static final long FIRST_SECOND = -62_135_596_800L;

  private Arithmetic() {}

  static Optional<Function> find(String name) {
    return switch (name) {
      case "_+_" -> Optional.of(Arithmetic::add);
      case "_-_" -> Optional.of(Arithmetic::subtract);
      case "_*_" -> Optional.of(Arithmetic::multiply);
      case "_/_" -> Optional.of(Arithmetic::divide);
      case "_%_" -> Optional.of(Arithmetic::remainder);
      case "-_" -> Optional.of(Arithmetic::negate);
      default -> Optional.empty();
    };
  }

  private static Val add(Arguments a) throws EvaluationFailure {
    Val right = a.get(1);
    try {
      return switch (a.get(0)) {
        case Val.Int x when right instanceof Val.Int y -> new Val.Int(Math.addExact(x.value(), y.value()));
        case Val.Uint x when right instanceof Val.Uint y -> uint(x.bits() + y.bits(), !carries(x, y));
        case Val.Real x when right instanceof Val.Real y -> new Val.Real(x.value() + y.value());
        case Val.Text x when right instanceof Val.Text y -> join(x, y, a.meter());
        case Val.Bytes x when right instanceof Val.Bytes y -> join(x, y, a.meter());
        case Val.Items x when right instanceof Val.Items y -> join(x, y, a.meter());
        case Val.Time x when right instanceof Val.Span y -> time(x, y.nanos());
        case Val.Span x when right instanceof Val.Time y -> time(y, x.nanos());
        case Val.Span x when right instanceof Val.Span y -> new Val.Span(Math.addExact(x.nanos(), y.nanos()));
        default -> throw a.mismatch();
      };
    } catch (ArithmeticException _) {
      throw overflow(a.get(0));
    }
  }

  private static Val join(Val.Text a, Val.Text b, Meter meter) throws EvaluationFailure {
    meter.chargeText((long) a.value().length() + b.value().length());
    return Val.of(a.value() + b.value());
  }

  private static Val join(Val.Bytes a, Val.Bytes b, Meter meter) throws EvaluationFailure {
    meter.chargeText((long) a.value().length + b.value().length);
    byte[] both = Arrays.copyOf(a.value(), a.value().length + b.value().length);
    System.arraycopy(b.value(), 0, both, a.value().length, b.value().length);
    return new Val.Bytes(both);
  }

  private static Val join(Val.Items a, Val.Items b, Meter meter) throws EvaluationFailure {
    meter.charge((long) a.values().size() + b.values().size());
    List<Val> both = new ArrayList<>(a.values());
    both.addAll(b.values());
    return new Val.Items(both);
  }

  private static Val subtract(Arguments a) throws EvaluationFailure {
    Val right = a.get(1);
    try {
      return switch (a.get(0)) {
        case Val.Int x when right instanceof Val.Int y -> new Val.Int(Math.subtractExact(x.value(), y.value()));
        case Val.Uint x when right instanceof Val.Uint y -> uint(x.bits() - y.bits(), Order.numbers(x, y) >= 0);
        case Val.Real x when right instanceof Val.Real y -> new Val.Real(x.value() - y.value());
        case Val.Time x when right instanceof Val.Time y -> new Val.Span(nanos(y.value(), x.value()));
        case Val.Time x when right instanceof Val.Span y -> time(x, Math.negateExact(y.nanos()));
        case Val.Span x when right instanceof Val.Span y -> new Val.Span(Math.subtractExact(x.nanos(), y.nanos()));
        default -> throw a.mismatch();
      };
    } catch (ArithmeticException _) {
      throw overflow(a.get(0));
    }
  }

  private static Val multiply(Arguments a) throws EvaluationFailure {
    Val right = a.get(1);
    try {
      return switch (a.get(0)) {
        case Val.Int x when right instanceof Val.Int y -> new Val.Int(Math.multiplyExact(x.value(), y.value()));
        case Val.Uint x when right instanceof Val.Uint y -> product(x.bits(), y.bits());
        case Val.Real x when right instanceof Val.Real y -> new Val.Real(x.value() * y.value());
        default -> throw a.mismatch();
      };
    } catch (ArithmeticException _) {
      throw overflow(a.get(0));
    }
  }

  private static Val divide(Arguments a) throws EvaluationFailure {
    Val right = a.get(1);
    return switch (a.get(0)) {
      case Val.Int x when right instanceof Val.Int y -> {
        if (x.value() == Long.MIN_VALUE && y.value() == -1) {
          throw overflow(x);
        }
        yield new Val.Int(x.value() / divisor(y.value(), "division"));
      }
      case Val.Uint x when right instanceof Val.Uint y ->
        new Val.Uint(Long.divideUnsigned(x.bits(), divisor(y.bits(), "division")));
      case Val.Real x when right instanceof Val.Real y -> new Val.Real(x.value() / y.value());
      default -> throw a.mismatch();
    };
  }

  private static Val remainder(Arguments a) throws EvaluationFailure {
    Val right = a.get(1);
    return switch (a.get(0)) {
      case Val.Int x when right instanceof Val.Int y -> {
        if (x.value() == Long.MIN_VALUE && y.value() == -1) {
          throw overflow(x);
        }
        yield new Val.Int(x.value() % divisor(y.value(), "modulus"));
      }
      case Val.Uint x when right instanceof Val.Uint y ->
        new Val.Uint(Long.remainderUnsigned(x.bits(), divisor(y.bits(), "modulus")));
      default -> throw a.mismatch();
    };
  }

  private static Val negate(Arguments a) throws EvaluationFailure {
    return switch (a.get(0)) {
      case Val.Int x when x.value() != Long.MIN_VALUE -> new Val.Int(-x.value());
      case Val.Int x -> throw overflow(x);
      case Val.Real x -> new Val.Real(-x.value());
      default -> throw a.mismatch();
    };
  }

  private static long divisor(long divisor, String operation) throws EvaluationFailure {
    if (divisor == 0) {
      throw new EvaluationFailure(operation + " by zero");
    }
    return divisor;
  }

  private static boolean carries(Val.Uint a, Val.Uint b) {
    return Long.compareUnsigned(a.bits() + b.bits(), a.bits()) < 0;
  }

  private static Val product(long a, long b) throws EvaluationFailure {
    return uint(a * b, Math.unsignedMultiplyHigh(a, b) == 0);
  }

  private static Val uint(long bits, boolean fits) throws EvaluationFailure {
    Val.Uint sum = new Val.Uint(bits);
    if (!fits) {
      throw overflow(sum);
    }
    return sum;
  }

  static EvaluationFailure overflow(Val operand) {
    return new EvaluationFailure(switch (operand) {
      case Val.Time _ -> "a timestamp is out of range";
      case Val.Span _ -> "a duration is out of range";
      default -> "the result does not fit " + operand.type();
    });
  }

  private static Val time(Val.Time start, long nanos) throws EvaluationFailure {
    try {
      return inRange(new Val.Time(start.value().plusNanos(nanos), start.offset()));
    } catch (DateTimeException _) {
      throw overflow(start);
    }
  }

  /** Returns the timestamp if it is within range. */
  static Val inRange(Val.Time time) throws EvaluationFailure {
    long seconds = time.value().getEpochSecond();
    if (seconds < FIRST_SECOND || seconds > LAST_SECOND) {
      throw overflow(time);
    }
    return time;
  }

  private static long nanos(Instant from, Instant to) {
    long seconds = Math.subtractExact(to.getEpochSecond(), from.getEpochSecond());
    return Math.addExact(Math.multiplyExact(seconds, 1_000_000_000L), to.getNano() - from.getNano());
  }
}
