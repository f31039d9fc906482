package portcullis.lang.template;

import java.util.List;
import portcullis.lang.value.Floats;
import portcullis.lang.value.ValueException;

/** Writes operands of printf with the flags and the verb of their directive. */
final class OperandWriter {
  private final Output out;
  private final Flags flags;

  OperandWriter(Output out, Flags flags) {
    this.out = out;
    this.flags = flags;
  }

  void print(Item item, int verb) throws ValueException {
    out.budget().spend(Math.max(flags.precision(), 0) / 16);
    if (verb == 'T') {
      padded(Types.name(item));
    } else if (item.equals(Item.NIL) && verb == 'v') {
      padded("<nil>");
    } else {
      print(item, verb, 0);
    }
  }

  private void print(Item item, int verb, int depth) throws ValueException {
    Budget.checkDepth(depth);
    switch (item) {
      case Item.Absent _, Item.Nil _, Item.NilPointer _ -> nil(verb, depth);
      case Item.Bool(boolean truth) -> {
        if (verb == 't' || verb == 'v') {
          padded(Boolean.toString(truth));
        } else {
          bad(item, verb);
        }
      }
      case Item.Whole whole -> whole(whole, verb);
      case Item.Real(double real) -> real(item, real, verb);
      case Item.Exact exact -> exact(exact, verb, depth);
      case Item.Complex(double real, double imaginary) -> complex(item, real, imaginary, verb);
      case Item.Text(String text) -> text(item, text, verb);
      case Item.Sequence list -> list(list, verb, depth);
      case Dict dict -> dict(dict, verb, depth);
      case Item.Host _, Item.Time _, Item.Zone _, Item.SemVer _ -> text(item, Printer.single(item), verb);
    }
  }

  private void nil(int verb, int depth) throws ValueException {
    if (flags.goSyntax()) {
      out.add("interface {}(nil)");
    } else if (depth > 0) {
      out.add("<nil>");
    } else {
      bad(Item.NIL, verb);
    }
  }

  /** Writes {@code %!d(string=x)} for a verb that does not apply to the type. */
  private void bad(Item item, int verb) throws ValueException {
    out.add("%!").add(Character.toString(verb)).add('(');
    if (item.equals(Item.NIL)) {
      out.add("<nil>");
    } else {
      out.add(Types.name(item)).add('=');
      print(item, 'v', 0);
    }
    out.add(')');
  }

  private void exact(Item.Exact exact, int verb, int depth) throws ValueException {
    if (verb == 'v' && depth == 0) {
      padded(exact.digits());
    } else {
      real(exact, exact.nearest(), verb);
    }
  }

  private void real(Item item, double real, int verb) throws ValueException {
    switch (verb) {
      case 'v' -> NumberWriter.real(real, 'g', Floats.SHORTEST, flags, out);
      case 'b', 'g', 'G', 'x', 'X' -> NumberWriter.real(real, (char) verb, Floats.SHORTEST, flags, out);
      case 'f', 'e', 'E' -> NumberWriter.real(real, (char) verb, 6, flags, out);
      case 'F' -> NumberWriter.real(real, 'f', 6, flags, out);
      default -> bad(item, verb);
    }
  }

  private void complex(Item item, double real, double imaginary, int verb) throws ValueException {
    if (verb > 127 || "vbgGxXfFeE".indexOf(verb) < 0) {
      bad(item, verb);
      return;
    }
    out.add('(');
    real(item, real, verb);
    new OperandWriter(out, flags.withPlus()).real(item, imaginary, verb);
    out.add("i)");
  }

  private void whole(Item.Whole whole, int verb) throws ValueException {
    boolean named = whole.type() == WholeType.DURATION || whole.type() == WholeType.MONTH
        || whole.type() == WholeType.WEEKDAY;
    if (named && !flags.goSyntax() && "vsxXq".indexOf(verb) >= 0) {
      text(whole, Printer.single(whole), verb);
      return;
    }
    switch (verb) {
      case 'v' -> {
        boolean hex = flags.goSyntax() && !whole.type().signed();
        NumberWriter.whole(whole, hex ? 16 : 10, hex ? 'x' : 'v', hex ? flags.with('#') : flags, out);
      }
      case 'd' -> NumberWriter.whole(whole, 10, verb, flags, out);
      case 'b' -> NumberWriter.whole(whole, 2, verb, flags, out);
      case 'o', 'O' -> NumberWriter.whole(whole, 8, verb, flags, out);
      case 'x', 'X' -> NumberWriter.whole(whole, 16, verb, flags, out);
      case 'c' -> padded(Character.toString(QuotedText.isCharacter(whole.value()) ? (int) whole.value() : 0xFFFD));
      case 'q' -> padded(QuotedText.ofCharacter(Math.clamp(whole.value(), -1, Integer.MAX_VALUE), flags.plus()));
      case 'U' -> new OperandWriter(out, new Flags(false, false, false, flags.minus(), false, false, flags.width(), -1))
          .padded(NumberWriter.unicode(whole.value(), flags));
      default -> bad(whole, verb);
    }
  }

  private void text(Item item, String text, int verb) throws ValueException {
    switch (verb) {
      case 'v' -> padded(flags.goSyntax() ? quoted(text) : shortened(text));
      case 's' -> padded(shortened(text));
      case 'q' -> padded(quoted(shortened(text)));
      case 'x', 'X' -> hexadecimal(text, verb);
      default -> bad(item, verb);
    }
  }

  private String quoted(String text) {
    return flags.sharp() && QuotedText.fitsBackQuotes(text) ? "`" + text + "`" : QuotedText.of(text, flags.plus());
  }

  /** Cuts the string to as many characters as the precision. */
  private String shortened(String text) {
    int most = flags.precision();
    return most < 0 || text.codePointCount(0, text.length()) <= most ? text
        : text.substring(0, text.offsetByCodePoints(0, most));
  }

  private void hexadecimal(String text, int verb) throws ValueException {
    byte[] bytes = Bytes.of(text);
    int length = flags.precision() < 0 ? bytes.length : Math.min(flags.precision(), bytes.length);
    String prefix = flags.sharp() ? verb == 'x' ? "0x" : "0X" : "";
    StringBuilder hex = new StringBuilder(length == 0 ? "" : prefix);
    for (int i = 0; i < length; i++) {
      hex.append(i > 0 && flags.space() ? " " + prefix : "")
          .append(String.format(verb == 'x' ? "%02x" : "%02X", bytes[i]));
    }
    padded(hex.toString());
  }

  private void list(Item.Sequence list, int verb, int depth) throws ValueException {
    if (flags.goSyntax() && list.nil()) {
      out.add(list.type().typeName()).add("(nil)");
      return;
    }
    out.add(flags.goSyntax() ? list.type().typeName() + "{" : "[");
    List<Item> items = list.items();
    for (int i = 0; i < items.size(); i++) {
      out.add(i == 0 ? "" : flags.goSyntax() ? ", " : " ");
      print(items.get(i), verb, depth + 1);
    }
    out.add(flags.goSyntax() ? '}' : ']');
  }

  private void dict(Dict dict, int verb, int depth) throws ValueException {
    if (flags.goSyntax() && dict.isNil()) {
      out.add(dict.type().typeName()).add("(nil)");
      return;
    }
    out.add(flags.goSyntax() ? dict.type().typeName() + "{" : "map[");
    String separator = "";
    for (String key : dict.keys()) {
      out.add(separator);
      print(Item.of(key), verb, depth + 1);
      out.add(':');
      print(dict.get(key), verb, depth + 1);
      separator = flags.goSyntax() ? ", " : " ";
    }
    out.add(flags.goSyntax() ? '}' : ']');
  }

  /** Pads with blanks or zeros up to the width. */
  private void padded(String text) throws ValueException {
    NumberWriter.padded(text, flags, out);
  }
}
