package portcullis.lang.value;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Parses JSON (RFC 8259) within a budget. The input is exactly one value; of two members of the same name the last one
 * wins. Names are not interned.
 */
public final class Json {
  /** Smaller input is not counted: it is parsed without blocking, so at most once per processor at a time. */
  private static final int SMALL = 16 << 10;
  private static final JsonFactory FACTORY = JsonFactory.builder()
      .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
      .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(Integer.MAX_VALUE).build()).build();

  private Json() {}

  /** Opens a parser of the input. */
  private interface Source {
    JsonParser open() throws IOException;
  }

  /** @throws ValueException for invalid JSON, with line and column, or for more than the budget allows */
  public static Value read(String text) throws ValueException {
    return read(() -> FACTORY.createParser(text), text.length());
  }

  /** Parses UTF-8 (or UTF-16 and UTF-32, which older RFCs allowed). */
  public static Value read(byte[] bytes) throws ValueException {
    return read(() -> FACTORY.createParser(bytes), bytes.length);
  }

  /** Parses within the budget of the meter. */
  public static Value read(byte[] bytes, ParseMeter meter) throws ValueException {
    return read(() -> FACTORY.createParser(bytes), bytes.length, meter);
  }

  /** Parses without limits what an operator or the program itself has written. */
  public static Value readOwn(byte[] bytes) throws ValueException {
    return read(bytes, ParseMeter.uncounted(ParseBudget.UNBOUNDED));
  }

  /** Parses UTF-8 in which no object has two members of one name. */
  public static Value readStrict(byte[] bytes) throws ValueException {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException _) {
      throw new ValueException("invalid JSON: it is not UTF-8");
    }
    return read(() -> FACTORY.createParser(text).enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION), text.length());
  }

  private static Value read(Source source, int length) throws ValueException {
    if (length <= SMALL) {
      return read(source, length, ParseMeter.uncounted(ParseBudget.DEFAULT));
    }
    try (ParseMemory.Lease lease = ParseMemory.PROCESS.lease("")) {
      return read(source, length, ParseMeter.compact(ParseBudget.ofRead(length), lease));
    }
  }

  private static Value read(Source source, int length, ParseMeter meter) throws ValueException {
    meter.begin(length);
    try (JsonParser parser = source.open()) {
      return whole(parser, meter);
    } catch (IOException e) {
      throw error(e);
    }
  }

  private static Value whole(JsonParser parser, ParseMeter meter) throws IOException, ValueException {
    if (parser.nextToken() == null) {
      throw new ValueException("invalid JSON: the input is empty");
    }
    Value value = value(parser, meter);
    if (parser.nextToken() != null) {
      throw new ValueException("invalid JSON: data after the value");
    }
    return value;
  }

  private static Value value(JsonParser parser, ParseMeter meter) throws IOException, BudgetExceededException {
    meter.node();
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> object(parser, meter);
      case START_ARRAY -> array(parser, meter);
      case VALUE_STRING -> Value.of(wellFormed(parser.getText()));
      case VALUE_NUMBER_INT -> whole(parser);
      case VALUE_NUMBER_FLOAT -> Value.of(finite(parser));
      case VALUE_TRUE -> Value.TRUE;
      case VALUE_FALSE -> Value.FALSE;
      case VALUE_NULL -> Value.NULL;
      default -> throw new UncheckedIOException(new IOException("unexpected " + token));
    };
  }

  private static Value object(JsonParser parser, ParseMeter meter) throws IOException, BudgetExceededException {
    meter.enter();
    if (parser.nextToken() == JsonToken.END_OBJECT) {
      meter.leave();
      return Value.Dict.EMPTY;
    }
    Map<String, Value> members = new LinkedHashMap<>(8);
    do {
      String name = wellFormed(parser.currentName());
      parser.nextToken();
      members.put(name, value(parser, meter));
      meter.names(members.size());
    } while (parser.nextToken() != JsonToken.END_OBJECT);
    meter.leave();
    return new Value.Dict(members);
  }

  private static Value array(JsonParser parser, ParseMeter meter) throws IOException, BudgetExceededException {
    meter.enter();
    if (parser.nextToken() == JsonToken.END_ARRAY) {
      meter.leave();
      return Value.Array.EMPTY;
    }
    List<Value> items = new ArrayList<>(4);
    do {
      items.add(value(parser, meter));
    } while (parser.nextToken() != JsonToken.END_ARRAY);
    meter.leave();
    return new Value.Array(items);
  }

  /** Replaces an unpaired surrogate by U+FFFD, which RFC 8259, 8.2, leaves open. */
  private static String wellFormed(String text) {
    int at = 0;
    while (at < text.length() && !Character.isSurrogate(text.charAt(at))) {
      at++;
    }
    if (at == text.length()) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints().forEach(c -> out.appendCodePoint(c >= 0xD800 && c <= 0xDFFF ? 0xFFFD : c));
    return out.toString();
  }

  /**
   * Reads an integer beyond 64 bits as a float that keeps its digits, and -0 as a float.
   */
  private static Value whole(JsonParser parser) throws IOException {
    if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      String digits = parser.getText();
      return new Value.Float(finite(parser), digits);
    }
    long value = parser.getLongValue();
    return value == 0 && parser.getText().startsWith("-") ? Value.of(-0.0) : Value.of(value);
  }

  private static double finite(JsonParser parser) throws IOException {
    double value = parser.getDoubleValue();
    if (Double.isInfinite(value)) {
      throw new StreamConstraintsException("a number is out of range", parser.currentLocation());
    }
    return value;
  }

  private static ValueException error(IOException e) {
    if (e instanceof JsonProcessingException where && where.getLocation() != null) {
      return new ValueException("invalid JSON at line " + where.getLocation().getLineNr() + ", column "
          + where.getLocation().getColumnNr());
    }
    return new ValueException("invalid JSON");
  }
}
