package portcullis.lang.gjson;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

class GjsonPathTest {
  private static final String DOCUMENT = """
      {"sub": "alice", "id": 9007199254740993, "n": 1.0, "e": 1E5, "ok": true, "none": null, "a.b": "dot",
       "name": {"first": "Tom"}, "friends": [{"first": "Dale", "age": 44}, {"first": "Roger", "age": 68}]}""";

  @Test
  void findsWhatGjsonFinds() {
    assertEquals(List.of(), GjsonRows.report().misses());
  }

  @ParameterizedTest
  @CsvSource(delimiter = ';', quoteCharacter = '~', textBlock = """
      sub                          ; alice
      id                           ; 9007199254740993
      n                            ; 1
      e                            ; 100000
      ok                           ; true
      none                         ; ~~
      a\\.b                        ; dot
      name.first                   ; Tom
      friends.1.first              ; Roger
      friends.#                    ; 2
      friends.#(age>45).first      ; Roger
      friends.#.first              ; ["Dale","Roger"]
      name                         ; {"first":"Tom"}
      {sub,name.first}             ; {"sub":"alice","first":"Tom"}
      friends.@reverse.0.first     ; Roger
      friends.@dig:first           ; ["Dale","Roger"]
      name.@tostr                  ; {"first":"Tom"}
      name.@tostr.@fromstr.first   ; Tom
      nope|@tostr                  ; ~~
      nope|@keys                   ; []
      nope|!"x"                    ; x
      ..0.sub                      ; alice
      ..0|sub                      ; alice
      ..#                          ; 1
      !1                           ; 1
      !-0.5x                       ; 0
      !nan                         ; NaN
      {"a":sub,"a":id}             ; {"a":"alice"}
      friends.#(first%"D*")#.age   ; [44]
      friends.#(first%"\\x44*")#.age ; []
      """)
  void findsInValues(String path, String text) throws ValueException {
    Optional<Value> found = GjsonPath.parse(path.replace("\\\\", "\\")).get(Json.read(DOCUMENT));
    assertEquals(Optional.of(text), found.map(GjsonPath::text));
  }

  @ParameterizedTest
  @CsvSource({"nope", "sub.x", "friends.2", "friends.-1", "name.", "@nope", "..sub", "friends.#(age>99)"})
  void findsNothing(String path) throws ValueException {
    assertEquals(Optional.empty(), GjsonPath.parse(path).get(Json.read(DOCUMENT)));
  }

  @Test
  void keepsNumbersExact() throws ValueException {
    Value document = Json.read("{\"a\": {\"big\": 123456789012345678901234567890, \"long\": 9007199254740993}}");
    for (String path : List.of("a", "*", "{a}|a", "@values|0", "a.@pretty", "a|@tostr|@fromstr")) {
      assertEquals(Optional.of("{\"big\":123456789012345678901234567890,\"long\":9007199254740993}"),
          GjsonPath.parse(path).get(document).map(GjsonPath::text), path);
    }
  }

  @Test
  void doesNotLookIntoStrings() throws ValueException {
    Value document = Json.read("{\"name\": \"{\\\"sub\\\": \\\"admin\\\"}\"}");
    assertEquals(Optional.empty(), GjsonPath.parse("name|sub").get(document));
    assertEquals(Optional.of("admin"), GjsonPath.parse("name.@fromstr.sub").get(document).map(GjsonPath::text));
  }

  @ParameterizedTest
  @CsvSource({"true,true", "false,false", "1,true", "0,false", "'\"true\"',true", "'\"T\"',true", "'\"yes\"',false",
    "null,false", "[],false"})
  void readsValuesAsBooleans(String json, boolean truth) throws ValueException {
    assertEquals(truth, GjsonPath.isTrue(Json.read(json)));
  }

  @Test
  void findsNothingBeyondItsBudget() throws ValueException {
    Value document = Json.read("{\"a\": {\"b\": \"\\\"\"}}");
    assertFindsNothing("a" + ".a".repeat(1_000), document);
    assertFindsNothing("@tostr|".repeat(100) + "a", document);
    assertFindsNothing("[@this,@this]|".repeat(70) + "@this", document);
    assertFindsNothing("#(".repeat(300) + ")".repeat(300), document);
    assertEquals(Optional.of("[".repeat(100) + "]".repeat(100)),
        GjsonPath.parse("[".repeat(300) + "a" + "]".repeat(300)).get(document).map(GjsonPath::text));
  }

  private static void assertFindsNothing(String path, Value document) {
    assertEquals(Optional.empty(), GjsonPath.parse(path).get(document), path);
  }

  @ParameterizedTest
  @CsvSource({"@dig:x", "@flatten:{\"deep\":true}", "@tostr", "@reverse.@values", "*.*.*"})
  void walksDeepDocuments(String path) {
    Value deep = Value.TRUE;
    for (int i = 0; i < 1_000; i++) {
      deep = Value.of(deep);
    }
    Value document = deep;
    assertDoesNotThrow(() -> GjsonPath.parse(path).get(document));
  }
}
