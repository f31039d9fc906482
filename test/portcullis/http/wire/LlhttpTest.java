package portcullis.http.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import portcullis.fixture.Needs;

/** What llhttp refuses we refuse; what it reads we read alike, but for what we are stricter about. */
class LlhttpTest {
  // other protocols, fragments, codings beside chunked, more than one empty line before a message
  private static final Set<String> STRICTER = Set.of("method.md: SOURCE request with ICE", "method.md: OPTIONS "
      + "request with RTSP",
      "method.md: ANNOUNCE request with RTSP", "sample.md: RTSP response", "sample.md: ICE response",
      "sample.md: HTTP version 0.9",
      "sample.md: No HTTP version", "sample.md: Response starting with CRLF", "uri.md: Fragment in URI",
      "transfer-encoding.md: POST with `chunked` as last transfer-encoding", "transfer-encoding.md: `chunked` before "
          + "other transfer-encoding",
      "transfer-encoding.md: POST with `chunked` as last transfer-encoding (multiple headers)",
      "transfer-encoding.md: multiple transfer-encoding where chunked is not the last one",
      "transfer-encoding.md: `chunkedchunked` transfer-encoding does not enable chunked enconding",
      "connection.md: CRLF between requests, explicit `close`", "connection.md: HTTP 304 with Content-Length",
      "connection.md: HTTP 100 first, then 400", "pipelining.md: Should parse multiple events (answers)");
  // any token is a method, and whether a connection goes on is for the server and the client to say
  private static final Set<String> LAXER = Set.of("invalid.md: HTTP protocol and ANNOUNCE method",
      "invalid.md: Invalid method",
      "connection.md: No restart when keep-alive is off (1.0)", "connection.md: HTTP/1.1 with keep-alive disabled "
          + "and 204 status");
  // the test there skips bodies, goes on behind an upgrade, or has a string that its log does not fit
  private static final Set<String> OTHER = Set.of("content-length.md: Content-Length reset when no body is received",
      "connection.md: HTTP 101 response with Upgrade and Content-Length header", "connection.md: HTTP 101 response "
          + "with Upgrade and Transfer-Encoding header",
      "method.md: CONNECT with body", "sample.md: Google 301");

  private static List<Llhttp> cases(String folder, String type) throws IOException {
    List<Llhttp> all = Llhttp.all(Needs.corpus("llhttp").resolve(folder), type).stream()
        .filter(one -> !OTHER.contains(one.name())).toList();
    assertTrue(all.size() > 30, "only " + all.size() + " cases found");
    return all;
  }

  private record Read(List<String> first, String body, boolean fails, boolean whole) {}

  private interface Reading {
    void to(String raw, List<String> first, StringBuilder body) throws IOException;
  }

  // what was found wrong before its head had ended is given the end of a head
  private static Read read(Llhttp one, Reading reading) throws IOException {
    Read read = read(one.raw(), reading);
    return one.fails() && !read.fails && !read.whole ? read(one.raw() + "\r\n\r\n", reading) : read;
  }

  private static Read read(String raw, Reading reading) throws IOException {
    List<String> first = new ArrayList<>();
    StringBuilder body = new StringBuilder();
    try {
      reading.to(raw, first, body);
      return new Read(first, body.toString(), false, true);
    } catch (MalformedMessageException e) {
      // many texts end early, which is no error to a parser that is fed
      return new Read(first, body.toString(), !e.reason().startsWith("the connection ended"), false);
    }
  }

  private static void requests(String raw, List<String> first, StringBuilder body) throws IOException {
    WireInput in = Wire.input(raw);
    for (Optional<RequestHead> head = RequestHead.read(in, Wire.LIMITS); head
        .isPresent(); head = RequestHead.read(in, Wire.LIMITS)) {
      first.add(head.get().method());
      first.add(head.get().target());
      content(BodyInput.of(Framing.of(head.get()), in, Wire.LIMITS), body);
    }
  }

  private static void responses(String raw, List<String> first, StringBuilder body) throws IOException {
    WireInput in = Wire.input(raw);
    for (Optional<ResponseHead> head = ResponseHead.read(in, Wire.LIMITS); head
        .isPresent(); head = ResponseHead.read(in, Wire.LIMITS)) {
      if (!head.get().reason().isEmpty()) {
        first.add(head.get().reason());
      }
      content(BodyInput.of(Framing.of(head.get(), "GET"), in, Wire.LIMITS), body);
    }
  }

  private static void content(BodyInput content, StringBuilder body) throws IOException {
    for (int c = content.read(); c >= 0; c = content.read()) {
      body.append((char) c);
    }
  }

  private static void check(Llhttp one, Read read) {
    boolean stricter = STRICTER.contains(one.name());
    if (stricter || LAXER.contains(one.name())) {
      assertEquals(stricter, read.fails, one.name());
      return;
    }
    assertEquals(one.fails(), read.fails, () -> one.raw() + read);
    if (!one.fails()) {
      assertEquals(read.whole ? one.first() : one.first().subList(0, read.first.size()), read.first);
      assertEquals(one.body(), read.body.replaceAll("[\r\n]", ""));
    }
  }

  @TestFactory
  List<DynamicTest> requestsAreReadAlike() throws IOException {
    return cases("request", "request").stream()
        .map(one -> DynamicTest.dynamicTest(one.name(), () -> check(one, read(one, LlhttpTest::requests)))).toList();
  }

  @TestFactory
  List<DynamicTest> answersAreReadAlike() throws IOException {
    return cases("response", "response").stream()
        .map(one -> DynamicTest.dynamicTest(one.name(), () -> check(one, read(one, LlhttpTest::responses)))).toList();
  }
}
