package portcullis.policy.mechanism;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import portcullis.config.Decoders;
import portcullis.config.Node;
import portcullis.config.Yaml;
import portcullis.http.message.BodyFormat;
import portcullis.http.message.Grammar;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.BudgetExceededException;
import portcullis.lang.value.Digits;
import portcullis.lang.value.ParseBudget;
import portcullis.lang.value.ParseMemory;
import portcullis.lang.value.ParseMeter;
import portcullis.lang.value.Value;

/** Reads YAML in bodies of requests and answers: a single document, in the core schema of YAML 1.2. */
public final class YamlFormat implements BodyFormat {
  private static final YamlFormat YAML = new YamlFormat();
  private static final int LONGEST_WHOLE = 1000;

  private YamlFormat() {}

  /** Finds the format of a media type among JSON, forms and YAML. */
  public static Optional<BodyFormat> orOther(String contentType) {
    return BodyFormat.of(contentType)
        .or(() -> BodyFormat.typeName(contentType).contains("yaml") ? Optional.of(YAML) : Optional.empty());
  }

  @Override
  public Optional<Value> read(byte[] bytes, ParseBudget budget, ParseMemory.Lease memory)
      throws BudgetExceededException {
    ParseMeter meter = ParseMeter.located(budget, memory);
    meter.begin(bytes.length);
    Problems problems = new Problems();
    Optional<Node> document = Yaml.read(new SourceFile("body", Grammar.text(bytes)), meter, problems);
    return problems.isEmpty() ? Optional.of(document.map(YamlFormat::value).orElse(Value.NULL)) : Optional.empty();
  }

  private static Value value(Node node) {
    return switch (node) {
      case Node.Scalar scalar -> scalar(scalar);
      case Node.Sequence sequence -> new Value.Array(sequence.items().stream().map(YamlFormat::value).toList());
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

  /** Returns whether it is a whole number; here one beyond 64 bits. */
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
