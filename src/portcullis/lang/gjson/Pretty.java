package portcullis.lang.gjson;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Writes a JSON text over several lines, as {@code @pretty} does; lists that fit a line and hold no objects stay on it.
 */
final class Pretty {
  private static final int DEEPEST = 200;

  private final StringBuilder out = new StringBuilder();
  private final int width;
  private final String prefix;
  private final String indent;
  private final boolean sorted;
  /** Where the line begins, with the line break before it. */
  private int line;

  private Pretty(List<Elements.Element> options) {
    width = (int) option(options, "width").map(GjsonResult::whole).orElse(80L).longValue();
    prefix = blanks(option(options, "prefix").map(GjsonResult::text).orElse(""));
    indent = blanks(option(options, "indent").map(GjsonResult::text).orElse("  "));
    sorted = option(options, "sortKeys").map(GjsonResult::isTrue).orElse(false);
  }

  /** @param options an object with {@code sortKeys, indent, prefix, width}; empty for none */
  static String of(String json, String options) {
    Pretty pretty = new Pretty(new Elements(Cursor.first(options).raw()).all());
    GjsonResult value = Cursor.first(json);
    if (!value.exists()) {
      return "";
    }
    pretty.out.append(pretty.prefix);
    pretty.write(value, 0);
    return pretty.out.append('\n').toString();
  }

  private static Optional<GjsonResult> option(List<Elements.Element> options, String name) {
    return options.stream().filter(o -> o.key().string().equals(name)).map(Elements.Element::value)
        .reduce((_, last) -> last);
  }

  private static String blanks(String text) {
    return text.replaceAll("[^ \t\n\r]", "");
  }

  private void write(GjsonResult value, int depth) {
    if (value.kind() != GjsonResult.Kind.JSON || depth > DEEPEST) {
      out.append(value.raw());
      return;
    }
    List<Elements.Element> elements = new ArrayList<>(new Elements(value.raw()).all());
    Optional<String> single = value.isList() ? single(value) : Optional.empty();
    if (single.isPresent()) {
      out.append(single.get());
      return;
    }
    if (value.isObject() && sorted) {
      elements.sort(Comparator.comparing((Elements.Element e) -> e.key().string()));
    }
    out.append(value.raw().charAt(0));
    String separator = "";
    for (Elements.Element element : elements) {
      out.append(separator);
      newLine(depth + 1);
      if (value.isObject()) {
        out.append(element.key().raw()).append(": ");
      }
      write(element.value(), depth + 1);
      separator = ",";
    }
    if (!elements.isEmpty()) {
      newLine(depth);
    }
    out.append(value.isObject() ? '}' : ']');
  }

  private void newLine(int depth) {
    line = out.length();
    out.append('\n').append(prefix).append(indent.repeat(depth));
  }

  /** The list on what is left of the line. */
  private Optional<String> single(GjsonResult list) {
    int room = width - (out.length() - line);
    if (width <= 0 || room <= 3) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder();
    return joined(list, text, room) && text.length() <= room ? Optional.of(text.toString()) : Optional.empty();
  }

  private static boolean joined(GjsonResult value, StringBuilder text, int room) {
    if (value.isObject() || text.length() > room) {
      return false;
    }
    if (!value.isList()) {
      text.append(value.raw());
      return true;
    }
    String separator = "[";
    for (Elements.Element element : new Elements(value.raw()).all()) {
      text.append(separator);
      separator = ", ";
      if (!joined(element.value(), text, room)) {
        return false;
      }
    }
    text.append(separator.equals("[") ? "[]" : "]");
    return true;
  }
}
