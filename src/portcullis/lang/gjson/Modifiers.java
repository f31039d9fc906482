package portcullis.lang.gjson;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** {@code @name} and {@code @name:argument}: what is made of a JSON text. */
final class Modifiers {
  private static final Set<String> NAMES = Set.of("pretty", "ugly", "reverse", "this", "flatten", "join", "valid",
      "keys",
      "values", "tostr", "fromstr", "group", "dig");
  private static final int DEEPEST = 200;

  private final Search search;
  private final String argument;

  private Modifiers(Search search, String argument) {
    this.search = search;
    this.argument = argument;
  }

  static boolean isName(String name) {
    return NAMES.contains(name);
  }

  /** Empty where the path does not begin with a known one. */
  static Optional<Whole> apply(String json, String path, Search search) {
    int end = 1;
    while (end < path.length() && ".|:".indexOf(path.charAt(end)) < 0) {
      end++;
    }
    String name = path.substring(1, end);
    if (!NAMES.contains(name)) {
      return Optional.empty();
    }
    boolean argued = path.startsWith(":", end);
    String behind = path.substring(argued ? end + 1 : end);
    int argumentEnd = argued ? endOfArgument(behind) : 0;
    String made = new Modifiers(search, behind.substring(0, argumentEnd)).made(name, json);
    return Optional.of(new Whole(search.made(made), true, behind.substring(argumentEnd)));
  }

  /** Of JSON: its end. Else what reaches to the next pipe outside of brackets. */
  private static int endOfArgument(String text) {
    if (!text.isEmpty() && "{[\"".indexOf(text.charAt(0)) >= 0) {
      return RawJson.endOfBlock(text, 0);
    }
    int i = 0;
    while (i < text.length() && text.charAt(i) != '|') {
      i = "{[\"(".indexOf(text.charAt(i)) >= 0 ? RawJson.endOfBlock(text, i) : i + 1;
    }
    return i;
  }

  private String made(String name, String json) {
    return switch (name) {
      case "pretty" -> Pretty.of(json, argument);
      case "ugly" -> ugly(json);
      case "reverse" -> reversed(json);
      case "flatten" -> flattened(json, 0);
      case "join" -> joined(json);
      case "valid" -> Validity.isValid(json) ? json : "";
      case "keys" -> keys(json);
      case "values" -> values(json);
      case "tostr" -> RawJson.quoted(json);
      case "fromstr" -> Validity.isValid(json) ? Cursor.first(json).text() : "";
      case "group" -> grouped(json);
      case "dig" -> dug(json);
      default -> json;
    };
  }

  /** Whether the argument, an object, sets that option. */
  private boolean option(String name) {
    return new Elements(Cursor.first(argument).raw()).all().stream()
        .filter(e -> e.key().string().equals(name)).reduce((_, last) -> last).map(e -> e.value().isTrue())
        .orElse(false);
  }

  private static String ugly(String json) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < json.length(); i++) {
      if (json.charAt(i) == '"') {
        int end = RawJson.endOfBlock(json, i);
        out.append(json, i, end);
        i = end - 1;
      } else if (json.charAt(i) > ' ') {
        out.append(json.charAt(i));
      }
    }
    return out.toString();
  }

  private static String reversed(String json) {
    GjsonResult whole = Cursor.first(json);
    if (whole.kind() != GjsonResult.Kind.JSON) {
      return json;
    }
    List<Elements.Element> elements = new ArrayList<>(new Elements(whole.raw()).all());
    Collections.reverse(elements);
    return whole.isObject() ? "{" + elements.stream().map(Modifiers::member).collect(Collectors.joining(",")) + "}"
        : list(elements.stream().map(e -> e.value().raw()).toList());
  }

  private static String member(Elements.Element element) {
    return element.key().raw() + ":" + element.value().raw();
  }

  private static String list(List<String> elements) {
    return "[" + String.join(",", elements) + "]";
  }

  private String flattened(String json, int depth) {
    GjsonResult whole = Cursor.first(json);
    if (!whole.isList() || depth > DEEPEST) {
      return json;
    }
    boolean deep = option("deep");
    List<String> out = new ArrayList<>();
    for (Elements.Element element : new Elements(whole.raw()).all()) {
      String raw = element.value().raw();
      String shown = !element.value().isList() ? raw : inside(deep ? flattened(raw, depth + 1) : raw);
      if (!shown.isBlank()) {
        out.add(shown.strip());
      }
    }
    return list(out);
  }

  private static String inside(String json) {
    String plain = json.strip();
    return plain.length() >= 2 ? plain.substring(1, plain.length() - 1) : plain;
  }

  /** The members of all objects of a list; of one name the last, at the place of the first. */
  private String joined(String json) {
    GjsonResult whole = Cursor.first(json);
    if (!whole.isList()) {
      return json;
    }
    List<GjsonResult> objects = new Elements(whole.raw()).all().stream().map(Elements.Element::value)
        .filter(GjsonResult::isObject).toList();
    if (option("preserve")) {
      return "{" + objects.stream().map(o -> inside(o.raw())).collect(Collectors.joining(",")) + "}";
    }
    Map<String, Elements.Element> members = new LinkedHashMap<>();
    for (GjsonResult object : objects) {
      for (Elements.Element one : new Elements(object.raw()).all()) {
        members.merge(one.key().string(), one, (first, last) -> new Elements.Element(first.key(), last.value()));
      }
    }
    return "{" + members.values().stream().map(Modifiers::member).collect(Collectors.joining(",")) + "}";
  }

  private static String keys(String json) {
    GjsonResult whole = Cursor.first(json);
    if (whole.kind() != GjsonResult.Kind.JSON) {
      return whole.exists() ? "[null]" : "[]";
    }
    return list(new Elements(whole.raw()).all().stream().map(e -> whole.isObject() ? e.key().raw() : "null").toList());
  }

  private static String values(String json) {
    GjsonResult whole = Cursor.first(json);
    if (whole.kind() != GjsonResult.Kind.JSON) {
      return whole.exists() ? list(List.of(whole.raw())) : "[]";
    }
    return whole.isList() ? json : list(new Elements(whole.raw()).all().stream().map(e -> e.value().raw()).toList());
  }

  /** Of an object of lists a list of objects. */
  private static String grouped(String json) {
    GjsonResult whole = Cursor.first(json);
    if (!whole.isObject()) {
      return "";
    }
    List<List<String>> groups = new ArrayList<>();
    for (Elements.Element member : new Elements(whole.raw()).all()) {
      List<Elements.Element> elements = member.value().isList() ? new Elements(member.value().raw()).all() : List.of();
      for (int i = 0; i < elements.size(); i++) {
        if (i == groups.size()) {
          groups.add(new ArrayList<>());
        }
        groups.get(i).add(member.key().raw() + ":" + elements.get(i).value().raw());
      }
    }
    return list(groups.stream().map(group -> "{" + String.join(",", group) + "}").toList());
  }

  /** What the path in the argument finds in the value and in everything within. */
  private String dug(String json) {
    List<String> found = new ArrayList<>();
    dig(Cursor.first(json), found, 0);
    return list(found);
  }

  private void dig(GjsonResult value, List<String> out, int depth) {
    GjsonResult found = search.get(value.raw(), argument);
    if (found.exists()) {
      out.add(search.made(found.raw()));
    }
    if (value.kind() == GjsonResult.Kind.JSON && depth < DEEPEST && !search.exhausted()) {
      new Elements(value.raw()).all().forEach(e -> dig(e.value(), out, depth + 1));
    }
  }
}
