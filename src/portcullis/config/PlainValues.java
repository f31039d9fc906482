package portcullis.config;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.Value;

/** Converts nodes to plain values without places, for data in a document that is not configuration. */
public final class PlainValues {
  private PlainValues() {}

  /** Returns the value of any node. */
  public static Decoder<Value> decoder() {
    return Decoders.node().then((node, _, _) -> Optional.of(of(node)));
  }

  private static Value of(Node node) {
    return switch (node) {
      case Node.Scalar s -> scalar(s);
      case Node.Sequence s -> new Value.Array(s.items().stream().map(PlainValues::of).toList());
      case Node.Mapping m -> {
        Map<String, Value> members = LinkedHashMap.newLinkedHashMap(m.members().size());
        m.members().forEach((name, member) -> members.put(name, of(member.value())));
        yield new Value.Dict(members);
      }
    };
  }

  private static Value scalar(Node.Scalar scalar) {
    return switch (scalar.meaning()) {
      case TEXT -> Value.of(scalar.text());
      case NULL -> Value.NULL;
      case BOOL -> Value.of(scalar.text().equalsIgnoreCase("true"));
      case INT -> Scalars.integer(scalar.text()).<Value>map(Value::of).orElse(Value.NULL);
      case FLOAT -> Value.of(number(scalar.text().toLowerCase(Locale.ROOT)));
    };
  }

  private static double number(String text) {
    return text.endsWith(".inf") ? text.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY
        : text.endsWith(".nan") ? Double.NaN : Double.parseDouble(text);
  }
}
