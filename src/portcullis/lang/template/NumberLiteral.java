package portcullis.lang.template;

import java.math.BigInteger;
import java.util.Optional;
import portcullis.lang.value.ValueException;

/**
 * A number or character constant with its default value and its value as each type that it can be converted to.
 *
 * @param ideal its default value; empty where an int cannot hold it
 * @param whole its value as an int64, where it is one
 * @param real its value as a float64, where it is one
 */
record NumberLiteral(String text, Optional<Item> ideal, Optional<Long> whole, Optional<Double> real) {
  private static final double LARGEST = 0x1p63;

  static NumberLiteral of(Token token) throws TemplateSyntaxException {
    String text = token.text();
    return switch (token.kind()) {
      case CHARACTER_CONSTANT -> ofWhole(text, Literals.character(token));
      case COMPLEX -> complexPair(token);
      default -> text.endsWith("i") ? imaginary(token, text.substring(0, text.length() - 1)) : plain(token);
    };
  }

  private static NumberLiteral ofWhole(String text, long value) {
    return new NumberLiteral(text, Optional.of(Item.ofInt(value)), Optional.of(value), Optional.of((double) value));
  }

  private static NumberLiteral plain(Token token) throws TemplateSyntaxException {
    String text = token.text();
    Optional<BigInteger> whole = NumberText.whole(text);
    if (whole.isPresent()) {
      return ofWhole(token, whole.get());
    }
    double real = NumberText.real(text).orElseThrow(() -> illegal(token));
    boolean looksReal = text.chars().anyMatch(c -> ".eEpP".indexOf(c) >= 0);
    if (!looksReal) {
      throw illegal(token);
    }
    return new NumberLiteral(text, Optional.of(Item.of(real)), wholeOf(real), Optional.of(real));
  }

  private static NumberLiteral ofWhole(Token token, BigInteger value) throws TemplateSyntaxException {
    if (NumberText.fits64(value)) {
      return ofWhole(token.text(), value.longValue());
    }
    if (value.signum() < 0 || value.bitLength() > 64 || token.text().startsWith("+")) {
      throw new TemplateSyntaxException(Span.of(token), "number " + token.shown() + " is too large");
    }
    return new NumberLiteral(token.text(), Optional.empty(), Optional.empty(), Optional.of(value.doubleValue()));
  }

  private static Optional<Long> wholeOf(double real) {
    return real == Math.rint(real) && real >= -LARGEST && real < LARGEST ? Optional.of((long) real) : Optional.empty();
  }

  private static NumberLiteral imaginary(Token token, String digits) throws TemplateSyntaxException {
    return complex(token, 0, NumberText.real(digits).orElseThrow(() -> illegal(token)));
  }

  private static NumberLiteral complexPair(Token token) throws TemplateSyntaxException {
    String text = token.text();
    int sign = Math.max(text.lastIndexOf('+'), text.lastIndexOf('-'));
    if (sign > 0 && "eEpP".indexOf(text.charAt(sign - 1)) >= 0) {
      String before = text.substring(0, sign);
      sign = Math.max(before.lastIndexOf('+'), before.lastIndexOf('-'));
    }
    if (sign <= 0) {
      throw illegal(token);
    }
    double real = NumberText.real(text.substring(0, sign)).orElseThrow(() -> illegal(token));
    return complex(token, real,
        NumberText.real(text.substring(sign, text.length() - 1)).orElseThrow(() -> illegal(token)));
  }

  private static NumberLiteral complex(Token token, double real, double imaginary) {
    Optional<Double> asReal = imaginary == 0 ? Optional.of(real) : Optional.empty();
    return new NumberLiteral(token.text(), Optional.of(new Item.Complex(real, imaginary)),
        asReal.flatMap(NumberLiteral::wholeOf), asReal);
  }

  private static TemplateSyntaxException illegal(Token token) {
    return new TemplateSyntaxException(Span.of(token), "illegal number syntax: " + token.shown());
  }

  /** Returns the default value. */
  Item item() throws ValueException {
    return ideal.orElseThrow(() -> new ValueException("`" + text + "` is too large for an int"));
  }
}
