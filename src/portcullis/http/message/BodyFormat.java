package portcullis.http.message;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import portcullis.config.Decoders;
import portcullis.config.Node;
import portcullis.config.Yaml;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.BudgetExceededException;
import portcullis.lang.value.Digits;
import portcullis.lang.value.Json;
import portcullis.lang.value.ParseBudget;
import portcullis.lang.value.ParseMemory;
import portcullis.lang.value.ParseMeter;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** The formats of bodies and answers that rules can look into. */
public enum BodyFormat {
  JSON {
    @Override
    public Optional<Value> read(byte[] bytes, ParseBudget budget, ParseMemory.Lease memory)
        throws BudgetExceededException {
      try {
        return Optional.of(Json.read(bytes, ParseMeter.compact(budget, memory)));
      } catch (BudgetExceededException e) {
        throw e;
      } catch (ValueException _) {
        return Optional.empty();
      }
    }
  },
  FORM {
    @Override
    public Optional<Value> read(byte[] bytes, ParseBudget budget, ParseMemory.Lease memory)
        throws BudgetExceededException {
      ParseMeter meter = ParseMeter.compact(budget, memory);
      meter.begin(bytes.length);
      String form = new String(bytes, StandardCharsets.ISO_8859_1);
      return Query.isSound(form) ? Optional.of(values(Query.parameters(form, meter))) : Optional.empty();
    }
  },
  YAML {
    @Override
    public Optional<Value> read(byte[] bytes, ParseBudget budget, ParseMemory.Lease memory)
        throws BudgetExceededException {
      ParseMeter meter = ParseMeter.located(budget, memory);
      meter.begin(bytes.length);
      Problems problems = new Problems();
      Optional<Node> document = Yaml.read(new SourceFile("body", Body.text(bytes)), meter, problems);
      return problems.isEmpty() ? Optional.of(document.map(BodyFormat::value).orElse(Value.NULL)) : Optional.empty();
    }
  };

  /**
   * The value; empty where the bytes are of another format.
   *
   * @param memory what holds the memory that the value takes
   * @throws BudgetExceededException where it is more than the budget allows
   */
  public abstract Optional<Value> read(byte[] bytes, ParseBudget budget, ParseMemory.Lease memory)
      throws BudgetExceededException;

  private static final int LONGEST_WHOLE = 1000;

  /** By the type's name, its suffixes included, as {@code application/vnd.api+json}. */
  public static Optional<BodyFormat> of(String contentType) {
    int end = contentType.indexOf(';');
    String type = (end < 0 ? contentType : contentType.substring(0, end)).toLowerCase(Locale.ROOT);
    if (type.contains("json")) {
      return Optional.of(JSON);
    }
    if (type.contains("x-www-form-urlencoded")) {
      return Optional.of(FORM);
    }
    return type.contains("yaml") ? Optional.of(YAML) : Optional.empty();
  }

  static Value.Dict values(Map<String, List<String>> parameters) {
    Map<String, Value> out = LinkedHashMap.newLinkedHashMap(parameters.size());
    parameters.forEach((name, values) -> out.put(name, Value.Array.ofStrings(values)));
    return new Value.Dict(out);
  }

  private static Value value(Node node) {
    return switch (node) {
      case Node.Scalar scalar -> scalar(scalar);
      case Node.Sequence sequence -> new Value.Array(sequence.items().stream().map(BodyFormat::value).toList());
      case Node.Mapping mapping -> {
        Map<String, Value> members = LinkedHashMap.newLinkedHashMap(mapping.members().size());
        mapping.members().forEach((name, member) -> members.put(name, value(member.value())));
        yield new Value.Dict(members);
      }
    };
  }

  private static Value scalar(Node.Scalar scalar) {
    String text = scalar.text();
    return switch (scalar.meaning()) {
      case TEXT -> Value.of(text);
      case BOOL -> Value.of(text.equalsIgnoreCase("true"));
      case INT -> new Value.Int(
          Decoders.whole(Long.MIN_VALUE, Long.MAX_VALUE).decode(scalar, new Problems()).orElseThrow(), true);
      case FLOAT -> isWhole(text) ? new Value.Float(Double.parseDouble(text), text)
          : Value.of(number(text.toLowerCase(Locale.ROOT)));
      case NULL -> Value.NULL;
    };
  }

  /** A whole number beyond 64 bits. */
  private static boolean isWhole(String text) {
    return text.length() <= LONGEST_WHOLE && Digits.are(text.startsWith("-") ? text.substring(1) : text, LONGEST_WHOLE);
  }

  private static double number(String text) {
    return switch (text) {
      case ".inf", "+.inf" -> Double.POSITIVE_INFINITY;
      case "-.inf" -> Double.NEGATIVE_INFINITY;
      case ".nan" -> Double.NaN;
      default -> Double.parseDouble(text);
    };
  }
}
