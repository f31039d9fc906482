package portcullis.lang.expression;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** {@code base64.…} (RFC 4648, 4), which is read without padding too, and {@code json.encode}. */
final class Encodings {
  private Encodings() {}

  static Optional<Function> find(String name) {
    return switch (name) {
      case "base64.encode" -> Optional.of(Encodings::encode);
      case "base64.decode" -> Optional.of(Encodings::decode);
      case "json.encode" -> Optional.of(a -> Val.of(JsonText.plain(json(a.get(0), a.meter()))));
      default -> Optional.empty();
    };
  }

  /** Returns the value that JSON is made of; whole numbers that a double would round become strings, as in protobuf. */
  private static Value json(Val val, Meter meter) throws EvaluationFailure {
    meter.charge(1);
    return switch (val) {
      case Val.Items items -> {
        List<Value> out = new ArrayList<>();
        for (Val item : items.values()) {
          out.add(json(item, meter));
        }
        yield new Value.Array(out);
      }
      case Entries entries -> {
        Map<String, Value> out = new LinkedHashMap<>();
        for (Val key : entries.keys()) {
          String name = key.text().orElseThrow(() -> new EvaluationFailure("a name in JSON cannot be " + key.type()));
          out.put(name, json(entries.find(key).orElseThrow(), meter));
        }
        yield new Value.Dict(out);
      }
      case Val.Int number when Math.abs((double) number.value()) >= Val.EXACT ->
        Value.of(Long.toString(number.value()));
      case Val.Uint number when Order.unsigned(number.bits()) >= Val.EXACT ->
        Value.of(Long.toUnsignedString(number.bits()));
      case Val.Real number when !Double.isFinite(number.value()) ->
        throw new EvaluationFailure("JSON has no " + number.value());
      case Val.Type _, Val.Host _, Val.Networks _, Val.Kinds _ ->
        throw new EvaluationFailure("JSON has no " + val.type());
      case Val.Time time -> Value.of(Times.text(new Val.Time(time.value(), 0)));
      default -> ResultConverter.of(val);
    };
  }

  private static Val encode(Arguments a) throws EvaluationFailure {
    if (!(a.get(0) instanceof Val.Bytes bytes)) {
      throw a.mismatch();
    }
    a.meter().chargeText(bytes.value().length);
    return Val.of(Base64.getEncoder().encodeToString(bytes.value()));
  }

  private static Val decode(Arguments a) throws EvaluationFailure {
    String text = a.text(0);
    a.meter().chargeText(text.length());
    try {
      return new Val.Bytes(Base64.getDecoder().decode(text.replace("\r", "").replace("\n", "")));
    } catch (IllegalArgumentException _) {
      throw new EvaluationFailure("invalid base64");
    }
  }
}
