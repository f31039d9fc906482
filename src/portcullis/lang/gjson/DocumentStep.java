package portcullis.lang.gjson;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * A part of a path that applies to the document as a whole: a modifier {@code @name}, a literal {@code !1}, a multipath
 * <code>{a,b}</code> or {@code [a,b]}.
 *
 * @param rest the path behind it
 */
record DocumentStep(Optional<Value> result, String rest) {
  /** Applies the step that the path starts with; empty if it starts with none. */
  static Optional<DocumentStep> of(Optional<Value> document, String path, Evaluation evaluation) {
    return switch (path.charAt(0)) {
      case '@' -> Modifiers.apply(document, path, evaluation);
      case '!' -> literal(path.substring(1));
      case '[', '{' -> multipath(document, path, evaluation);
      default -> Optional.empty();
    };
  }

  /** Returns whether the path goes on; anything but a point or a pipe ends it. */
  boolean hasNext() {
    return rest.startsWith(".") || rest.startsWith("|");
  }

  // --- literals

  private static Optional<DocumentStep> literal(String text) {
    if ("{[\"+-0123456789".indexOf(text.charAt(0)) >= 0) {
      int end = PathSyntax.endOfBrackets(text, 0);
      return Optional.of(new DocumentStep(firstValue(text.substring(0, end)), text.substring(end)));
    }
    int end = 0;
    while (end < text.length() && ".|".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    String name = text.substring(0, end);
    Optional<Value> value = switch (name.toLowerCase(Locale.ROOT)) {
      case "true", "false", "null" -> json(name);
      case "nan", "inf" -> Optional.of(Value.of(GoScalars.number(name)));
      default -> Optional.empty();
    };
    return value.map(v -> new DocumentStep(Optional.of(v), text.substring(name.length())));
  }

  /** Reads the value that the text starts with; characters behind a string or a number are ignored. */
  private static Optional<Value> firstValue(String text) {
    char c = text.charAt(0);
    if (c == '{' || c == '[' || c == '"') {
      return json(text.substring(0, PathSyntax.endOfBlock(text, 0)));
    }
    int end = 1;
    while (end < text.length() && text.charAt(end) > ' ' && ",]}".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    String number = text.substring(0, end);
    return json(number).or(() -> Optional.of(Value.of(GoScalars.number(number))));
  }

  /** Reads JSON that a path or a document contains; empty if it is malformed or exceeds the budget. */
  static Optional<Value> json(String text) {
    try {
      return Optional.of(Json.read(text));
    } catch (ValueException _) {
      return Optional.empty();
    }
  }

  // --- multipaths

  /** One path of a multipath and the name that its result gets, by default the path's last part. */
  private record Selector(String name, String path) {
    private String key() {
      if (name.isEmpty()) {
        String last = last();
        return last.chars().noneMatch(c -> c < ' ' || "[]{}()#|!".indexOf(c) >= 0) ? last : "_";
      }
      Optional<Value> quoted = name.startsWith("\"") ? json(name) : Optional.empty();
      return quoted.map(GjsonPath::text).orElse(name);
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

  private static Optional<DocumentStep> multipath(Optional<Value> document, String path, Evaluation evaluation) {
    List<Selector> selectors = new ArrayList<>();
    int end = selectors(path, selectors);
    boolean ends = end > 0 && (end == path.length() || ".|".indexOf(path.charAt(end)) >= 0);
    if (!ends) {
      return Optional.empty();
    }
    List<Value> items = new ArrayList<>();
    Map<String, Value> members = new LinkedHashMap<>();
    for (Selector selector : selectors) {
      evaluation.find(document, selector.path()).ifPresent(found -> {
        items.add(found);
        members.putIfAbsent(selector.key(), found);
      });
    }
    Value result = path.charAt(0) == '{' ? new Value.Dict(members) : new Value.Array(items);
    return Optional.of(new DocumentStep(evaluation.built(result), path.substring(end)));
  }

  /** Returns what is left of a path that starts with brackets which are not a multipath. */
  static String remainder(String path) {
    boolean brackets = path.length() > 1 && (path.startsWith("[") || path.startsWith("{"));
    if (!brackets) {
      return path;
    }
    int end = selectors(path, new ArrayList<>());
    return end == 0 ? "" : path.substring(end);
  }

  /**
   * Adds the paths in the brackets that the path starts with; returns the offset behind them, 0 if they do not close.
   */
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
        int end = PathSyntax.endOfString(path, i + 1);
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
