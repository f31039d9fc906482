package portcullis.lang.template;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import portcullis.lang.inputs.HiddenInputs;
import portcullis.lang.value.ValueException;

/** sprig's functions for strings; lengths and positions count bytes. */
final class TextFunctions {
  static final Map<String, Function> ALL = new FunctionSet()
      .with("hello", _ -> Item.of("Hello!"))
      .with("trim", a -> Item.of(Trimming.space(a.text(0))), Param.TEXT)
      .with("trimAll trimall", a -> Item.of(Trimming.any(a.text(1), a.text(0))), Param.TEXT, Param.TEXT)
      .with("trimPrefix", a -> Item.of(a.text(1).startsWith(a.text(0)) ? a.text(1).substring(a.text(0).length())
          : a.text(1)), Param.TEXT, Param.TEXT)
      .with("trimSuffix", a -> Item.of(a.text(1).endsWith(a.text(0))
          ? a.text(1).substring(0, a.text(1).length() - a.text(0).length())
          : a.text(1)), Param.TEXT, Param.TEXT)
      .with("contains", a -> Item.of(a.text(1).contains(a.text(0))), Param.TEXT, Param.TEXT)
      .with("hasPrefix", a -> Item.of(a.text(1).startsWith(a.text(0))), Param.TEXT, Param.TEXT)
      .with("hasSuffix", a -> Item.of(a.text(1).endsWith(a.text(0))), Param.TEXT, Param.TEXT)
      .with("substr", a -> Item.of(substring(a.text(2), a.whole(0), a.whole(1))), Param.INT, Param.INT, Param.TEXT)
      .with("trunc", a -> Item.of(truncated(a.text(1), a.whole(0))), Param.INT, Param.TEXT)
      .with("abbrev", a -> Item.of(Abbreviation.end(a.text(1), a.whole(0))), Param.INT, Param.TEXT)
      .with("abbrevboth", a -> Item.of(Abbreviation.both(a.text(2), a.whole(0), a.whole(1))), Param.INT, Param.INT,
          Param.TEXT)
      .with("repeat", a -> Item.of(repeated(a.text(1), a.whole(0), a.budget())), Param.INT, Param.TEXT)
      .with("replace", a -> Item.of(replaced(a)), Param.TEXT, Param.TEXT, Param.TEXT)
      .with("plural", a -> a.item(a.whole(2) == 1 ? 0 : 1), Param.TEXT, Param.TEXT, Param.INT)
      .with("indent", a -> Item.of(indented(a)), Param.INT, Param.TEXT)
      .with("nindent", a -> Item.of("\n" + indented(a)), Param.INT, Param.TEXT)
      .with("wrap", a -> Item.of(Wrapping.text(a.text(1), a.whole(0), "\n", false, a.budget())), Param.INT, Param.TEXT)
      .with("wrapWith", a -> Item.of(Wrapping.text(a.text(2), a.whole(0), a.text(1).isEmpty() ? "\n" : a.text(1), true,
          a.budget())), Param.INT, Param.TEXT, Param.TEXT)
      .with("shuffle", a -> Item.of(shuffled(a.text(0))), Param.TEXT)
      .variadic("quote", a -> Item.of(joined(a, QuotedText::of)), Param.ANY)
      .variadic("squote", a -> Item.of(joined(a, text -> "'" + text + "'")), Param.ANY)
      .variadic("cat", a -> Item.of(joined(a, text -> text)), Param.ANY)
      .with("toString", a -> Item.of(a.printed(0)), Param.ANY)
      .functions();

  private TextFunctions() {}

  private static String substring(String text, long start, long end) throws ValueException {
    int length = Bytes.length(text);
    if (start < 0) {
      return cut(text, 0, end, length);
    }
    return cut(text, start, end < 0 || end > length ? length : end, length);
  }

  private static String cut(String text, long from, long to, int length) throws ValueException {
    if (from > to || to < 0 || to > length) {
      throw new ValueException("[" + from + ":" + to + "] is out of range: the length is " + length);
    }
    return Bytes.cut(text, (int) from, (int) to);
  }

  /** Cuts to a length; a negative one keeps the end. */
  private static String truncated(String text, long length) {
    int all = Bytes.length(text);
    if (length < 0 && all + length > 0) {
      return Bytes.cut(text, (int) (all + length), all);
    }
    return length >= 0 && all > length ? Bytes.cut(text, 0, (int) length) : text;
  }

  static String repeated(String text, long count, Budget budget) throws ValueException {
    if (count < 0) {
      throw new ValueException("the count is negative");
    }
    budget.spendText(text.isEmpty() ? 0 : Math.multiplyExact((long) text.length(), Math.min(count, Integer.MAX_VALUE)));
    return text.isEmpty() ? "" : text.repeat((int) count);
  }

  private static String replaced(Arguments a) throws ValueException {
    String text = a.text(2);
    long places = a.text(0).isEmpty() ? text.length() + 1L : text.length() / a.text(0).length();
    if (text.length() + places * a.text(1).length() > a.budget().mostBytes()) {
      checkGrowth(a);
    }
    return a.text(0).isEmpty() ? Splitting.characters(text, a.text(1)) : text.replace(a.text(0), a.text(1));
  }

  private static void checkGrowth(Arguments a) throws ValueException {
    long found = a.text(0).isEmpty() ? a.text(2).length() + 1L : Splitting.count(a.text(2), a.text(0));
    a.budget().spendText(a.text(2).length() + found * (a.text(1).length() - a.text(0).length()));
  }

  private static String indented(Arguments a) throws ValueException {
    String margin = repeated(" ", a.whole(0), a.budget());
    String text = a.text(1);
    a.budget().spendText(text.length() + margin.length() * (1L + Splitting.count(text, "\n")));
    return margin + text.replace("\n", "\n" + margin);
  }

  private static String shuffled(String text) {
    List<Integer> characters = new ArrayList<>(text.codePoints().boxed().toList());
    Collections.shuffle(characters, HiddenInputs.generator());
    StringBuilder out = new StringBuilder();
    characters.forEach(out::appendCodePoint);
    return out.toString();
  }

  private interface Shown {
    String of(String text);
  }

  /** Joins all but nil with blanks. */
  private static String joined(Arguments a, Shown shown) throws ValueException {
    if (a.size() == 1) {
      return a.item(0).equals(Item.NIL) ? "" : shown.of(a.printed(0));
    }
    StringJoiner out = new StringJoiner(" ");
    for (int i = 0; i < a.size(); i++) {
      if (!a.item(i).equals(Item.NIL)) {
        out.add(shown.of(a.printed(i)));
        a.budget().spendText(out.length());
      }
    }
    return out.toString();
  }
}
