package portcullis.http.message;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import portcullis.lang.value.BudgetExceededException;
import portcullis.lang.value.Json;
import portcullis.lang.value.ParseBudget;
import portcullis.lang.value.ParseMemory;
import portcullis.lang.value.ParseMeter;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** A format of bodies that rules can look into. */
public interface BodyFormat {
  BodyFormat JSON = BodyFormat::json;
  BodyFormat FORM = BodyFormat::form;

  /** Finds the format of a media type, so that other packages can add formats to those of this interface. */
  interface Lookup {
    /** Returns the format of a {@code Content-Type}; empty for text and anything else. */
    Optional<BodyFormat> of(String contentType);
  }

  /**
   * Returns the value; empty if the bytes have another format.
   *
   * @param memory which the value takes its memory from
   * @throws BudgetExceededException if the value exceeds the budget
   */
  Optional<Value> read(byte[] bytes, ParseBudget budget, ParseMemory.Lease memory) throws BudgetExceededException;

  /** Finds JSON and forms by the name of the type, its suffixes included, as {@code application/vnd.api+json}. */
  static Optional<BodyFormat> of(String contentType) {
    String type = typeName(contentType);
    return type.contains("json") ? Optional.of(JSON)
        : type.contains("x-www-form-urlencoded") ? Optional.of(FORM) : Optional.empty();
  }

  /** Returns the media type without parameters, in lower case. */
  static String typeName(String contentType) {
    int end = contentType.indexOf(';');
    return (end < 0 ? contentType : contentType.substring(0, end)).toLowerCase(Locale.ROOT);
  }

  private static Optional<Value> json(byte[] bytes, ParseBudget budget, ParseMemory.Lease memory)
      throws BudgetExceededException {
    try {
      return Optional.of(Json.read(bytes, ParseMeter.compact(budget, memory)));
    } catch (BudgetExceededException e) {
      throw e;
    } catch (ValueException _) {
      return Optional.empty();
    }
  }

  private static Optional<Value> form(byte[] bytes, ParseBudget budget, ParseMemory.Lease memory)
      throws BudgetExceededException {
    ParseMeter meter = ParseMeter.compact(budget, memory);
    meter.begin(bytes.length);
    String form = new String(bytes, StandardCharsets.ISO_8859_1);
    return Query.isSound(form) ? Optional.of(values(Query.parameters(form, meter))) : Optional.empty();
  }

  static Value.Dict values(Map<String, List<String>> parameters) {
    Map<String, Value> out = LinkedHashMap.newLinkedHashMap(parameters.size());
    parameters.forEach((name, values) -> out.put(name, Value.Array.ofStrings(values)));
    return new Value.Dict(out);
  }
}
