package portcullis.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import portcullis.lang.value.Value;

/**
 * Writes shapes as JSON Schema (2020-12), by which editors help with files. Where a single value is needed, {@code
 * ${…}} will do, since variables are filled in before values are looked at.
 */
public final class JsonSchema {
  private static final String DIALECT = "https://json-schema.org/draft/2020-12/schema";
  private static final String VARIABLE = "\\$\\{";

  private final SchemaDefinitions definitions = new SchemaDefinitions();

  private JsonSchema() {}

  /** Returns a whole schema, in lines. What it has several times is written once, in {@code $defs}. */
  public static String of(String title, Shape shape) {
    JsonSchema schema = new JsonSchema();
    Map<String, Value> root = new LinkedHashMap<>();
    root.put("$schema", Value.of(DIALECT));
    root.put("title", Value.of(title));
    root.putAll(schema.schema(shape, "root"));
    return JsonLayout.of(schema.definitions.resolved(root,
        Map.of("variable", dict("type", Value.of("string"), "pattern", Value.of(VARIABLE)))));
  }

  /** @param name of the key that has such a value */
  private Map<String, Value> schema(Shape shape, String name) {
    return switch (shape) {
      case Shape.Text text when text.choices().isEmpty() -> members("type", Value.of("string"));
      case Shape.Text text -> orVariable(members("enum", texts(text.choices())));
      case Shape.Pattern pattern -> members("type", Value.of("string"), "pattern",
          Value.of("(" + pattern.regex() + ")|" + VARIABLE));
      case Shape.Single _ -> members("type", texts(List.of("string", "number", "boolean")));
      case Shape.Whole whole -> orVariable(whole(whole));
      case Shape.Flag _ -> orVariable(members("type", Value.of("boolean")));
      case Shape.Items items -> items(items, name);
      case Shape.Named named ->
        members("type", Value.of("object"), "additionalProperties", dict(schema(named.value(), name)));
      case Shape.Members m -> definitions.reference(object(m, new LinkedHashMap<>()), name);
      case Shape.Either either -> definitions.reference(
          members("anyOf", new Value.Array(either.options().stream().map(o -> dict(schema(o, name))).toList())), name);
      case Shape.Choice choice -> definitions.reference(choice(choice, name), name);
      case Shape.Anything _ -> new LinkedHashMap<>();
    };
  }

  private static Map<String, Value> orVariable(Map<String, Value> schema) {
    return members("anyOf", new Value.Array(List.of(dict(schema), dict("$ref", Value.of("#/$defs/variable")))));
  }

  private static Map<String, Value> whole(Shape.Whole whole) {
    Map<String, Value> out = members("type", Value.of("integer"));
    if (whole.least() > Long.MIN_VALUE) {
      out.put("minimum", new Value.Int(whole.least()));
    }
    if (whole.most() < Integer.MAX_VALUE) {
      out.put("maximum", new Value.Int(whole.most()));
    }
    return out;
  }

  private Map<String, Value> items(Shape.Items items, String name) {
    Map<String, Value> out = members("type", Value.of("array"), "items", dict(schema(items.item(), name)));
    if (items.least() > 0) {
      out.put("minItems", new Value.Int(items.least()));
    }
    return out;
  }

  /** @param properties that it has besides */
  private Map<String, Value> object(Shape.Members shape, Map<String, Value> properties) {
    shape.keys().forEach(key -> properties.put(key.name(), dict(property(key))));
    Map<String, Value> out = members("type", Value.of("object"), "properties", dict(properties));
    List<String> required = shape.keys().stream().filter(Key::required).map(Key::name).toList();
    if (!required.isEmpty()) {
      out.put("required", texts(required));
    }
    out.put("additionalProperties", Value.FALSE);
    return out;
  }

  private Map<String, Value> property(Key<?> key) {
    Map<String, Value> out = new LinkedHashMap<>();
    if (!key.doc().isEmpty()) {
      out.put("description", Value.of(key.doc()));
    }
    key.defaultValue().flatMap(absent -> DefaultText.of(absent, key.decoder().shape()))
        .ifPresent(value -> out.put("default", value));
    out.putAll(schema(key.decoder().shape(), key.name()));
    return out;
  }

  /** Returns a schema with the allowed members for each value of the key. */
  private Map<String, Value> choice(Shape.Choice choice, String key) {
    List<Value> cases = new ArrayList<>();
    choice.options().forEach((name, option) -> {
      Value is = dict(choice.key(), dict("const", Value.of(name)));
      Map<String, Value> then = option instanceof Shape.Members m
          ? definitions.reference(object(m, members(choice.key(), Value.Dict.EMPTY)), name)
          : schema(option, key);
      cases.add(dict("if", dict("properties", is, "required", texts(List.of(choice.key()))), "then", dict(then)));
    });
    Value names = dict(orVariable(members("enum", texts(List.copyOf(choice.options().keySet())))));
    Map<String, Value> out = members("type", Value.of("object"), "properties", dict(choice.key(), names));
    out.put("required", texts(List.of(choice.key())));
    out.put("allOf", new Value.Array(cases));
    return out;
  }

  private static Map<String, Value> members(String name, Value value) {
    Map<String, Value> out = new LinkedHashMap<>();
    out.put(name, value);
    return out;
  }

  private static Map<String, Value> members(String name, Value value, String other, Value second) {
    Map<String, Value> out = members(name, value);
    out.put(other, second);
    return out;
  }

  private static Value dict(String name, Value value) {
    return dict(members(name, value));
  }

  private static Value dict(String name, Value value, String other, Value second) {
    return dict(members(name, value, other, second));
  }

  private static Value dict(Map<String, Value> members) {
    return new Value.Dict(members);
  }

  private static Value texts(List<String> texts) {
    return Value.Array.ofStrings(texts);
  }
}
