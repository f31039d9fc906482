package portcullis.crypto.jwt;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * Reads a header or a payload: a JSON object in UTF-8, each name once (RFC 7515, 4; RFC 7519, 4), at most 32 levels
 * deep.
 */
final class ClaimsJson {
  private static final int DEEPEST = 32;
  private static final JsonFactory STRICT = JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
      .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEEPEST).build()).build();

  private ClaimsJson() {}

  /** @param part what it is, for the message */
  static Value.Dict read(byte[] bytes, String part) throws TokenException {
    try {
      String text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      requireStrict(text);
      if (Json.read(text) instanceof Value.Dict object) {
        return object;
      }
    } catch (CharacterCodingException _) {
      throw TokenException.malformed("its " + part + " is not UTF-8");
    } catch (IOException | ValueException _) {
      throw TokenException
          .malformed("its " + part + " is not well-formed JSON, or it is too deep or names a member twice");
    }
    throw TokenException.malformed("its " + part + " is not a JSON object");
  }

  /** The reader of values is laxer: it goes deeper, and of two members of one name it takes the last. */
  private static void requireStrict(String text) throws IOException {
    try (JsonParser parser = STRICT.createParser(text)) {
      JsonToken token = parser.nextToken();
      while (token != null) {
        token = parser.nextToken();
      }
    }
  }
}
