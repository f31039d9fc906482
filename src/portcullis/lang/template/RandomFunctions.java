package portcullis.lang.template;

import java.util.Map;
import java.util.function.IntPredicate;
import portcullis.lang.inputs.HiddenInputs;
import portcullis.lang.value.ValueException;

/** sprig's functions for random values. */
final class RandomFunctions {
  static final Map<String, Function> ALL = new FunctionSet()
      .with("uuidv4", _ -> Item.of(HiddenInputs.uuid().toString()))
      .with("randAlphaNum", a -> Item.of(text(a, Character::isLetterOrDigit)), Param.INT)
      .with("randAlpha", a -> Item.of(text(a, Character::isLetter)), Param.INT)
      .with("randNumeric", a -> Item.of(text(a, Character::isDigit)), Param.INT)
      .with("randAscii", a -> Item.of(text(a, c -> c < 127)), Param.INT)
      .with("randBytes", a -> Item.of(EncodingFunctions.base64(HiddenInputs.bytes(size(a)))), Param.INT)
      .with("randInt", RandomFunctions::number, Param.INT, Param.INT)
      .functions();

  private RandomFunctions() {}

  private static int size(Arguments a) throws ValueException {
    if (a.whole(0) < 0) {
      throw new ValueException("the count is negative");
    }
    a.budget().spendText(a.whole(0));
    a.spend(a.whole(0) / 16);
    return (int) a.whole(0);
  }

  /** Returns random ASCII characters of a kind; none for a negative count. */
  private static String text(Arguments a, IntPredicate kind) throws ValueException {
    return a.whole(0) <= 0 ? ""
        : HiddenInputs.generator().ints(' ', 128).filter(kind).limit(size(a))
            .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
  }

  private static Item number(Arguments a) throws ValueException {
    if (a.whole(0) >= a.whole(1)) {
      throw new ValueException("no number is at least " + a.whole(0) + " and below " + a.whole(1));
    }
    return Item.ofInt(HiddenInputs.generator().nextLong(a.whole(0), a.whole(1)));
  }
}
