package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.http.message.Fields;
import portcullis.http.message.Response;

/** Responses of the program's own endpoints to a proxy in front, which takes any status of success for a permission. */
class DecisionResponseTest {
  private final DecisionResponse responses = new DecisionResponse(null);

  @ParameterizedTest
  @CsvSource({"200, page, false, 401", "299, page, false, 401", "200, page, true, 401", "200, '', true, 401",
    "204, '', true, 401", "200, '', false, 200", "303, '', true, 303", "302, moved, false, 302", "199, page, true, 199",
    "404, none, true, 404", "500, none, false, 500"})
  void anOwnPageIsNeverTakenForAPermission(int status, String body, boolean checked, int expected) {
    Response own = Response.of(status, "text/html", body).with("Set-Cookie", "a=1");
    Response answer = responses.own(own, checked);
    assertEquals(expected, answer.status());
    assertEquals(own.fields(), answer.fields());
    assertEquals(body, new String(answer.body(), UTF_8));
  }
}
