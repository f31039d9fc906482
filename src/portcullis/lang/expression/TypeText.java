package portcullis.lang.expression;

import java.util.ArrayList;
import java.util.List;

/** Reads types one after the other, such as {@code list(A), int) A}. Mutable, for one string. */
final class TypeText {
  private final String text;
  private int at;

  TypeText(String text) {
    this.text = text;
  }

  static Type type(String text) {
    return new TypeText(text).type();
  }

  /** Reads comma-separated types up to the next {@code )}. */
  List<Type> arguments() {
    List<Type> arguments = new ArrayList<>();
    while (text.charAt(at) != ')') {
      arguments.add(type());
    }
    skip();
    return arguments;
  }

  Type type() {
    int start = at;
    while (at < text.length() && "(), ".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    String name = text.substring(start, at);
    Type type = at < text.length() && text.charAt(at) == '(' ? generic(name) : plain(name);
    if (at < text.length() && text.charAt(at) == ',') {
      skip();
    }
    return type;
  }

  private Type generic(String name) {
    at++;
    List<Type> of = arguments();
    return switch (name) {
      case "list" -> new Type.ListOf(of.getFirst());
      case "map" -> new Type.MapOf(of.getFirst(), of.getLast());
      default -> new Type.TypeOf(of.getFirst());
    };
  }

  private static Type plain(String name) {
    return name.length() == 1 ? new Type.Variable(name) : Type.SIMPLE.getOrDefault(name, new Type.Struct(name));
  }

  /** Skips a bracket or comma and the blank after it. */
  private void skip() {
    at++;
    if (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }
}
