package portcullis.lang.gjson;

import java.util.Map;
import portcullis.lang.value.Floats;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/** Writes values as JSON without blanks and with the members of objects in their order. */
final class CompactJson {
  private final StringBuilder out = new StringBuilder();

  private CompactJson() {}

  static String of(Value value) {
    CompactJson json = new CompactJson();
    json.write(value);
    return json.out.toString();
  }

  private void write(Value value) {
    switch (value) {
      case Value.Array array -> {
        String separator = "[";
        for (Value item : array.items()) {
          out.append(separator);
          write(item);
          separator = ",";
        }
        out.append(array.items().isEmpty() ? "[]" : "]");
      }
      case Value.Dict dict -> {
        String separator = "{";
        for (Map.Entry<String, Value> member : dict.members().entrySet()) {
          out.append(separator).append(JsonText.plain(Value.of(member.getKey()))).append(':');
          write(member.getValue());
          separator = ",";
        }
        out.append(dict.members().isEmpty() ? "{}" : "}");
      }
      case Value.Float number when number.isBig() -> out.append(number.digits());
      case Value.Float number -> out.append(Double.isFinite(number.value()) ? Floats.json(number.value()) : "null");
      case Value.Null _, Value.Bool _, Value.Int _, Value.Str _ -> out.append(JsonText.plain(value));
      case HostObject object -> out.append(JsonText.plain(object));
    }
  }
}
