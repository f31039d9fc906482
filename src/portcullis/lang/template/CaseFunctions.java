package portcullis.lang.template;

import java.util.Map;
import java.util.function.IntUnaryOperator;

/** sprig's functions for letter case and words. */
final class CaseFunctions {
  static final Map<String, Function> ALL = new FunctionSet()
      .with("upper", a -> Item.of(mapped(a.text(0), Character::toUpperCase)), Param.TEXT)
      .with("lower", a -> Item.of(mapped(a.text(0), Character::toLowerCase)), Param.TEXT)
      .with("title", a -> Item.of(title(a.text(0))), Param.TEXT)
      .with("untitle", a -> Item.of(untitle(a.text(0))), Param.TEXT)
      .with("swapcase", a -> Item.of(swapped(a.text(0))), Param.TEXT)
      .with("snakecase", a -> Item.of(WordCase.lowerCased(a.text(0), '_')), Param.TEXT)
      .with("kebabcase", a -> Item.of(WordCase.lowerCased(a.text(0), '-')), Param.TEXT)
      .with("camelcase", a -> Item.of(WordCase.pascalCased(a.text(0))), Param.TEXT)
      .with("initials", a -> Item.of(initials(a.bytes(0))), Param.TEXT)
      .with("nospace", a -> Item.of(withoutSpace(a.text(0))), Param.TEXT)
      .functions();

  private CaseFunctions() {}

  /** Maps character by character: one never becomes two. */
  private static String mapped(String text, IntUnaryOperator mapping) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
      out.appendCodePoint(mapping.applyAsInt(text.codePointAt(i)));
    }
    return out.toString();
  }

  private static String title(String text) {
    StringBuilder out = new StringBuilder(text.length());
    int before = ' ';
    for (int c : text.codePoints().toArray()) {
      out.appendCodePoint(separates(before) ? Character.toTitleCase(c) : c);
      before = c;
    }
    return out.toString();
  }

  private static boolean separates(int c) {
    boolean letter = Character.isLetter(c) || Character.isDigit(c) || c == '_';
    return c < 128 ? !letter : !letter && Trimming.isSpace(c);
  }

  private static String untitle(String text) {
    StringBuilder out = new StringBuilder(text.length());
    boolean first = true;
    for (int c : text.codePoints().toArray()) {
      boolean space = Trimming.isSpace(c);
      out.appendCodePoint(first && !space ? Character.toLowerCase(c) : c);
      first = space;
    }
    return out.toString();
  }

  private static String swapped(String text) {
    StringBuilder out = new StringBuilder(text.length());
    boolean afterSpace = true;
    for (int c : text.codePoints().toArray()) {
      boolean cased = Character.isUpperCase(c) || Character.isTitleCase(c) || Character.isLowerCase(c);
      out.appendCodePoint(!Character.isLowerCase(c) ? cased ? Character.toLowerCase(c) : c
          : afterSpace ? Character.toTitleCase(c) : Character.toUpperCase(c));
      afterSpace = !cased && Trimming.isSpace(c);
    }
    return out.toString();
  }

  /** Takes each byte for a character of Latin-1. */
  private static String initials(byte[] bytes) {
    StringBuilder out = new StringBuilder();
    boolean gap = true;
    for (byte b : bytes) {
      char c = (char) (b & 0xFF);
      boolean space = Trimming.isSpace(c);
      if (gap && !space) {
        out.append(c);
      }
      gap = space;
    }
    return out.toString();
  }

  /** Takes each byte for a character of Latin-1, unless there is no space. */
  private static String withoutSpace(String text) {
    StringBuilder out = new StringBuilder();
    byte[] bytes = Bytes.of(text);
    for (byte b : bytes) {
      char c = (char) (b & 0xFF);
      if (!Trimming.isSpace(c)) {
        out.append(c);
      }
    }
    return out.length() == bytes.length ? text : out.toString();
  }
}
