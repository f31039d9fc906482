package portcullis.lang.gjson;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.value.Value;

/** Applies {@code @name} and {@code @name:argument} to a document. */
final class Modifiers {
  private static final Set<String> NAMES = Set.of("pretty", "ugly", "reverse", "this", "flatten", "join", "valid",
      "keys", "values", "tostr", "fromstr", "group", "dig");
  private static final int MAX_DEPTH = 200;

  private final Evaluation evaluation;
  private final String argument;

  private Modifiers(Evaluation evaluation, String argument) {
    this.evaluation = evaluation;
    this.argument = argument;
  }

  static boolean isName(String name) {
    return NAMES.contains(name);
  }

  /** Applies the modifier that the path starts with; empty if there is none of that name. */
  static Optional<DocumentStep> apply(Optional<Value> document, String path, Evaluation evaluation) {
    String name = PathSyntax.modifierName(path);
    if (!NAMES.contains(name)) {
      return Optional.empty();
    }
    int end = name.length() + 1;
    boolean hasArgument = path.startsWith(":", end);
    String behind = path.substring(hasArgument ? end + 1 : end);
    int argumentEnd = hasArgument ? endOfArgument(behind) : 0;
    Modifiers modifiers = new Modifiers(evaluation, behind.substring(0, argumentEnd));
    Optional<Value> result = document.isPresent() ? modifiers.apply(name, document.get())
        : modifiers.applyToNothing(name);
    return Optional.of(new DocumentStep(result, behind.substring(argumentEnd)));
  }

  /** A JSON argument ends where its brackets or quotes close, any other at the next pipe outside of brackets. */
  private static int endOfArgument(String text) {
    if (!text.isEmpty() && "{[\"".indexOf(text.charAt(0)) >= 0) {
      return PathSyntax.endOfBlock(text, 0);
    }
    int i = 0;
    while (i < text.length() && text.charAt(i) != '|') {
      i = "{[\"(".indexOf(text.charAt(i)) >= 0 ? PathSyntax.endOfBlock(text, i) : i + 1;
    }
    return i;
  }

  private Optional<Value> applyToNothing(String name) {
    return switch (name) {
      case "tostr" -> Optional.of(Value.EMPTY_STRING);
      case "keys", "values", "dig" -> Optional.of(Value.Array.EMPTY);
      default -> Optional.empty();
    };
  }

  private Optional<Value> apply(String name, Value value) {
    return switch (name) {
      case "reverse" -> evaluation.built(reverse(value));
      case "flatten" -> evaluation.built(flatten(value));
      case "join" -> evaluation.built(join(value));
      case "keys" -> evaluation.built(keys(value));
      case "values" -> evaluation.built(values(value));
      case "tostr" -> evaluation.built(Value.of(CompactJson.of(value)));
      case "fromstr" -> fromString(value).flatMap(evaluation::built);
      case "group" -> value instanceof Value.Dict dict ? evaluation.built(group(dict)) : Optional.empty();
      case "dig" -> evaluation.built(dig(value));
      default -> Optional.of(value);
    };
  }

  /** Returns whether the argument is an object that sets the option. */
  private boolean option(String name) {
    return argument.startsWith("{") && DocumentStep.json(argument).filter(options -> options instanceof Value.Dict dict
        && dict.get(name).filter(GjsonPath::isTrue).isPresent()).isPresent();
  }

  private static Value reverse(Value value) {
    return switch (value) {
      case Value.Array array -> new Value.Array(array.items().reversed());
      case Value.Dict dict -> {
        Map<String, Value> members = new LinkedHashMap<>();
        new LinkedHashMap<>(dict.members()).sequencedEntrySet().reversed()
            .forEach(member -> members.put(member.getKey(), member.getValue()));
        yield new Value.Dict(members);
      }
      default -> value;
    };
  }

  private Value flatten(Value value) {
    if (!(value instanceof Value.Array array)) {
      return value;
    }
    List<Value> out = new ArrayList<>();
    flatten(array, out, option("deep") ? MAX_DEPTH : 1);
    return new Value.Array(out);
  }

  private static void flatten(Value.Array array, List<Value> out, int depth) {
    for (Value item : array.items()) {
      if (item instanceof Value.Array inner && depth > 0) {
        flatten(inner, out, depth - 1);
      } else {
        out.add(item);
      }
    }
  }

  /**
   * The members of all objects of an array; of one name the last, or the first to be preserved, at the first's place.
   */
  private Value join(Value value) {
    if (!(value instanceof Value.Array array)) {
      return value;
    }
    boolean preserve = option("preserve");
    Map<String, Value> members = new LinkedHashMap<>();
    for (Value item : array.items()) {
      if (item instanceof Value.Dict dict) {
        dict.members().forEach((name, member) -> members.merge(name, member, (a, b) -> preserve ? a : b));
      }
    }
    return new Value.Dict(members);
  }

  private static Value keys(Value value) {
    return switch (value) {
      case Value.Dict dict -> new Value.Array(dict.members().keySet().stream().map(Value::of).toList());
      case Value.Array array -> new Value.Array(array.items().stream().map(_ -> Value.NULL).toList());
      default -> Value.of(Value.NULL);
    };
  }

  private static Value values(Value value) {
    return switch (value) {
      case Value.Dict dict -> new Value.Array(List.copyOf(dict.members().values()));
      case Value.Array array -> array;
      default -> Value.of(value);
    };
  }

  private static Optional<Value> fromString(Value value) {
    return switch (value) {
      case Value.Null _ -> Optional.empty();
      case Value.Str text -> DocumentStep.json(text.value());
      default -> Optional.of(value);
    };
  }

  /** Turns an object of arrays into an array of objects. */
  private static Value group(Value.Dict dict) {
    List<Map<String, Value>> groups = new ArrayList<>();
    dict.members().forEach((name, member) -> {
      List<Value> items = member instanceof Value.Array array ? array.items() : List.of();
      for (int i = 0; i < items.size(); i++) {
        if (i == groups.size()) {
          groups.add(new LinkedHashMap<>());
        }
        groups.get(i).put(name, items.get(i));
      }
    });
    return new Value.Array(groups.stream().<Value>map(Value.Dict::new).toList());
  }

  /** Returns what the path in the argument finds in the value and in every value in it. */
  private Value dig(Value value) {
    List<Value> found = new ArrayList<>();
    dig(value, found, 0);
    return new Value.Array(found);
  }

  private void dig(Value value, List<Value> out, int depth) {
    evaluation.find(value, argument).flatMap(evaluation::built).ifPresent(out::add);
    if (depth < MAX_DEPTH && !evaluation.isExhausted()) {
      Collection<Value> inner = switch (value) {
        case Value.Dict dict -> dict.members().values();
        case Value.Array array -> array.items();
        default -> List.of();
      };
      inner.forEach(item -> dig(item, out, depth + 1));
    }
  }
}
