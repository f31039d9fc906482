package portcullis.lang.expression;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import portcullis.fixture.Corpora;
import portcullis.lang.value.Value;

/** Reads the values and types of the specification's suite, and writes values so that those of another type differ. */
final class ConformanceValue {
  private ConformanceValue() {}

  static Val of(Value value) {
    Map.Entry<String, Value> only = ((Value.Dict) value).members().entrySet().iterator().next();
    Value content = only.getValue();
    return switch (only.getKey()) {
      case "nullValue" -> Val.NULL;
      case "boolValue" -> Val.of(content.equals(Value.TRUE));
      case "int64Value" -> new Val.Int(Long.parseLong(plain(content)));
      case "uint64Value" -> new Val.Uint(Long.parseUnsignedLong(plain(content)));
      case "doubleValue" -> new Val.Real(Double.parseDouble(plain(content)));
      case "stringValue" -> Val.of(plain(content));
      case "bytesValue" -> new Val.Bytes(Base64.getDecoder().decode(plain(content)));
      case "typeValue" -> new Val.Type(plain(content));
      case "listValue" -> new Val.Items(Corpora.items(content, "values").stream().map(ConformanceValue::of).toList());
      case "mapValue" -> map(Corpora.items(content, "entries"));
      default -> throw new IllegalStateException(only.getKey());
    };
  }

  private static String plain(Value content) {
    return switch (content) {
      case Value.Str t -> t.value();
      case Value.Int i -> Long.toString(i.value());
      case Value.Float f -> Double.toString(f.value());
      default -> content.toString();
    };
  }

  private static Val map(List<Value> entries) {
    Map<Val, Val> out = new LinkedHashMap<>();
    entries.forEach(
        e -> out.put(of(Corpora.member(e, "key").orElseThrow()), of(Corpora.member(e, "value").orElseThrow())));
    return new Entries.Built(out);
  }

  static String text(Val value) {
    return switch (value) {
      case Val.Items items ->
        items.values().stream().map(ConformanceValue::text).collect(Collectors.joining(", ", "[", "]"));
      case Entries entries -> {
        List<String> members = new ArrayList<>();
        entries.keys().forEach(k -> members.add(text(k) + ": " + text(entries.find(k).orElseThrow())));
        yield new TreeSet<>(members).toString();
      }
      case Val.Real r when r.value() == 0 -> "Real[value=0.0]";
      case Val.Bytes bytes -> "bytes " + Base64.getEncoder().encodeToString(bytes.value());
      default -> value.toString();
    };
  }

  /** A type as {@link Signatures} writes it. */
  static String type(Value type) {
    Map.Entry<String, Value> only = ((Value.Dict) type).members().entrySet().iterator().next();
    Value content = only.getValue();
    return switch (only.getKey()) {
      case "primitive" -> primitive(plain(content));
      case "wellKnown" -> plain(content).toLowerCase(java.util.Locale.ROOT);
      case "listType" -> "list(" + type(Corpora.member(content, "elemType").orElseThrow()) + ")";
      case "mapType" -> "map(" + type(Corpora.member(content, "keyType").orElseThrow()) + ", "
          + type(Corpora.member(content, "valueType").orElseThrow()) + ")";
      case "type" -> "type(dyn)";
      default -> only.getKey();
    };
  }

  private static String primitive(String name) {
    return switch (name) {
      case "INT64" -> "int";
      case "UINT64" -> "uint";
      default -> name.toLowerCase(java.util.Locale.ROOT);
    };
  }
}
