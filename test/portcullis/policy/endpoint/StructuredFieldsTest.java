package portcullis.policy.endpoint;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.Needs;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;

class StructuredFieldsTest {
  private static List<Value> rows(String file) throws Exception {
    Path path = Needs.corpus("structured-fields/" + file);
    return ((Value.Array) Json.read(Files.readString(path))).items();
  }

  private static String text(Value row, String name) {
    return row instanceof Value.Dict d && d.get(name).orElse(Value.NULL) instanceof Value.Str t ? t.value() : "";
  }

  private static boolean mustFail(Value row) {
    return row instanceof Value.Dict d && d.get("must_fail").orElse(Value.FALSE).equals(Value.TRUE);
  }

  private static Value first(Value row, String name) {
    return row instanceof Value.Dict d && d.get(name).orElse(Value.NULL) instanceof Value.Array a
        && !a.items().isEmpty() ? a.items().getFirst()
            : Value.NULL;
  }

  /**
   * Items that are strings, from the rows that can be serialised: what is expected is written as it came, or in its one
   * form.
   */
  @ParameterizedTest
  @ValueSource(strings = {"string.json", "string-generated.json", "serialisation-tests/string-generated.json"})
  void writesStringsAsOthersDo(String file) throws Exception {
    int checked = 0;
    for (Value row : rows(file)) {
      boolean item = text(row, "header_type").equals("item") && first(row, "expected") instanceof Value.Str;
      if (item && (!mustFail(row) || file.startsWith("serialisation"))) {
        String value = ((Value.Str) first(row, "expected")).value();
        assertEquals(mustFail(row), !StructuredFields.isString(value), text(row, "name"));
        if (!mustFail(row)) {
          Value raw = first(row, "canonical") instanceof Value.Str t ? t : first(row, "raw");
          assertEquals(((Value.Str) raw).value(), StructuredFields.string(value), text(row, "name"));
        }
        checked++;
      }
    }
    assertTrue(checked > 5, file + ": " + checked);
  }

  /** Members of dictionaries, from the rows that can only be serialised. */
  @Test
  void knowsWhatKeysAre() throws Exception {
    int checked = 0;
    for (Value row : rows("serialisation-tests/key-generated.json")) {
      if (text(row, "header_type").equals("dictionary") && first(row, "expected") instanceof Value.Array member) {
        String key = ((Value.Str) member.items().getFirst()).value();
        assertEquals(!mustFail(row), StructuredFields.isKey(key), text(row, "name"));
        checked++;
      }
    }
    assertTrue(checked > 100, "" + checked);
  }

  @Test
  void writesBytesInBase64BetweenColons() throws IOException {
    assertEquals(":aGVsbG8=:", StructuredFields.binary("hello".getBytes(US_ASCII)));
    assertEquals("::", StructuredFields.binary(new byte[0]));
  }
}
