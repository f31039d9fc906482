package portcullis.policy.replay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import portcullis.http.message.Fields;
import portcullis.observe.decisions.CallKey;
import portcullis.observe.decisions.RemoteAnswers;
import portcullis.observe.decisions.SharedAnswers;

/** Recorded responses are given to the same calls only. */
class RecordedAnswerTest {
  private static final String URL = "https://pdp.test/ask";

  private static Call call(String method, String url, Fields fields, String body) {
    return new Call("", method, url, fields, body,
        CallKey.of(method, url, fields, body.getBytes(StandardCharsets.UTF_8)));
  }

  private static RemoteAnswers.Answer answer(Call call, int size) {
    return new RemoteAnswers.Answer("", call.method(), call.url(), call.key(), 200, Map.of("X", List.of("1")),
        new byte[size]);
  }

  @Test
  void answersTheSameCallOnly() {
    Call same = call("POST", URL, Fields.of("Accept", "x"), "a");
    RecordedAnswer answer = RecordedAnswer.of(answer(same, 1));
    assertTrue(answer.fits(same));
    assertTrue(answer.fits(call("POST", URL, Fields.of("accept", "x"), "a")));
    assertFalse(answer.fits(call("POST", URL, Fields.of("Accept", "x"), "b")));
    assertFalse(answer.fits(call("POST", URL, Fields.of("Accept", "y"), "a")));
    assertFalse(answer.fits(call("POST", URL + "?x", Fields.of("Accept", "x"), "a")));
    assertFalse(answer.fits(call("PUT", URL, Fields.of("Accept", "x"), "a")));
    assertEquals("1", answer.fields().first("X").orElseThrow());
  }

  @Test
  void withoutKeyMethodAndUrlCount() {
    RecordedAnswer answer = new RecordedAnswer("GET", URL, "", 200, Map.of(), new byte[0]);
    assertTrue(answer.fits(call("GET", URL, Fields.NONE, "")));
    assertFalse(answer.fits(call("GET", URL + "/", Fields.NONE, "")));
  }

  @Test
  void signaturesAreNoPartOfTheKey() {
    assertEquals(CallKey.of("GET", URL, Fields.NONE, new byte[0]),
        CallKey.of("GET", URL, Fields.of("Signature", "s", "Signature-Input", "i"), new byte[0]));
    assertNotEquals(CallKey.of("GET", URL, Fields.of("A", "bc"), new byte[0]),
        CallKey.of("GET", URL, Fields.of("Ab", "c"), new byte[0]));
  }

  @Test
  void latestSharedAnswersAreKept() {
    SharedAnswers shared = new SharedAnswers();
    Call one = call("GET", URL, Fields.NONE, "");
    shared.add(answer(one, 1));
    shared.add(answer(one, 2));
    assertEquals(List.of(2), sizes(shared));
    for (int i = 0; i < 20; i++) {
      shared.add(answer(call("GET", URL + i, Fields.NONE, ""), RemoteAnswers.MAX_BYTES));
    }
    assertEquals(8, sizes(shared).size(), "the oldest are dropped");
    shared.add(answer(call("GET", URL + 19, Fields.NONE, ""), RemoteAnswers.MAX_BYTES + 1));
    assertEquals(7, sizes(shared).size(), "one that is too large replaces nothing and is not kept");
  }

  private static List<Integer> sizes(SharedAnswers shared) {
    return shared.all().stream().map(answer -> answer.body().length).toList();
  }
}
