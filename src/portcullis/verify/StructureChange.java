package portcullis.verify;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import portcullis.lang.template.Insertion;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * What a client can change in structured output that contains its value unquoted.
 *
 * @param value that changes it
 * @param what is changed
 * @param made whether output has been changed so
 */
record StructureChange(String value, String what, Predicate<String> made) {
  /** The value of a client in the usual text. */
  static final String MARK = "pcmark";

  private static final String ADMIN = "admin";
  private static final int MOST = 8;

  /** Returns changes to try, for a text in which the value is {@link #MARK}. */
  static List<StructureChange> of(Insertion.Context context, String usual) {
    return switch (context) {
      case JSON -> parsed(usual).map(document -> members(document, "")).orElse(List.of()).stream()
          .map(Member::change).toList();
      case FORM -> form(usual);
      case HTML -> usual.contains(MARK)
          ? List.of(new StructureChange(MARK + "<b>", "the elements", text -> text.contains(MARK + "<b>")))
          : List.of();
      case HEADER -> list(usual);
    };
  }

  private static List<StructureChange> form(String usual) {
    if (!usual.contains(MARK)) {
      return List.of();
    }
    String name = List.of(usual.split("&")).stream().filter(pair -> !pair.contains(MARK) && pair.contains("="))
        .map(pair -> pair.substring(0, pair.indexOf('='))).findFirst().orElse("added");
    return List.of(new StructureChange(MARK + "&" + name + "=" + ADMIN, "`" + name + "`",
        text -> List.of(text.split("&")).contains(name + "=" + ADMIN)));
  }

  /** Elements of a list are separated by commas, parameters by semicolons (RFC 9110, 5.6). */
  private static List<StructureChange> list(String usual) {
    String separator = usual.contains(",") ? "," : ";";
    return usual.contains(MARK)
        ? List.of(new StructureChange(MARK + separator + ADMIN, "the list",
            text -> List.of(text.split(separator)).contains(ADMIN)))
        : List.of();
  }

  private static Optional<Value> parsed(String body) {
    try {
      return Optional.of(Json.read(body));
    } catch (ValueException _) {
      return Optional.empty();
    }
  }

  /**
   * A member of the object that the value is in, which another one of this name replaces.
   *
   * @param at the path of the object, each part followed by a dot
   * @param value that the client wants it to have
   */
  private record Member(String at, String name, String value) {
    StructureChange change() {
      return new StructureChange(MARK + "\",\"" + name + "\":\"" + value, "`" + at + name + "`",
          text -> parsed(text).filter(this::isIn).isPresent());
    }

    private boolean isIn(Value document) {
      Value here = document;
      for (String part : at.split("\\.")) {
        here = part.isEmpty() ? here : StructureChange.part(here, part);
      }
      return here instanceof Value.Dict dict && dict.get(name).filter(Value.of(value)::equals).isPresent();
    }
  }

  private static Value part(Value of, String name) {
    return switch (of) {
      case Value.Dict dict -> dict.get(name).orElse(Value.NULL);
      case Value.Array list when Integer.parseInt(name) < list.items().size() ->
        list.items().get(Integer.parseInt(name));
      default -> Value.NULL;
    };
  }

  /** Returns the members that a value of the first object with the value can replace or add. */
  private static List<Member> members(Value value, String at) {
    Map<String, Value> parts = new LinkedHashMap<>();
    if (value instanceof Value.Array list) {
      for (int i = 0; i < list.items().size(); i++) {
        parts.put(String.valueOf(i), list.items().get(i));
      }
    } else if (value instanceof Value.Dict dict) {
      parts.putAll(dict.members());
      if (dict.members().values().stream().anyMatch(StructureChange::isMarked)) {
        return siblings(dict, at);
      }
    }
    return parts.entrySet().stream().map(part -> members(part.getValue(), at + part.getKey() + "."))
        .filter(found -> !found.isEmpty()).findFirst().orElse(List.of());
  }

  private static boolean isMarked(Value value) {
    return value instanceof Value.Str(String text) && text.contains(MARK);
  }

  /** The strings beside the value, with another end, and a new member. */
  private static List<Member> siblings(Value.Dict dict, String at) {
    List<Member> out = new ArrayList<>();
    dict.members().forEach((name, value) -> {
      if (value instanceof Value.Str(String text) && !isMarked(value) && out.size() < MOST) {
        out.add(new Member(at, name, text.substring(0, text.indexOf(':') + 1) + ADMIN));
      }
    });
    out.add(new Member(at, "added", ADMIN));
    return out;
  }
}
