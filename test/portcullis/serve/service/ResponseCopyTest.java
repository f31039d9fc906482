package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import portcullis.http.message.Fields;

class ResponseCopyTest {
  private final ResponseCopy answered = new ResponseCopy();

  @Test
  void withoutHeadThereIsNoResponse() {
    answered.body("early".getBytes(UTF_8), 5);
    assertEquals("none", answered.text());
  }

  @Test
  void holdsTheHeadAndAsMuchOfEachPartAsWasSent() {
    answered.head(201, Fields.of("A", "b"));
    answered.body("one, and more".getBytes(UTF_8), 5);
    answered.body("two".getBytes(UTF_8), 3);
    assertEquals("HTTP/1.1 201\r\nA: b\r\n\r\none, two", answered.text());
  }
}
