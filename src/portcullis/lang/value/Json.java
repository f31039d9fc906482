package portcullis.lang.value;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON texts (RFC 8259) within a budget: the whole text is one value; of two members of one name the last counts.
 * No name is kept for the next text.
 */
public final class Json {
  /** What is parsed without a pause and kept by nobody: there are no more of these at once than processors. */
  private static final int SMALL = 16 << 10;
  private static final JsonFactory FACTORY = JsonFactory.builder()
      .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES).disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
      .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(Integer.MAX_VALUE).build()).build();

  private Json() {}

  /** Opens a parser of the text. */
  private interface Source {
    JsonParser open() throws IOException;
  }

  /** @throws ValueFault saying what is wrong and at which line and column, or that it is over the budget */
  public static Value read(String text) throws ValueFault {
    return read(() -> FACTORY.createParser(text), text.length());
  }

  /** The same of UTF-8 (or, as the RFC once allowed, UTF-16 and -32) bytes. */
  public static Value read(byte[] bytes) throws ValueFault {
    return read(() -> FACTORY.createParser(bytes), bytes.length);
  }

  /** The same within a budget of one's own. */
  public static Value read(byte[] bytes, ParseMeter meter) throws ValueFault {
    return read(() -> FACTORY.createParser(bytes), bytes.length, meter);
  }

  /** The same of a text that an operator or the program itself has written. */
  public static Value readOwn(byte[] bytes) throws ValueFault {
    return read(bytes, ParseMeter.uncounted(ParseBudget.UNBOUNDED));
  }

  private static Value read(Source source, int length) throws ValueFault {
    if (length <= SMALL) {
      return read(source, length, ParseMeter.uncounted(ParseBudget.DEFAULT));
    }
    try (ParseMemory.Lease lease = ParseMemory.PROCESS.lease("")) {
      return read(source, length, ParseMeter.compact(ParseBudget.ofRead(length), lease));
    }
  }

  private static Value read(Source source, int length, ParseMeter meter) throws ValueFault {
    meter.begin(length);
    try (JsonParser parser = source.open()) {
      return whole(parser, meter);
    } catch (IOException e) {
      throw fault(e);
    }
  }

  private static Value whole(JsonParser parser, ParseMeter meter) throws IOException, ValueFault {
    if (parser.nextToken() == null) {
      throw new ValueFault("no JSON: the text is empty");
    }
    Value value = value(parser, meter);
    if (parser.nextToken() != null) {
      throw new ValueFault("no JSON: something follows the value");
    }
    return value;
  }

  private static Value value(JsonParser parser, ParseMeter meter) throws IOException, OverBudget {
    meter.node();
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> object(parser, meter);
      case START_ARRAY -> array(parser, meter);
      case VALUE_STRING -> Value.of(sound(parser.getText()));
      case VALUE_NUMBER_INT -> whole(parser);
      case VALUE_NUMBER_FLOAT -> Value.of(finite(parser));
      case VALUE_TRUE -> Value.TRUE;
      case VALUE_FALSE -> Value.FALSE;
      case VALUE_NULL -> Value.NULL;
      default -> throw new UncheckedIOException(new IOException("unexpected " + token));
    };
  }

  private static Value object(JsonParser parser, ParseMeter meter) throws IOException, OverBudget {
    meter.enter();
    if (parser.nextToken() == JsonToken.END_OBJECT) {
      meter.leave();
      return Value.Dict.EMPTY;
    }
    Map<String, Value> members = new LinkedHashMap<>(8);
    do {
      String name = sound(parser.currentName());
      parser.nextToken();
      members.put(name, value(parser, meter));
      meter.names(members.size());
    } while (parser.nextToken() != JsonToken.END_OBJECT);
    meter.leave();
    return new Value.Dict(members);
  }

  private static Value array(JsonParser parser, ParseMeter meter) throws IOException, OverBudget {
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

  /** Half of a surrogate pair becomes U+FFFD; RFC 8259, 8.2, leaves it open. */
  private static String sound(String text) {
    if (text.chars().noneMatch(c -> Character.isSurrogate((char) c))) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints().forEach(c -> out.appendCodePoint(c >= 0xD800 && c <= 0xDFFF ? 0xFFFD : c));
    return out.toString();
  }

  /**
   * Beyond 64 bits a whole number is a float, as every JSON reader of the field has it, that knows its digits; so is
   * -0.
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

  private static ValueFault fault(IOException e) {
    if (e instanceof JsonProcessingException where && where.getLocation() != null) {
      return new ValueFault("no JSON: fault at line " + where.getLocation().getLineNr() + ", column "
          + where.getLocation().getColumnNr());
    }
    return new ValueFault("no JSON");
  }
}
