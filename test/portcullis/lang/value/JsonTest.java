package portcullis.lang.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON is parsed by RFC 8259 and written as Go does. */
final class JsonTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
      {"b":1,"a":[true,null,"x"]}   | {"a":[true,null,"x"],"b":1}
      [9007199254740993,1e3,-0,1.0] | [9007199254740993,1000,-0,1]
      123456789012345678901         | 123456789012345678901
      [18446744073709551615,-9223372036854775809] | [18446744073709551615,-9223372036854775809]
      {"a":1,"a":2}                 | {"a":2}
      "<a> & \\u2028 \\u0001\\t"    | "\\u003ca\\u003e \\u0026 \\u2028 \\u0001\\t"
      "\\ud83d\\ude00é\\ud800!"     | "😀é\ufffd!\"""")
  void writesWhatItReads(String text, String written) throws ValueException {
    assertEquals(written, JsonText.of(Json.read(text)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[1,]", "01", "1 2", "nul", "\"\t\"", "NaN", "1e999", "{'a':1}"})
  void rejectsInvalidJson(String text) {
    assertThrows(ValueException.class, () -> Json.read(text));
  }

  @Test
  void strictJsonHasEachMemberOnceAndIsUtf8() throws ValueException {
    byte[] right = "{\"a\":{\"a\":\"é\"},\"b\":[{\"a\":1},{\"a\":2}]}".getBytes(StandardCharsets.UTF_8);
    assertEquals(Json.read(right), Json.readStrict(right));
    for (String twice : List.of("{\"a\":1,\"a\":1}", "{\"b\":[{\"a\":1,\"\\u0061\":2}]}")) {
      assertThrows(ValueException.class, () -> Json.readStrict(twice.getBytes(StandardCharsets.UTF_8)), twice);
    }
    assertEquals("invalid JSON: it is not UTF-8", assertThrows(ValueException.class,
        () -> Json.readStrict("{\"a\":\"é\"}".getBytes(StandardCharsets.ISO_8859_1))).getMessage());
  }

  @Test
  void escapesHtmlOnlyOnRequest() {
    assertEquals("\"\\u003ca\\u003e\"", JsonText.quoted("<a>", true));
    assertEquals("\"<a>\"", JsonText.quoted("<a>", false));
  }

  @Test
  void dictsOfStringsEqualOtherDicts() {
    Value.Dict texts = Value.Dict.ofStrings(Map.of("a", "b"));
    assertEquals(Value.dict("a", Value.of("b")), texts);
    assertEquals(texts, Value.dict("a", Value.of("b")));
    assertTrue(texts.isOfStrings());
    assertFalse(Value.dict("a", Value.of("b")).isOfStrings());
    assertThrows(UnsupportedOperationException.class, () -> texts.members().clear());
  }
}
