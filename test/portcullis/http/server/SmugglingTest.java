package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import portcullis.fixture.Needs;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/** Spellings of Transfer-Encoding that some server somewhere took for chunked, beside a length that says otherwise. */
class SmugglingTest {
  private static final String BODY = "0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: h\r\n\r\n";

  private static List<String> spellings() throws IOException, ValueException {
    Path file = Needs.corpus("smuggler/te-mutations.json");
    return found(Json.read(Files.readString(file))).toList();
  }

  private static Stream<String> found(Value value) {
    return switch (value) {
      case Value.Dict(var members) when members.get("gadget") instanceof Value.Str(String text) -> Stream.of(text);
      case Value.Dict(var members) -> members.values().stream().flatMap(SmugglingTest::found);
      case Value.Array(var items) -> items.stream().flatMap(SmugglingTest::found);
      default -> Stream.of();
    };
  }

  @Test
  void noSpellingOfACodingMakesASecondRequest() throws Exception {
    List<String> spellings = spellings();
    assertTrue(spellings.size() >= 668, spellings.size() + " spellings");
    try (TestServer server = new TestServer()) {
      for (String spelling : spellings) {
        try (RawClient client = RawClient.of(server)) {
          client.say(
              "POST /p HTTP/1.1\r\n" + spelling + "\r\nHost: h\r\nContent-Length: " + BODY.length() + "\r\n\r\n" + BODY)
              .end();
          List<Integer> statuses = client.answers().stream().map(RawClient.Answer::status).toList();
          assertEquals(1, statuses.size(), spelling);
          boolean mentioned = spelling.matches("(?i)(?s)[ \t]*transfer-encoding[^a-z0-9_-].*chunked.*");
          assertTrue(!mentioned || statuses.getFirst() >= 400, spelling + " is " + statuses);
        }
      }
      assertTrue(server.seen().stream().allMatch("POST /p"::equals), server.seen().toString());
    }
  }
}
