package portcullis.lang.gjson;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueFault;

class GjsonPathTest {
  private static final String DOCUMENT = """
      {"sub": "alice", "id": 9007199254740993, "n": 1.0, "e": 1E5, "ok": true, "none": null, "a.b": "dot",
       "name": {"first": "Tom"}, "friends": [{"first": "Dale", "age": 44}, {"first": "Roger", "age": 68}]}""";

  @Test
  void findsWhatGjsonFinds() {
    assertEquals(List.of(), GoldenRows.run().misses());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
      sub                          | alice
      id                           | 9007199254740993
      n                            | 1
      e                            | 100000
      ok                           | true
      none                         | ~~
      a\\.b                        | dot
      name.first                   | Tom
      friends.1.first              | Roger
      friends.#                    | 2
      friends.#(age>45).first      | Roger
      friends.#.first              | ["Dale","Roger"]
      name                         | {"first":"Tom"}
      {sub,name.first}             | {"sub":"alice","first":"Tom"}
      friends.@reverse.0.first     | Roger
      """)
  void findsInValues(String path, String text) throws ValueFault {
    Optional<Value> found = GjsonPath.parse(path.replace("\\\\", "\\")).get(Json.read(DOCUMENT));
    assertEquals(Optional.of(text), found.map(GjsonPath::text));
  }

  @ParameterizedTest
  @CsvSource({"nope", "sub.x", "friends.2", "friends.-1", "name.", "@nope", "..sub", "friends.#(age>99)"})
  void findsNothing(String path) throws ValueFault {
    assertEquals(Optional.empty(), GjsonPath.parse(path).get(Json.read(DOCUMENT)));
    assertFalse(GjsonPath.parse(path).find(DOCUMENT).exists());
  }

  @ParameterizedTest
  @CsvSource({"true,true", "false,false", "1,true", "0,false", "'\"true\"',true", "'\"T\"',true", "'\"yes\"',false",
    "null,false", "[],false"})
  void knowsWhatCountsAsTrue(String json, boolean truth) throws ValueFault {
    assertEquals(truth, GjsonPath.isTrue(Json.read(json)));
    assertEquals(truth, GjsonPath.parse("@this").find(json).isTrue());
  }

  @Test
  void staysWithinBounds() {
    assertFalse(GjsonPath.parse("a".repeat(2_000)).find("{}").exists());
    assertEquals("", GjsonPath.parse("@tostr|".repeat(100) + "@tostr").find("\"\\\\\"").text());
    String deep = "[".repeat(100_000);
    assertEquals("0", GjsonPath.parse("@dig:x|@join|#").find("[]").exists() ? "?" : "0");
    GjsonPath.parse("@dig:x").find(deep).value();
    GjsonPath.parse("@pretty").find(deep).value();
    GjsonPath.parse("@flatten:{\"deep\":true}").find(deep).value();
    GjsonPath.parse("@valid").find(deep).value();
    GjsonPath.parse("0.".repeat(400) + "0").find(deep).value();
    GjsonPath.parse("#(".repeat(300) + ")".repeat(300)).find(deep).value();
  }
}
