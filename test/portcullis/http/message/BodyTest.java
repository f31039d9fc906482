package portcullis.http.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import portcullis.lang.value.BudgetExceededException;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.ParseBudget;
import portcullis.lang.value.ParseMemory;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.YamlFormat;

class BodyTest {
  @ParameterizedTest
  @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
    "application/json                          | {\"kind\":\"invoice\"}   | {\"kind\":\"invoice\"}",
    "application/vnd.acme+json; charset=utf-8  | {\"n\":9007199254740993} | {\"n\":9007199254740993}",
    "Application/JSON                          | [1,2.5,null,true]        | [1,2.5,null,true]",
    "application/json                          | {\"kind\"                | \"{\\\"kind\\\"\"",
    "application/x-www-form-urlencoded         | a=1&a=2&b=%20            | {\"a\":[\"1\",\"2\"],\"b\":[\" \"]}",
    "application/yaml                          | owner: ann               | {\"owner\":\"ann\"}",
    "text/x-yaml                               | {a: [1, 0x10, 2.5, ~, yes, true, \"1\"]} | "
        + "{\"a\":[1,16,2.5,null,\"yes\",true,\"1\"]}",
    "application/yaml                          | a: [                     | \"a: [\"",
    "application/yaml                          | a: !!java.net.URL x      | \"a: !!java.net.URL x\"",
    "text/plain                                | hello                    | \"hello\"",
    "``                                        | {\"a\":1}                | \"{\\\"a\\\":1}\"",
    "text/plain; a=\"json\"                    | {}                       | \"{}\"",
    ";json                                     | {}                       | \"{}\"",
    "application/json                          | ``                       | \"\""})
  void isReadByItsType(String type, String text, String value) {
    assertEquals(value, JsonText.of(Body.of(text.getBytes(UTF_8), type, YamlFormat::orOther).value()));
  }

  @Test
  void yamlWithSeveralDocumentsOrDuplicateNamesIsText() {
    for (String text : new String[] {"a: 1\n---\na: 2\n", "a: 1\na: 2\n"}) {
      assertEquals(Value.of(text), Body.of(text.getBytes(UTF_8), "application/yaml", YamlFormat::orOther).value());
    }
  }

  static Stream<Arguments> costly() {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n");
    for (int i = 1; i < 9; i++) {
      bomb.append("a" + i + ": &a" + i + " [*a" + (i - 1) + (",*a" + (i - 1)).repeat(9) + "]\n");
    }
    String names = IntStream.range(0, 1100).mapToObj(i -> "n" + i).collect(Collectors.joining("&"));
    return Stream.of(Arguments.of("application/yaml", bomb.toString()),
        Arguments.of("application/yaml", "[".repeat(101)),
        Arguments.of("application/json", "[".repeat(101) + "]".repeat(101)),
        Arguments.of("application/json", "[" + "1,".repeat(8192) + "1]"),
        Arguments.of("application/yaml", "[" + "1,".repeat(8192) + "1]"),
        Arguments.of("application/x-www-form-urlencoded", names),
        Arguments.of("application/x-www-form-urlencoded", "a&".repeat(4097)),
        Arguments.of("application/json", "{\"" + names.replace("&", "\":1,\"") + "\":1}"),
        Arguments.of("application/yaml", names.replace("&", ": 1\n") + ": 1\n"));
  }

  @ParameterizedTest
  @MethodSource("costly")
  void bodiesOverTheirBudgetAre413(String type, String text) {
    Body body = body(Content.of(text.getBytes(UTF_8)), type, 64 << 10);
    UnreadableBodyException refusal = assertThrows(UnreadableBodyException.class, body::value);
    assertEquals(413, refusal.status());
    assertTrue(refusal.getMessage().startsWith("the body is too large: "), refusal.getMessage());
    assertThrows(UnreadableBodyException.class, body::value);
    assertThrows(UnreadableBodyException.class, body::forwarded);
  }

  @Test
  void bodiesWithinTheirBudgetAreRead() {
    String names = IntStream.range(0, 1000).mapToObj(i -> "n" + i).collect(Collectors.joining("&"));
    assertEquals(1000,
        ((Value.Dict) Body.of(names.getBytes(UTF_8), "application/x-www-form-urlencoded").value()).members().size());
    String deep = "[".repeat(100) + "]".repeat(100);
    assertEquals(deep, JsonText.of(Body.of(deep.getBytes(UTF_8), "application/json").value()));
    assertEquals(deep, JsonText.of(Body.of(deep.getBytes(UTF_8), "application/yaml", YamlFormat::orOther).value()));
  }

  @Test
  void memoryIsHeldUntilItIsClosed() {
    ParseMemory memory = new ParseMemory(4 << 20);
    byte[] bytes = ("[" + "1,".repeat(5000) + "1]").getBytes(UTF_8);
    Body first = new Body(Content.of(bytes), "application/json", ParseBudget.DEFAULT, memory, "a", YamlFormat::orOther);
    first.value();
    assertTrue(memory.used() > bytes.length);
    first.forget();
    assertTrue(memory.used() >= bytes.length && memory.used() <= 2 * bytes.length, "what was read is still to be "
        + "sent on");
    first.close();
    assertEquals(0, memory.used());
  }

  @Test
  void withoutMemoryForItItIs503() throws BudgetExceededException {
    ParseMemory memory = new ParseMemory(1 << 20);
    byte[] bytes = "{\"a\":1}".getBytes(UTF_8);
    try (ParseMemory.Lease first = memory.lease(""); ParseMemory.Lease second = memory.lease("")) {
      first.reserve(1 << 19);
      second.reserve(1 << 19);
      Body body = new Body(Content.of(bytes), "application/json", ParseBudget.DEFAULT, memory, "a",
          YamlFormat::orOther);
      assertEquals(503, assertThrows(UnreadableBodyException.class, body::value).status());
    }
  }

  @Test
  void wholeNumbersOfYamlAreInts() {
    assertEquals(Value.dict("n", new Value.Int(12345678, true)),
        Body.of("n: 12345678".getBytes(UTF_8), "application/yaml", YamlFormat::orOther).value());
    assertEquals(Value.dict("n", new Value.Int(12345678)),
        Body.of("{\"n\":12345678}".getBytes(UTF_8), "application/json").value());
    assertEquals("[12345678901234567890,-12345678901234567891]",
        JsonText
            .of(Body.of("[12345678901234567890, -12345678901234567891]".getBytes(UTF_8), "application/yaml",
                YamlFormat::orOther).value()));
  }

  @Test
  void parametersAreThoseOfJsonAndForms() {
    assertEquals(Optional.of(Value.dict("a", Value.of("b"))),
        Body.of("{\"a\":\"b\"}".getBytes(UTF_8), "application/json").parameters());
    assertTrue(Body.of("a=b".getBytes(UTF_8), "application/x-www-form-urlencoded").parameters().isPresent());
    for (String type : new String[] {"application/yaml", "text/plain", ""}) {
      Body unread = body(source(new Broken(new IOException("touched")), OptionalLong.empty()), type, 10);
      assertEquals(Optional.empty(), unread.parameters());
      assertEquals(OptionalLong.empty(), unread.forwarded().length());
    }
  }

  @Test
  void textsThatAreNoUtf8AreLatin1() {
    assertEquals(Value.of("J\u00f6"), Body.of(new byte[] {'J', (byte) 0xf6}, "text/plain").value());
    assertEquals(Value.of("Jö"), Body.of("Jö".getBytes(UTF_8), "").value());
  }

  @Test
  void isNotReadBeforeItIsUsed() {
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
      assertEquals(413, assertThrows(UnreadableBodyException.class, body::value).status());
      assertThrows(UnreadableBodyException.class, body::forwarded);
      assertThrows(UnreadableBodyException.class, body::bytes);
    }
    assertEquals(10, body(source(new ByteArrayInputStream(new byte[10]), OptionalLong.empty()), "", 10).bytes().length);
  }

  @Test
  void errorsOfTheClientKeepTheirStatus() {
    assertEquals(400, failure(new IOException("broken chunk")));
    assertEquals(408, failure(new SocketTimeoutException()));
    assertEquals(417, failure(new Known()));
  }

  private static int failure(IOException e) {
    Body body = body(source(new Broken(e), OptionalLong.empty()), "", 10);
    return assertThrows(UnreadableBodyException.class, body::value).status();
  }

  private static Body body(Content content, String type, long limit) {
    return new Body(content, type, ParseBudget.of(limit), ParseMemory.PROCESS, "", YamlFormat::orOther);
  }

  private static Content source(InputStream stream, OptionalLong length) {
    return Content.of(() -> stream, length);
  }

  private static final class Known extends IOException implements HasStatus {
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

  @Test
  void bodiesOfUnknownLengthAreBounded() {
    for (int size : new int[] {1, 8191, 8192, 8193, 16384, 100_000, 100_001, 200_000}) {
      ParseMemory memory = new ParseMemory(4 << 20);
      Content content = Content.of(() -> new ByteArrayInputStream(new byte[size]), OptionalLong.empty());
      Body body = new Body(content, "text/plain", ParseBudget.of(100_000), memory, "a", BodyFormat::of);
      if (size <= 100_000) {
        assertEquals(size, body.bytes().length);
        assertTrue(memory.used() >= size, "" + size);
      } else {
        UnreadableBodyException thrown = assertThrows(UnreadableBodyException.class, body::bytes);
        assertEquals("413 the body is larger than 100000 bytes", thrown.status() + " " + thrown.getMessage());
      }
      body.close();
      assertEquals(0, memory.used());
    }
  }

  @Test
  void aBodyThatIsRepeatedWasEmptyOrIsNoLongerThere() {
    assertEquals(0, Body.none().repeated().bytes().length);
    assertEquals(0, Body.none().repeated().lasting().bytes().length);
    Body unknown = new Body(Content.of(InputStream::nullInputStream, OptionalLong.empty()), "", ParseBudget.DEFAULT,
        new ParseMemory(1 << 20), "", BodyFormat::of);
    for (Body sent : List.of(Body.of("x".getBytes(UTF_8), ""), unknown)) {
      Body repeated = sent.repeated();
      for (Body body : List.of(repeated, repeated.lasting(), repeated.lasting().repeated())) {
        assertEquals("the body is no longer there",
            assertThrows(UnreadableBodyException.class, body::bytes).getMessage());
      }
    }
  }
}
