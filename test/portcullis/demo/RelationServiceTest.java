package portcullis.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RelationServiceTest {
  private static final Caller CALLER = new Caller();

  @AfterAll
  static void end() {
    CALLER.close();
  }

  @ParameterizedTest
  @CsvSource({"ann, viewer, 1, true", "ann, editor, 1, true", "ann, editor, 2, false", "bob, viewer, 1, false",
    "bob, viewer, 2, true",
    "cleo, viewer, 3, true", "cleo, viewer, 33, false", "eve, viewer, 1, false", "ann, owner, 1, false"})
  void checksRelations(String user, String relation, String document, boolean allowed) {
    String key = "{\"user\":\"user:" + user + "\",\"relation\":\"" + relation + "\",\"object\":\"document:" + document
        + "\"}";
    HttpResponse<String> answer = ask("/stores/demo/check",
        "{\"tuple_key\":" + key + ",\"consistency\":\"MINIMIZE_LATENCY\"}");
    assertEquals(200, answer.statusCode());
    assertEquals("{\"allowed\":" + allowed + "}", answer.body());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      ann | viewer | document | ["document:1","document:2","document:3"]
      ann | editor | document | ["document:1"]
      bob | viewer | document | ["document:2"]
      ann | viewer | folder   | []
      eve | viewer | document | []
      """)
  void listsObjects(String user, String relation, String type, String objects) {
    HttpResponse<String> answer = ask("/stores/demo/list-objects",
        "{\"user\":\"user:" + user + "\",\"relation\":\"" + relation + "\",\"type\":\"" + type + "\"}");
    assertEquals(200, answer.statusCode());
    assertEquals("{\"objects\":" + objects + "}", answer.body());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      /stores/demo/check        | {}                                | 400
      /stores/demo/check        | {"tuple_key":{"user":"user:ann"}} | 400
      /stores/demo/check        | {"tuple_key":                     | 400
      /stores/demo/check        | []                                | 400
      /stores/demo/list-objects | {"user":1}                        | 400
      /stores/other/check       | {}                                | 404
      /stores/demo/write        | {}                                | 404
      """)
  void refusesOtherCalls(String path, String body, int status) {
    assertEquals(status, ask(path, body).statusCode());
  }

  private static HttpResponse<String> ask(String path, String body) {
    return CALLER.post(CALLER.addresses.relations(), path, body, "Content-Type", "application/json");
  }
}
