package portcullis.value;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON texts (RFC 8259): the whole text is one value, at most 200 levels deep; of two members of one name the last counts. */
public final class Json {
  private static final int DEEPEST = 200;
  private static final JsonFactory FACTORY = JsonFactory.builder()
      .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build()).build();

  private Json() {}

  /** @throws ValueFault saying what is wrong and at which line and column */
  public static Value read(String text) throws ValueFault {
    try (JsonParser parser = FACTORY.createParser(text)) {
      return whole(parser);
    } catch (IOException e) {
      throw fault(e);
    }
  }

  /** The same of UTF-8 (or, as the RFC once allowed, UTF-16 and -32) bytes. */
  public static Value read(byte[] bytes) throws ValueFault {
    try (JsonParser parser = FACTORY.createParser(bytes)) {
      return whole(parser);
    } catch (IOException e) {
      throw fault(e);
    }
  }

  private static Value whole(JsonParser parser) throws IOException, ValueFault {
    if (parser.nextToken() == null) {
      throw new ValueFault("no JSON: the text is empty");
    }
    Value value = value(parser);
    if (parser.nextToken() != null) {
      throw new ValueFault("no JSON: something follows the value");
    }
    return value;
  }

  private static Value value(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    return switch (token) {
      case START_OBJECT -> object(parser);
      case START_ARRAY -> array(parser);
      case VALUE_STRING -> Value.of(sound(parser.getText()));
      case VALUE_NUMBER_INT -> whole64(parser);
      case VALUE_NUMBER_FLOAT -> finite(parser);
      case VALUE_TRUE -> Value.TRUE;
      case VALUE_FALSE -> Value.FALSE;
      case VALUE_NULL -> Value.NULL;
      default -> throw new UncheckedIOException(new IOException("unexpected " + token));
    };
  }

  private static Value object(JsonParser parser) throws IOException {
    Map<String, Value> members = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = sound(parser.currentName());
      parser.nextToken();
      members.put(name, value(parser));
    }
    return new Value.Dict(members);
  }

  private static Value array(JsonParser parser) throws IOException {
    List<Value> items = new ArrayList<>();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      items.add(value(parser));
    }
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

  /** Beyond 64 bits a whole number becomes a float, as every JSON reader of the field has it; so does -0. */
  private static Value whole64(JsonParser parser) throws IOException {
    if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
      return finite(parser);
    }
    long value = parser.getLongValue();
    return value == 0 && parser.getText().startsWith("-") ? Value.of(-0.0) : Value.of(value);
  }

  private static Value finite(JsonParser parser) throws IOException {
    double value = parser.getDoubleValue();
    if (Double.isInfinite(value)) {
      throw new StreamConstraintsException("a number is out of range", parser.currentLocation());
    }
    return Value.of(value);
  }

  private static ValueFault fault(IOException e) {
    if (e instanceof JsonProcessingException where && where.getLocation() != null) {
      return new ValueFault("no JSON: fault at line " + where.getLocation().getLineNr() + ", column "
          + where.getLocation().getColumnNr());
    }
    return new ValueFault("no JSON");
  }
}
