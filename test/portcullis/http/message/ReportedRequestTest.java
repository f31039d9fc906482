package portcullis.http.message;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.lang.value.ParseBudget;

class ReportedRequestTest {
  /** A rule that reads it would decide on a part, or on nothing, of what the upstream gets. */
  @ParameterizedTest
  @CsvSource(textBlock = """
      X-Envoy-Auth-Partial-Body | true             | {"a":1} | 413
      Content-Length            | 14               | {"a":1} | 413
      Content-Length            | 14               | ''      | 413
      Content-Length            | 0                | {"a":1} | 413
      Content-Length            | 07               | {"a":1} | 413
      Transfer-Encoding         | chunked          | ''      | 413
      X-Envoy-Auth-Partial-Body | false            | ''      | 400
      Content-Type              | application/json | ''      | 400
      """, delimiter = '|')
  void aPartOfABodyCannotBeRead(String name, String value, String body, int status) throws Exception {
    Body part = request(body, name, value).body();
    assertEquals(status, assertThrows(UnreadableBodyException.class, part::bytes).status());
    assertEquals(status, assertThrows(UnreadableBodyException.class, part::value).status());
    assertFalse(part.isWhole());
  }

  @ParameterizedTest
  @CsvSource(textBlock = """
      X-Envoy-Auth-Partial-Body | false             | {"a":1}
      Content-Length            | 7                 | {"a":1}
      Content-Type              | application/json  | {"a":1}
      Content-Length            | 0                 | ''
      Transfer-Encoding         | chunked           | {"a":1}
      """, delimiter = '|')
  void aWholeBodyCan(String name, String value, String body) throws Exception {
    assertArrayEquals(body.getBytes(ISO_8859_1), request(body, name, value).body().bytes());
  }

  /** Clients send these without a length if there is no body. */
  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "OPTIONS", "TRACE", "CONNECT", "DELETE"})
  void noBodyIsNoPartOfOne(String method) throws Exception {
    assertEquals(0, request(method, "", "Content-Type", "text/plain").body().bytes().length);
    assertFalse(request(method, "", "Transfer-Encoding", "chunked").body().isWhole());
  }

  @Test
  void aPartThatIsNotReadDoesNoHarm() throws Exception {
    assertEquals("/a", request("ab", "Content-Length", "3").path().toString());
  }

  private static Request request(String body, String name, String value) throws ResponseStatusException {
    return request("POST", body, name, value);
  }

  private static Request request(String method, String body, String name, String value)
      throws ResponseStatusException {
    return new ReportedRequest(method, "http", "a.test", "/a", Fields.of(name, value), body.getBytes(ISO_8859_1), "")
        .request(Fields.NONE, true, ParseBudget.DEFAULT,
            BodyFormat::of);
  }
}
