package portcullis.lang.gjson;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A part of a path that takes the document as a whole: a modifier {@code @name}, a constant {@code !1}, a multipath
 * <code>{a,b}</code> or {@code [a,b]}.
 *
 * @param made the JSON text that it makes
 * @param parsed whether the text may be anything, not only an object or list
 * @param rest what follows it in the path
 */
record Whole(String made, boolean parsed, String rest) {
  /** Empty where the path does not begin with one. */
  static Optional<Whole> of(String json, String path, Search search) {
    return switch (path.charAt(0)) {
      case '@' -> Modifiers.apply(json, path, search);
      case '!' -> constant(path);
      case '[', '{' -> multipath(json, path, search);
      default -> Optional.empty();
    };
  }

  GjsonResult result() {
    return parsed ? Cursor.first(made) : GjsonResult.of(GjsonResult.Kind.JSON, made);
  }

  private static Optional<Whole> constant(String path) {
    String text = path.substring(1);
    if ("{[\"+-0123456789".indexOf(text.charAt(0)) >= 0) {
      int end = Math.min(text.length(), RawJson.endOfBrackets(text, 0));
      return Optional.of(new Whole(text.substring(0, end), true, text.substring(end)));
    }
    int end = 0;
    while (end < text.length() && ".|".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    String name = text.substring(0, end);
    return List.of("true", "false", "null", "nan", "inf").contains(name.toLowerCase(Locale.ROOT))
        ? Optional.of(new Whole(name, true, text.substring(end)))
        : Optional.empty();
  }

  /** What is left to look for where the path begins with brackets that are no multipath. */
  static String remainder(String path) {
    boolean brackets = path.length() > 1 && (path.startsWith("[") || path.startsWith("{"));
    if (!brackets) {
      return path;
    }
    int end = selectors(path, new ArrayList<>());
    return end == 0 ? "" : path.substring(end);
  }

  // --- multipaths

  /** One path of several, with the name that its result gets; empty for its own. */
  private record Selector(String name, String path) {
    /** The name as JSON. */
    private String key() {
      if (!name.isEmpty()) {
        return name.startsWith("\"") && Validity.isValid(name) ? name : RawJson.quoted(name);
      }
      String last = last();
      boolean simple = last.chars().noneMatch(c -> c < ' ' || "[]{}()#|!".indexOf(c) >= 0);
      return RawJson.quoted(simple ? last : "_");
    }

    private String last() {
      for (int i = path.length() - 1; i >= 0; i--) {
        boolean separates = path.charAt(i) == '|' || path.charAt(i) == '.';
        if (separates && (i == 0 || path.charAt(i - 1) != '\\')) {
          return path.substring(i + 1);
        }
      }
      return path;
    }
  }

  private static Optional<Whole> multipath(String json, String path, Search search) {
    List<Selector> selectors = new ArrayList<>();
    int end = selectors(path, selectors);
    boolean ends = end > 0 && (end == path.length() || ".|".indexOf(path.charAt(end)) >= 0);
    if (!ends) {
      return Optional.empty();
    }
    boolean object = path.charAt(0) == '{';
    StringBuilder out = new StringBuilder().append(path.charAt(0));
    for (Selector selector : selectors) {
      GjsonResult found = search.get(json, selector.path());
      if (found.exists()) {
        out.append(out.length() > 1 ? "," : "").append(object ? selector.key() + ":" : "")
            .append(found.raw().isEmpty() ? found.text() : found.raw());
      }
    }
    return Optional.of(new Whole(search.made(out.append(object ? '}' : ']')), false, path.substring(end)));
  }

  /** Adds the paths within the brackets that the path begins with; the offset behind them, 0 if they are not closed. */
  private static int selectors(String path, List<Selector> out) {
    int depth = 1;
    int start = 1;
    int colon = 0;
    boolean modifier = false;
    for (int i = 1; i < path.length(); i++) {
      char c = path.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '"') {
        int end = RawJson.endOfString(path, i + 1);
        i = end < 0 ? path.length() : end - 1;
      } else if (c == '@') {
        modifier |= path.charAt(i - 1) == '.' || path.charAt(i - 1) == '|';
      } else if (c == ':' && !modifier && colon == 0 && depth == 1) {
        colon = i;
      } else if ("[({".indexOf(c) >= 0) {
        depth++;
      } else if (c == ',' && depth == 1 || "])}".indexOf(c) >= 0 && --depth == 0) {
        String name = colon == 0 ? "" : path.substring(start, colon);
        out.add(new Selector(name, path.substring(colon == 0 ? start : colon + 1, i)));
        if (depth == 0) {
          return i + 1;
        }
        colon = 0;
        modifier = false;
        start = i + 1;
      }
    }
    return 0;
  }
}
