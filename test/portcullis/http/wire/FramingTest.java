package portcullis.http.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import portcullis.http.message.Fields;

class FramingTest {
  private record Row(Object expected, int minor, Fields fields) {}

  private static Row row(Object expected, String... fields) {
    return new Row(expected, 1, Fields.of(fields));
  }

  private static final String CL = "Content-Length";
  private static final String TE = "Transfer-Encoding";

  private static final List<Row> REQUESTS = List.of(
      row(Framing.NONE), row(Framing.NONE, CL, "0"), row(new Framing.Length(5), CL, "5"),
      row(new Framing.Length(5), "content-length", "005"),
      row(new Framing.Length(999_999_999_999_999_999L), CL, "999999999999999999"), row(400, CL, "1000000000000000000"),
      row(400, CL, ""), row(400, CL, "-1"), row(400, CL, "+5"), row(400, CL, "0x5"), row(400, CL, "5.0"),
      row(400, CL, "5 5"), row(400, CL, "five"),
      row(400, CL, "5, 5"), row(400, CL, "5,6"), row(400, CL, "5", CL, "5"), row(400, CL, "5", CL, "6"),
      row(400, CL, "\u0665"), row(400, CL, "5;"),
      row(Framing.CHUNKED, TE, "chunked"), row(Framing.CHUNKED, "transfer-encoding", "CHUNKED"),
      row(400, TE, "chunked", CL, "5"), row(400, CL, "0", TE, "chunked"), row(400, TE, "identity", CL, "5"),
      row(400, TE, "", CL, "5"),
      row(400, TE, ""), row(400, TE, "chunked", TE, "chunked"), row(400, TE, "chunked, chunked"),
      row(400, TE, "chunked, identity"),
      row(400, TE, "chunked,"), row(400, TE, ",chunked"), row(400, TE, "\"chunked\""), row(400, TE, "chunked;q=1"),
      row(400, TE, "chunked", TE, "gzip"),
      row(501, TE, "gzip"), row(501, TE, "identity"), row(501, TE, "xchunked"), row(501, TE, "gzip, chunked"),
      row(501, TE, "gzip", TE, "chunked"),
      new Row(400, 0, Fields.of(TE, "chunked")), new Row(new Framing.Length(1), 0, Fields.of(CL, "1")));

  @TestFactory
  List<DynamicTest> requestsHaveOneFramingOrNone() {
    return REQUESTS.stream()
        .map(row -> DynamicTest.dynamicTest(row.fields.toString(),
            () -> assertEquals(row.expected, of(() -> Framing.of(new RequestHead("GET", "/", row.minor, row.fields))))))
        .toList();
  }

  private interface Read {
    Framing framing() throws MalformedMessageException;
  }

  private static Object of(Read read) {
    try {
      return read.framing();
    } catch (MalformedMessageException e) {
      return e.status();
    }
  }

  private record Answer(Object expected, int status, String method, Fields fields) {}

  private static final List<Answer> ANSWERS = List.of(
      new Answer(new Framing.Length(5), 200, "GET", Fields.of(CL, "5")),
      new Answer(Framing.CHUNKED, 200, "GET", Fields.of(TE, "chunked")),
      new Answer(Framing.UNTIL_CLOSE, 200, "GET", Fields.NONE),
      new Answer(Framing.NONE, 200, "GET", Fields.of(CL, "0")),
      new Answer(Framing.NONE, 200, "HEAD", Fields.of(CL, "5")), new Answer(Framing.NONE, 204, "GET", Fields.NONE),
      new Answer(Framing.NONE, 304, "GET", Fields.of(CL, "5")), new Answer(Framing.NONE, 101, "GET", Fields.NONE),
      new Answer(Framing.NONE, 103, "GET", Fields.NONE), new Answer(400, 200, "GET", Fields.of(CL, "5", TE, "chunked")),
      new Answer(400, 200, "GET", Fields.of(CL, "5", CL, "6")), new Answer(501, 200, "GET", Fields.of(TE, "gzip")),
      new Answer(400, 304, "GET", Fields.of(CL, "x")));

  @TestFactory
  List<DynamicTest> answersEndWhereMethodAndStatusSay() {
    return ANSWERS.stream().map(row -> DynamicTest.dynamicTest(row.toString(), () -> assertEquals(row.expected,
        of(() -> Framing.of(new ResponseHead(row.status, "", 1, row.fields), row.method))))).toList();
  }
}
