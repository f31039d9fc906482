package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import portcullis.http.grpc.Code;
import portcullis.http.grpc.GrpcException;
import portcullis.http.grpc.MessageWriter;
import portcullis.http.message.Field;
import portcullis.http.message.ReportedRequest;

class CheckRequestTest {
  @Test
  void hostAndPseudoHeadersAreNoHeadersOfTheRequest() throws GrpcException {
    ReportedRequest described = CheckRequest
        .read(EnvoyCaller.request("PUT", "https", "shop.local", "/user?a", new byte[] {1},
            "host", "evil.test", ":path", "/evil", "x-a", "b"));
    assertEquals(List.of(new Field("x-a", "b")), described.fields().lines());
    assertEquals("PUT https shop.local /user?a",
        String.join(" ", described.method(), described.scheme(), described.host(),
            described.target()));
  }

  /** {@code header_map} has texts in field 2 or bytes in field 3, a line each. */
  @Test
  void headerMapKeepsEveryLineInItsOrder() throws GrpcException {
    MessageWriter map = new MessageWriter().string(9, "unknown").message(1, line("x-b", "2"))
        .message(1, line("X-A", "\u00e4")).message(1, line(":path", "/evil")).message(1, line("HOST", "evil.test"))
        .message(1, new MessageWriter().string(1, "x-b").bytes(3, new byte[] {'3', (byte) 0xe4}).string(9, "unknown"))
        .message(1, line("x-empty", ""));
    MessageWriter http = new MessageWriter().string(2, "GET").message(3, line("x-joined", "a,b")).message(13, map);
    ReportedRequest described = CheckRequest.read(new MessageWriter()
        .message(1, new MessageWriter().message(4, new MessageWriter().message(2, http))).bytes());
    assertEquals(List.of(new Field("x-joined", "a,b"), new Field("x-b", "2"), new Field("X-A", "\u00c3\u00a4"),
        new Field("x-b", "3\u00e4"), new Field("x-empty", "")), described.fields().lines());
  }

  /** {@code AttributeContext}: source in field 1, destination in 2; the certificate of a peer in 5. */
  @Test
  void certificateIsThatOfTheSource() throws GrpcException {
    MessageWriter source = new MessageWriter().string(4, "principal").string(5, "%2D%2D");
    MessageWriter destination = new MessageWriter().string(5, "of the server");
    MessageWriter context = new MessageWriter().message(1, source).message(2, destination);
    assertEquals("%2D%2D", CheckRequest.read(new MessageWriter().message(1, context).bytes()).certificate());
    assertEquals("", CheckRequest.read(new MessageWriter().message(2, context).bytes()).certificate());
    byte[] large = new MessageWriter().message(1, new MessageWriter().message(1,
        new MessageWriter().string(5, "x".repeat(CheckRequest.MOST_HEAD + 1)))).bytes();
    assertEquals(Code.RESOURCE_EXHAUSTED,
        assertThrows(GrpcException.class, () -> CheckRequest.read(large)).code());
  }

  private static MessageWriter line(String name, String value) {
    return new MessageWriter().string(1, name).string(2, value);
  }

  @Test
  void headsOfMoreThanAMegabyteAreRefused() throws GrpcException {
    String[] headers = new String[2 * 20_000];
    Arrays.setAll(headers, i -> i % 2 == 0 ? "x" + i : "");
    assertEquals(20_000, CheckRequest.read(EnvoyCaller.request("GET", "http", "h", "/", new byte[2 << 20], headers))
        .fields().lines().size(), "the body does not count");
    String[] more = new String[2 * 40_000];
    Arrays.setAll(more, i -> "");
    String name = "x".repeat(CheckRequest.MOST_HEAD);
    MessageWriter map = new MessageWriter();
    for (int i = 0; i < 40_000; i++) {
      map.message(1, line("", ""));
    }
    byte[] lines = new MessageWriter().message(1, new MessageWriter().message(4,
        new MessageWriter().message(2, new MessageWriter().message(13, map)))).bytes();
    for (byte[] message : List.of(lines, EnvoyCaller.request("GET", "http", "h", "/", new byte[0], more),
        EnvoyCaller.request("GET", "http", "h", "/" + name, new byte[0]),
        EnvoyCaller.request("GET", "http", "h", "/", new byte[0], "x", name))) {
      GrpcException refused = assertThrows(GrpcException.class, () -> CheckRequest.read(message));
      assertEquals(Code.RESOURCE_EXHAUSTED, refused.code());
      assertEquals("the head of the request is longer than 1 MB", refused.getMessage());
    }
  }

  private static byte[] fields(int count, boolean asMap) {
    MessageWriter http = new MessageWriter();
    MessageWriter map = new MessageWriter();
    for (int i = 0; i < count; i++) {
      (asMap ? map : http).message(asMap ? 1 : 3, line("", ""));
    }
    http.message(13, map);
    return new MessageWriter().message(1, new MessageWriter().message(4, new MessageWriter().message(2, http))).bytes();
  }

  @Test
  void fieldsCountWith32BytesMore() throws GrpcException {
    int most = CheckRequest.MOST_HEAD / 32;
    assertEquals(1, CheckRequest.read(fields(most, false)).fields().lines().size());
    assertEquals(most, CheckRequest.read(fields(most, true)).fields().lines().size());
    assertThrows(GrpcException.class, () -> CheckRequest.read(fields(most + 1, false)));
    assertThrows(GrpcException.class, () -> CheckRequest.read(fields(most + 1, true)));
  }

  @Test
  void bytesThatAreNoMessageAreRefused() {
    assertThrows(GrpcException.class, () -> CheckRequest.read(new byte[] {0x0a, 5, 1}));
  }
}
