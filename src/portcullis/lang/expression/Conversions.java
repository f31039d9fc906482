package portcullis.lang.expression;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import portcullis.lang.value.Floats;
import portcullis.lang.value.GoDuration;

/** Converts values, {@code int(x)}, {@code string(x)} and so on; strings are read like Go does. */
final class Conversions {
  private static final Set<String> TRUE = Set.of("1", "t", "T", "TRUE", "true", "True");
  private static final Set<String> FALSE = Set.of("0", "f", "F", "FALSE", "false", "False");
  private static final Pattern DECIMAL = Pattern.compile(
      "[+-]?([0-9](_?[0-9])*\\.?([0-9](_?[0-9])*)?|\\.[0-9](_?[0-9])*)([eE][+-]?[0-9](_?[0-9])*)?");
  private static final Pattern HEX = Pattern
      .compile("[+-]?0[xX]([0-9a-fA-F]+\\.?[0-9a-fA-F]*|\\.[0-9a-fA-F]+)[pP][+-]?[0-9]+");
  private static final int LONGEST_NUMBER = 400;

  private Conversions() {}

  /** Conversions of constants are evaluated at compile time. */
  static Optional<Function> find(String name) {
    return switch (name) {
      case "dyn" -> Optional.of(a -> a.get(0));
      case "type" -> Optional.of(a -> type(a.get(0)));
      case "bool" -> Optional.of(Conversions::bool);
      case "int" -> Optional.of(Conversions::whole);
      case "uint" -> Optional.of(Conversions::unsigned);
      case "double" -> Optional.of(Conversions::real);
      case "string" -> Optional.of(Conversions::string);
      case "bytes" -> Optional.of(Conversions::bytes);
      case "timestamp" -> Optional.of(Conversions::timestamp);
      case "duration" -> Optional.of(Conversions::duration);
      default -> Optional.empty();
    };
  }

  private static Val type(Val value) {
    return value instanceof Val.Host host && host.object() instanceof ErrorObject error
        ? new Val.Kinds(error.kinds(), false)
        : new Val.Type(value.type());
  }

  private static Val bool(Arguments a) throws EvaluationFailure {
    return switch (a.get(0)) {
      case Val.Bool b -> b;
      case Val.Text t when TRUE.contains(t.value()) -> Val.TRUE;
      case Val.Text t when FALSE.contains(t.value()) -> Val.FALSE;
      case Val.Text t -> throw unreadable(t, "bool");
      default -> throw a.mismatch();
    };
  }

  private static Val whole(Arguments a) throws EvaluationFailure {
    return switch (a.get(0)) {
      case Val.Int i -> i;
      case Val.Uint u when u.bits() >= 0 -> new Val.Int(u.bits());
      case Val.Real r when Math.abs(r.value()) < 0x1p63 -> new Val.Int((long) r.value());
      case Val.Uint _, Val.Real _ -> throw Arithmetic.overflow(new Val.Int(0));
      case Val.Text t -> {
        try {
          yield new Val.Int(Long.parseLong(ascii(t, "int")));
        } catch (NumberFormatException _) {
          throw unreadable(t, "int");
        }
      }
      case Val.Time t -> new Val.Int(t.value().getEpochSecond());
      case Val.Span s -> new Val.Int(s.nanos());
      default -> throw a.mismatch();
    };
  }

  private static Val unsigned(Arguments a) throws EvaluationFailure {
    return switch (a.get(0)) {
      case Val.Uint u -> u;
      case Val.Int i when i.value() >= 0 -> new Val.Uint(i.value());
      case Val.Real r when r.value() >= 0 && r.value() < 0x1p63 -> new Val.Uint((long) r.value());
      case Val.Real r when r.value() >= 0x1p63 && r.value() < 0x1p64 ->
        new Val.Uint((long) (r.value() - 0x1p63) ^ Long.MIN_VALUE);
      case Val.Int _, Val.Real _ -> throw Arithmetic.overflow(new Val.Uint(0));
      case Val.Text t -> {
        try {
          String digits = ascii(t, "uint");
          yield new Val.Uint(Long.parseUnsignedLong(digits.startsWith("+") ? "" : digits));
        } catch (NumberFormatException _) {
          throw unreadable(t, "uint");
        }
      }
      default -> throw a.mismatch();
    };
  }

  private static Val real(Arguments a) throws EvaluationFailure {
    return switch (a.get(0)) {
      case Val.Real r -> r;
      case Val.Int _, Val.Uint _ -> new Val.Real(Order.real(a.get(0)));
      case Val.Text t -> new Val.Real(readReal(t));
      default -> throw a.mismatch();
    };
  }

  /** Parses like Go's {@code strconv.ParseFloat}: a number out of range is an error. */
  private static double readReal(Val.Text text) throws EvaluationFailure {
    String number = ascii(text, "double");
    String word = number.toLowerCase(Locale.ROOT);
    boolean signed = word.startsWith("+") || word.startsWith("-");
    String unsigned = signed ? word.substring(1) : word;
    if (unsigned.equals("inf") || unsigned.equals("infinity")) {
      return word.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
    }
    if (word.equals("nan")) {
      return Double.NaN;
    }
    boolean isNumber = DECIMAL.matcher(number).matches() || HEX.matcher(number).matches();
    double value = isNumber ? Double.parseDouble(number.replace("_", "")) : Double.NaN;
    if (!Double.isFinite(value)) {
      throw unreadable(text, "double");
    }
    return value;
  }

  private static String ascii(Val.Text text, String type) throws EvaluationFailure {
    String value = text.value();
    if (value.length() > LONGEST_NUMBER || !value.chars().allMatch(c -> c < 128)) {
      throw unreadable(text, type);
    }
    return value;
  }

  private static Val string(Arguments a) throws EvaluationFailure {
    return switch (a.get(0)) {
      case Val.Text t -> t;
      case Val.Bool _, Val.Int _, Val.Uint _, Val.Real _, Val.Bytes _, Val.Time _, Val.Span _ -> {
        yield Val.of(text(a.get(0)));
      }
      default -> throw a.mismatch();
    };
  }

  /** Returns the result of {@code string()} for a simple value, else the name of its type. */
  static String text(Val value) throws EvaluationFailure {
    return switch (value) {
      case Val.Text t -> t.value();
      case Val.Bool b -> Boolean.toString(b.value());
      case Val.Int i -> Long.toString(i.value());
      case Val.Uint u -> Long.toUnsignedString(u.bits());
      case Val.Real r -> Floats.text(r.value());
      case Val.Bytes b -> utf8(b.value());
      case Val.Time t -> Times.text(t);
      case Val.Span s -> Times.text(s.nanos());
      default -> value.type();
    };
  }

  private static String utf8(byte[] bytes) throws EvaluationFailure {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException _) {
      throw new EvaluationFailure("these bytes are not UTF-8");
    }
  }

  private static Val bytes(Arguments a) throws EvaluationFailure {
    return switch (a.get(0)) {
      case Val.Bytes b -> b;
      case Val.Text t -> {
        a.meter().chargeText(t.value().length());
        yield new Val.Bytes(t.value().getBytes(StandardCharsets.UTF_8));
      }
      default -> throw a.mismatch();
    };
  }

  private static Val timestamp(Arguments a) throws EvaluationFailure {
    return switch (a.get(0)) {
      case Val.Time t -> t;
      case Val.Int i -> Arithmetic.inRange(moment(i.value()));
      case Val.Text t -> Arithmetic.inRange(Times.timestamp(t.value()).orElseThrow(() -> unreadable(t, "timestamp")));
      default -> throw a.mismatch();
    };
  }

  private static Val.Time moment(long seconds) throws EvaluationFailure {
    try {
      return new Val.Time(Instant.ofEpochSecond(seconds), 0);
    } catch (DateTimeException _) {
      throw Arithmetic.overflow(new Val.Time(Instant.EPOCH, 0));
    }
  }

  private static Val duration(Arguments a) throws EvaluationFailure {
    return switch (a.get(0)) {
      case Val.Span s -> s;
      case Val.Text t -> new Val.Span(GoDuration.parse(t.value()).orElseThrow(() -> unreadable(t, "duration")));
      default -> throw a.mismatch();
    };
  }

  private static EvaluationFailure unreadable(Val.Text text, String type) {
    return new EvaluationFailure("invalid " + type + " `" + DisplayNames.cut(text.value()) + "`");
  }

  /** Formats like Go's {@code strconv.FormatFloat(x, 'f', -1, 64)}: the shortest digits, never an exponent. */
  static String plain(double value) {
    boolean plain = Double.isFinite(value) && value != 0;
    return plain ? new BigDecimal(Double.toString(value)).stripTrailingZeros().toPlainString() : Floats.text(value);
  }
}
