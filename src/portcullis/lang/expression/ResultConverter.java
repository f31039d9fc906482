package portcullis.lang.expression;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import portcullis.lang.value.Value;

/** Converts results of expressions to values like the JSON mapping of protobuf: bytes as base64, times as strings. */
final class ResultConverter {
  private ResultConverter() {}

  static Value of(Val val) throws EvaluationFailure {
    return switch (val) {
      case Val.Null _ -> Value.NULL;
      case Val.Bool b -> Value.of(b.value());
      case Val.Int i -> Value.of(i.value());
      case Val.Uint u -> u.bits() >= 0 ? Value.of(u.bits()) : Value.of(Long.toUnsignedString(u.bits()));
      case Val.Real r -> Value.of(r.value());
      case Val.Text t -> Value.of(t.value());
      case Val.Bytes b -> Value.of(Base64.getEncoder().encodeToString(b.value()));
      case Val.Time _, Val.Span _ -> Value.of(Conversions.text(val));
      case Val.Type t -> Value.of(t.name());
      case Val.Items items -> list(items.values());
      case Entries.OfData data -> data.dict();
      case Entries.Built built -> map(built.values());
      case Val.Host host -> host.object();
      case Val.Networks networks -> strings(networks.networks().stream().map(Object::toString));
      case Val.Kinds kinds -> strings(kinds.kinds().stream().map(ErrorKind::constant));
    };
  }

  private static Value strings(Stream<String> strings) {
    return Value.Array.ofStrings(strings.sorted().toList());
  }

  private static Value list(List<Val> values) throws EvaluationFailure {
    Value[] out = new Value[values.size()];
    for (int i = 0; i < out.length; i++) {
      out[i] = of(values.get(i));
    }
    return Value.of(out);
  }

  private static Value map(Map<Val, Val> values) throws EvaluationFailure {
    Map<String, Value> out = new LinkedHashMap<>();
    for (Map.Entry<Val, Val> entry : values.entrySet()) {
      out.put(Conversions.text(entry.getKey()), of(entry.getValue()));
    }
    return new Value.Dict(out);
  }
}
