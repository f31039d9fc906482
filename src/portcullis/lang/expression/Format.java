package portcullis.lang.expression;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import portcullis.lang.value.Floats;

/** {@code '%s has %d'.format([name, count])} with the clauses {@code %s %d %f %e %b %o %x %X %%}. */
final class Format {
  private static final int USUAL_PRECISION = 6;
  private static final Set<String> PRINTED = Set.of("string", "bool", "bytes", "int", "uint", "double", "list", "map",
      "type",
      "null", "null_type", "duration", "timestamp", "google.protobuf.Duration", "google.protobuf.Timestamp");
  private static final int MOST_PRECISION = 100;

  private Format() {}

  /** A clause, after some plain text. */
  record Clause(String before, char kind, int precision) {
    /** Returns whether it takes values of the type; {@code null} is the name of its type too. */
    boolean takes(String type) {
      String base = type.indexOf('(') > 0 ? type.substring(0, type.indexOf('(')) : type;
      return base.equals("dyn") || switch (kind) {
        case 's' -> PRINTED.contains(base);
        case 'd', 'f', 'e' -> List.of("int", "uint", "double").contains(base);
        case 'b' -> List.of("int", "uint", "bool").contains(base);
        case 'o' -> List.of("int", "uint").contains(base);
        case 'x', 'X' -> List.of("int", "uint", "string", "bytes").contains(base);
        default -> true;
      };
    }
  }

  /** Returns the parts of a format: its clauses and, as the last one of kind {@code '\0'}, what follows them. */
  static List<Clause> parse(String text) throws EvaluationFailure {
    List<Clause> clauses = new ArrayList<>();
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '%') {
        plain.append(c);
      } else if (text.startsWith("%", i + 1)) {
        plain.append(text.charAt(++i));
      } else {
        int end = endOfPrecision(text, i + 1);
        if (end == text.length() || "sdfeboxX".indexOf(text.charAt(end)) < 0) {
          String clause = DisplayNames.cut(text.substring(i, Math.min(text.length(), end + 1)));
          throw new EvaluationFailure("invalid format clause `" + clause + "`");
        }
        clauses.add(new Clause(plain.toString(), text.charAt(end), precision(text.substring(i + 1, end))));
        plain.setLength(0);
        i = end;
      }
    }
    clauses.add(new Clause(plain.toString(), '\0', 0));
    return clauses;
  }

  private static int endOfPrecision(String text, int at) {
    int end = at;
    if (text.startsWith(".", at)) {
      end++;
      while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
        end++;
      }
    }
    return end;
  }

  private static int precision(String text) throws EvaluationFailure {
    if (text.isEmpty()) {
      return USUAL_PRECISION;
    }
    if (text.length() == 1 || text.length() > 5 || Integer.parseInt(text.substring(1)) > MOST_PRECISION) {
      throw new EvaluationFailure("a precision `" + text + "` of a format: write `.0` to `." + MOST_PRECISION + "`");
    }
    return Integer.parseInt(text.substring(1));
  }

  static Optional<Function> find(String name) {
    return name.equals("format") ? Optional.of(Format::format) : Optional.empty();
  }

  private static Val format(Arguments a) throws EvaluationFailure {
    List<Val> values = a.list(1);
    StringBuilder out = new StringBuilder();
    a.meter().chargeText(a.text(0).length());
    int next = 0;
    for (Clause clause : parse(a.text(0))) {
      out.append(clause.before());
      if (clause.kind() != '\0') {
        if (next == values.size()) {
          throw new EvaluationFailure("the format has no value for its clause " + (next + 1));
        }
        Val value = values.get(next++);
        if (!clause.takes(value.type())) {
          throw new EvaluationFailure("`%" + clause.kind() + "` does not take " + value.type());
        }
        out.append(written(clause, value, a.meter()));
      }
    }
    a.meter().chargeText(out.length());
    return Val.of(out.toString());
  }

  private static String written(Clause clause, Val value, Meter meter) throws EvaluationFailure {
    return switch (clause.kind()) {
      case 's' -> text(value, meter);
      case 'd' -> value instanceof Val.Real r ? real(r.value()) : Conversions.text(value);
      case 'f' -> real(value, 'f', clause.precision());
      case 'e' -> real(value, 'e', clause.precision());
      case 'b' -> value instanceof Val.Bool b ? b.value() ? "1" : "0" : based(value, 2);
      case 'o' -> based(value, 8);
      case 'x' -> hex(value, meter);
      default -> hex(value, meter).toUpperCase(Locale.ROOT);
    };
  }

  private static Optional<String> named(double value) {
    return Double.isNaN(value) ? Optional.of("NaN")
        : Double.isInfinite(value) ? Optional.of(value > 0 ? "Infinity" : "-Infinity") : Optional.empty();
  }

  private static String real(double value) {
    return named(value).orElseGet(() -> Conversions.plain(value));
  }

  private static String real(Val value, char verb, int precision) {
    double real = Order.real(value);
    return named(real).orElseGet(() -> Floats.text(real, verb, precision));
  }

  private static String based(Val value, int radix) {
    return value instanceof Val.Uint u ? Long.toUnsignedString(u.bits(), radix)
        : Long.toString(((Val.Int) value).value(), radix);
  }

  private static String hex(Val value, Meter meter) throws EvaluationFailure {
    if (value instanceof Val.Int || value instanceof Val.Uint) {
      return based(value, 16);
    }
    byte[] bytes = value instanceof Val.Bytes b ? b.value()
        : ((Val.Text) value).value().getBytes(StandardCharsets.UTF_8);
    meter.chargeText(2L * bytes.length);
    return HexFormat.of().formatHex(bytes);
  }

  /** Returns what {@code %s} writes: lists and maps with their content, maps in the order of their keys' strings. */
  private static String text(Val value, Meter meter) throws EvaluationFailure {
    meter.charge(1);
    return switch (value) {
      case Val.Null _ -> "null";
      case Val.Real r -> real(r.value());
      case Val.Bytes b -> new String(b.value(), StandardCharsets.UTF_8);
      case Val.Type t -> t.name();
      case Val.Items items -> list(items, meter);
      case Entries entries -> map(entries, meter);
      case Val.Host _, Val.Networks _, Val.Kinds _ ->
        throw new EvaluationFailure("`%s` does not take " + value.type());
      default -> Conversions.text(value);
    };
  }

  private static String list(Val.Items items, Meter meter) throws EvaluationFailure {
    StringBuilder out = new StringBuilder("[");
    for (Val item : items.values()) {
      String text = text(item, meter);
      meter.chargeText(text.length());
      out.append(out.length() > 1 ? ", " : "").append(text);
    }
    return out.append(']').toString();
  }

  private static String map(Entries entries, Meter meter) throws EvaluationFailure {
    List<Map.Entry<String, String>> members = new ArrayList<>();
    for (Val key : entries.keys()) {
      String text = text(entries.find(key).orElseThrow(), meter);
      meter.chargeText(text.length());
      members.add(Map.entry(text(key, meter), text));
    }
    members.sort(Map.Entry.comparingByKey(Order::texts));
    return members.stream().map(m -> m.getKey() + ": " + m.getValue()).collect(Collectors.joining(", ", "{", "}"));
  }
}
