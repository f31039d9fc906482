package portcullis.config;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import portcullis.lang.value.Value;

/**
 * The parts of a JSON Schema, equal ones once. While the schema is made each part is a reference; what is referred to
 * once is put back in its place at the end. For one schema.
 */
final class SchemaDefinitions {
  private static final String REFERENCE = "$ref";
  private static final String PART = "#part";

  private final Map<Value.Dict, Integer> numbers = new LinkedHashMap<>();
  private final List<Value.Dict> parts = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final Set<String> used = new HashSet<>();

  /** Returns a reference to a part. @param name preferred for it */
  Map<String, Value> reference(Map<String, Value> part, String name) {
    Value.Dict content = new Value.Dict(part);
    int number = numbers.computeIfAbsent(content, _ -> {
      parts.add(content);
      names.add(name);
      return parts.size() - 1;
    });
    Map<String, Value> out = new LinkedHashMap<>();
    out.put(REFERENCE, Value.of(PART + number));
    return out;
  }

  /** Returns the schema with its definitions. @param more definitions by name */
  Value resolved(Map<String, Value> root, Map<String, Value> more) {
    int[] uses = new int[parts.size()];
    count(new Value.Dict(root), uses);
    parts.forEach(part -> count(part, uses));
    used.addAll(more.keySet());
    for (int i = 0; i < uses.length; i++) {
      String name = names.get(i);
      for (int next = 2; uses[i] > 1 && !used.add(name); next++) {
        name = names.get(i) + next;
      }
      names.set(i, name);
    }
    Map<String, Value> out = new LinkedHashMap<>(((Value.Dict) resolved(new Value.Dict(root), uses)).members());
    Map<String, Value> definitions = new LinkedHashMap<>(more);
    for (int i = 0; i < uses.length; i++) {
      if (uses[i] > 1) {
        definitions.put(names.get(i), resolved(parts.get(i), uses));
      }
    }
    out.put("$defs", new Value.Dict(definitions));
    return new Value.Dict(out);
  }

  private void count(Value value, int[] uses) {
    switch (value) {
      case Value.Dict dict -> dict.members().forEach((name, member) -> {
        if (isPart(name, member)) {
          uses[number(member)]++;
        } else {
          count(member, uses);
        }
      });
      case Value.Array array -> array.items().forEach(item -> count(item, uses));
      default -> {
      }
    }
  }

  private Value resolved(Value value, int[] uses) {
    return switch (value) {
      case Value.Dict dict -> {
        Map<String, Value> out = new LinkedHashMap<>();
        dict.members().forEach((name, member) -> {
          if (!isPart(name, member)) {
            out.put(name, resolved(member, uses));
          } else if (uses[number(member)] > 1) {
            out.put(REFERENCE, Value.of("#/$defs/" + names.get(number(member))));
          } else {
            out.putAll(((Value.Dict) resolved(parts.get(number(member)), uses)).members());
          }
        });
        yield new Value.Dict(out);
      }
      case Value.Array array -> new Value.Array(array.items().stream().map(item -> resolved(item, uses)).toList());
      default -> value;
    };
  }

  private static boolean isPart(String name, Value value) {
    return name.equals(REFERENCE) && value instanceof Value.Str(String text) && text.startsWith(PART);
  }

  private static int number(Value part) {
    return Integer.parseInt(((Value.Str) part).value().substring(PART.length()));
  }
}
