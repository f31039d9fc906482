package portcullis.lang.template;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Map;
import portcullis.lang.value.Floats;
import portcullis.lang.value.ValueException;

/** sprig's arithmetic: with int64, which wraps, and with decimals that become float64. */
final class NumberFunctions {
  private static final int DIVISION_DIGITS = 16;

  static final Map<String, Function> ALL = new FunctionSet()
      .with("int", a -> Item.ofInt(Casts.whole(a.item(0))), Param.ANY)
      .with("int64", a -> Item.ofInt64(Casts.whole(a.item(0))), Param.ANY)
      .with("float64", a -> Item.of(Casts.real(a.item(0))), Param.ANY)
      .with("atoi", a -> Item.ofInt(decimal(a.text(0))), Param.TEXT)
      .with("toDecimal", a -> Item.ofInt64(octal(a.printed(0))), Param.ANY)
      .variadic("add", a -> whole(0, a.from(0), Long::sum), Param.ANY)
      .with("add1", a -> Item.ofInt64(Casts.whole(a.item(0)) + 1), Param.ANY)
      .with("sub", a -> Item.ofInt64(Casts.whole(a.item(0)) - Casts.whole(a.item(1))), Param.ANY, Param.ANY)
      .variadic("mul", a -> whole(Casts.whole(a.item(0)), a.from(1), (x, y) -> x * y), Param.ANY, Param.ANY)
      .with("div", a -> Item.ofInt64(Casts.whole(a.item(0)) / divisor(a.item(1))), Param.ANY, Param.ANY)
      .with("mod", a -> Item.ofInt64(Casts.whole(a.item(0)) % divisor(a.item(1))), Param.ANY, Param.ANY)
      .variadic("max biggest", a -> whole(Casts.whole(a.item(0)), a.from(1), Math::max), Param.ANY, Param.ANY)
      .variadic("min", a -> whole(Casts.whole(a.item(0)), a.from(1), Math::min), Param.ANY, Param.ANY)
      .variadic("maxf", a -> real(a, Math::max), Param.ANY, Param.ANY)
      .variadic("minf", a -> real(a, Math::min), Param.ANY, Param.ANY)
      .with("floor", a -> Item.of(Math.floor(Casts.real(a.item(0)))), Param.ANY)
      .with("ceil", a -> Item.of(Math.ceil(Casts.real(a.item(0)))), Param.ANY)
      .variadic("round", a -> Item.of(round(a)), Param.ANY, Param.INT, Param.REAL)
      .variadic("addf", a -> decimals(Item.of(0.0), a.from(0), BigDecimal::add), Param.ANY)
      .with("add1f", a -> decimals(a.item(0), List.of(Item.of(1.0)), BigDecimal::add), Param.ANY)
      .variadic("subf", a -> decimals(a.item(0), a.from(1), BigDecimal::subtract), Param.ANY, Param.ANY)
      .variadic("mulf", a -> decimals(a.item(0), a.from(1), BigDecimal::multiply), Param.ANY, Param.ANY)
      .variadic("divf", a -> decimals(a.item(0), a.from(1), NumberFunctions::quotient), Param.ANY, Param.ANY)
      .functions();

  private NumberFunctions() {}

  private interface Wholes {
    long of(long a, long b);
  }

  private interface Reals {
    double of(double a, double b);
  }

  private interface Decimals {
    BigDecimal of(BigDecimal a, BigDecimal b) throws ValueException;
  }

  private static Item whole(long first, List<Item> others, Wholes operation) {
    long value = first;
    for (Item other : others) {
      value = operation.of(value, Casts.whole(other));
    }
    return Item.ofInt64(value);
  }

  private static Item real(Arguments a, Reals operation) {
    double value = Casts.real(a.item(0));
    for (Item other : a.from(1)) {
      value = operation.of(value, Casts.real(other));
    }
    return Item.of(value);
  }

  private static long divisor(Item item) throws ValueException {
    long value = Casts.whole(item);
    if (value == 0) {
      throw new ValueException("division by zero");
    }
    return value;
  }

  private static Item decimals(Item first, List<Item> others, Decimals operation) throws ValueException {
    BigDecimal value = exact(first);
    for (Item other : others) {
      value = operation.of(value, exact(other));
    }
    return Item.of(value.doubleValue());
  }

  private static BigDecimal exact(Item item) throws ValueException {
    double real = Casts.real(item);
    if (!Double.isFinite(real)) {
      throw new ValueException("cannot calculate with " + Floats.text(real));
    }
    return Floats.shortest(real);
  }

  private static BigDecimal quotient(BigDecimal a, BigDecimal b) throws ValueException {
    if (b.signum() == 0) {
      throw new ValueException("division by zero");
    }
    return a.divide(b, DIVISION_DIGITS, RoundingMode.HALF_UP);
  }

  private static double round(Arguments a) {
    double limit = a.size() > 2 ? a.real(2) : 0.5;
    double power = Math.pow(10, a.whole(1));
    double scaled = power * Casts.real(a.item(0));
    double fraction = scaled - (scaled < 0 ? Math.ceil(scaled) : Math.floor(scaled));
    return (fraction >= limit ? Math.ceil(scaled) : Math.floor(scaled)) / power;
  }

  /** Saturates at the largest number. */
  private static long decimal(String text) {
    return NumberText.decimal(text).map(number -> NumberText.fits64(number) ? number.longValue()
        : number.signum() > 0 ? Long.MAX_VALUE : Long.MIN_VALUE).orElse(0L);
  }

  private static long octal(String text) {
    String digits = text.startsWith("-") || text.startsWith("+") ? text.substring(1) : text;
    return NumberText.whole(digits, 8).map(number -> text.startsWith("-") ? number.negate() : number)
        .filter(NumberText::fits64).map(BigInteger::longValue).orElse(0L);
  }
}
