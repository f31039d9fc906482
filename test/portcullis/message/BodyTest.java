package portcullis.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.value.JsonText;
import portcullis.value.ParseBudget;
import portcullis.value.ParseMemory;
import portcullis.value.Value;

class BodyTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
      "application/json                          | {\"kind\":\"invoice\"}   | {\"kind\":\"invoice\"}",
      "application/vnd.acme+json; charset=utf-8  | {\"n\":9007199254740993} | {\"n\":9007199254740993}",
      "Application/JSON                          | [1,2.5,null,true]        | [1,2.5,null,true]",
      "application/json                          | {\"kind\"                | \"{\\\"kind\\\"\"",
      "application/x-www-form-urlencoded         | a=1&a=2&b=%20            | {\"a\":[\"1\",\"2\"],\"b\":[\" \"]}",
      "application/yaml                          | owner: ann               | {\"owner\":\"ann\"}",
      "text/x-yaml                               | {a: [1, 0x10, 2.5, ~, yes, true, \"1\"]} | {\"a\":[1,16,2.5,null,\"yes\",true,\"1\"]}",
      "application/yaml                          | a: [                     | \"a: [\"",
      "application/yaml                          | a: !!java.net.URL x      | \"a: !!java.net.URL x\"",
      "text/plain                                | hello                    | \"hello\"",
      "``                                        | {\"a\":1}                | \"{\\\"a\\\":1}\"",
      "text/plain; a=\"json\"                    | {}                       | \"{}\"",
      "application/json                          | ``                       | \"\""})
  void isReadByItsType(String type, String text, String value) {
    assertEquals(value, JsonText.of(Body.of(text.getBytes(UTF_8), type).value()));
  }

  @Test
  void yamlOfMoreDocumentsOrWithANameTwiceStaysText() {
    for (String text : new String[] {"a: 1\n---\na: 2\n", "a: 1\na: 2\n"}) {
      assertEquals(Value.of(text), Body.of(text.getBytes(UTF_8), "application/yaml").value());
    }
  }

  @Test
  void textsThatAreNoUtf8AreLatin1() {
    assertEquals(Value.of("J\u00f6"), Body.of(new byte[] {'J', (byte) 0xf6}, "text/plain").value());
    assertEquals(Value.of("Jö"), Body.of("Jö".getBytes(UTF_8), "").value());
  }

  @Test
  void isNotTouchedUntilSomebodyAsks() {
    Body body = body(source(new Broken(new IOException("touched")), OptionalLong.empty()), "", 10);
    assertEquals(OptionalLong.empty(), body.forwarded().length());
  }

  @Test
  void whatWasReadIsForwardedByteForByte() throws IOException {
    byte[] bytes = "{ \"ok\" : true }\r\n".getBytes(UTF_8);
    Body body = body(source(new ByteArrayInputStream(bytes), OptionalLong.empty()), "application/json", 100);
    assertSame(body.value(), body.value());
    assertEquals(OptionalLong.of(bytes.length), body.forwarded().length());
    assertArrayEquals(bytes, body.forwarded().stream().readAllBytes());
    assertArrayEquals(bytes, body.forwarded().stream().readAllBytes());
  }

  @Test
  void hasALimit() {
    for (OptionalLong length : new OptionalLong[] {OptionalLong.empty(), OptionalLong.of(11)}) {
      Body body = body(source(new ByteArrayInputStream(new byte[11]), length), "", 10);
      assertEquals(413, assertThrows(UnreadableBody.class, body::value).status());
      assertThrows(UnreadableBody.class, body::forwarded);
      assertThrows(UnreadableBody.class, body::bytes);
    }
    assertEquals(10, body(source(new ByteArrayInputStream(new byte[10]), OptionalLong.empty()), "", 10).bytes().length);
  }

  @Test
  void faultsOfTheClientAreItsOwn() {
    assertEquals(400, failure(new IOException("broken chunk")));
    assertEquals(408, failure(new SocketTimeoutException()));
    assertEquals(417, failure(new Known()));
  }

  private static int failure(IOException e) {
    Body body = body(source(new Broken(e), OptionalLong.empty()), "", 10);
    return assertThrows(UnreadableBody.class, body::value).status();
  }

  private static Body body(Content content, String type, long limit) {
    return new Body(content, type, ParseBudget.of(limit), ParseMemory.PROCESS, "");
  }

  private static Content source(InputStream stream, OptionalLong length) {
    return Content.of(() -> stream, length);
  }

  private static final class Known extends IOException implements Answerable {
    private static final long serialVersionUID = 1;

    @Override
    public int status() {
      return 417;
    }
  }

  private static final class Broken extends InputStream {
    private final IOException why;

    Broken(IOException why) {
      this.why = why;
    }

    @Override
    public int read() throws IOException {
      throw why;
    }
  }
}
