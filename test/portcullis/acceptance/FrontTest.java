package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Real proxies in front of the built image, as config/front has them, and those who try to get past. */
@ParameterizedClass
@EnumSource(FrontProxy.Kind.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FrontTest {
  private static Path folder;
  private static FrontProxy front;

  @Parameter
  private FrontProxy.Kind kind;

  @BeforeParameterizedClassInvocation
  static void start(FrontProxy.Kind kind) throws IOException {
    folder = Files.createTempDirectory("front");
    front = new FrontProxy(kind, folder);
  }

  @AfterParameterizedClassInvocation
  static void stop() throws IOException {
    if (front != null) {
      front.close();
      front = null;
    }
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }

  private static int status(String answer) {
    return answer.length() < 12 ? 0 : Integer.parseInt(answer.substring(9, 12));
  }

  /** What the application got since then. */
  private static List<String> since(int before) {
    return front.reached().subList(before, front.reached().size());
  }

  @Test
  void allowedRequestsReachTheApplicationWithHeaders() throws IOException {
    int before = front.reached().size();
    assertEquals(200, status(front.get("/open/a/b%20c?x=1&y=%2F")));
    String head = since(before).getFirst();
    assertTrue(head.startsWith("GET /open/a/b%20c?x=1&y=%2F HTTP/1.1\r\n"), head);
    assertEquals("anonymous", Application.field(head, "x-user"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-User: root", "x-user: root", "X_User: root", "X-User: root\r\nX-User: root",
    "X-User:\troot",
    "X.User: root", "X~User: root", "x!user: root", "X*User: root", "x`user: root", "X#User: root"})
  void clientsCannotSetTheirOwnSubject(String forged) throws IOException {
    for (String target : List.of("/open/a", "/bare/a")) {
      int before = front.reached().size();
      assertEquals(200, status(front.get(target, forged)));
      String head = since(before).getFirst();
      assertFalse(head.contains("root"), head);
      assertEquals(target.startsWith("/open") ? "anonymous" : "", Application.field(head, "x-user"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Connection: X-User", "Connection: x-user, keep-alive", "Connection: Upgrade, X-User",
    "Connection: Upgrade\r\nConnection: X-User\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a"})
  void connectionCannotTakeAwayWhoAsks(String field) throws IOException {
    int before = front.reached().size();
    int status = front.status("/open/a", field, "X-User: root");
    assertTrue(field.contains("Upgrade") || status == 200, "status " + status);
    for (String head : since(before)) {
      assertEquals("anonymous", Application.field(head, "x-user"), head);
    }
  }

  @ParameterizedTest
  @CsvSource({"GET /closed/a", "POST /closed/a", "GET /closed/a?/open/a", "GET /", "GET /nowhere", "OPTIONS /closed/a",
    "PURGE /closed/a"})
  void whatIsRefusedNeverReachesTheApplication(String line) throws IOException {
    int before = front.reached().size();
    int status = status(front.say(line, "", "Content-Length: 0"));
    assertTrue(status == 401 || status == 403 || status == 405 || line.startsWith("PURGE") && status >= 400,
        line + ": " + status);
    assertEquals(List.of(), since(before));
  }

  /** A proxy that resolves `/open//../closed/a` as RFC 3986 has it asks about `/open/closed/a`, and forwards that. */
  private static boolean isClosed(String head) {
    return !head.startsWith("GET /open/closed/a ") && (head.contains("closed") || head.contains(".."));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/open/../closed/a", "/open/%2e%2e/closed/a", "/open/.%2E/closed/a", "/open/..%2fclosed/a",
    "/open/%2e%2e%2fclosed/a", "/open/..\\closed/a", "/open/..%5cclosed/a", "/open/..;/closed/a", "/closed/../open/a",
    "/open/./../closed/a", "//closed/a", "/closed//a", "/open//../closed/a", "/open/..", "/%2e%2e/closed/a",
    "/closed%2f..%2fopen/a",
    "/open%2fa", "/open/a%2fb", "/open/%00/../../closed", "/open/a/%2e/b", "/closed/a#/open", "/open/..?/closed"})
  void noSpellingOfAPathGetsPast(String target) throws IOException {
    int before = front.reached().size();
    int status = status(front.get(target));
    assertTrue(status >= 400 || status == 0 || since(before).stream().noneMatch(FrontTest::isClosed),
        target + ": " + status + " " + since(before));
  }

  @Test
  void whoForgesWhatProxiesSayGainsNothingS16() throws IOException {
    int before = front.reached().size();
    String[] forged = {"X-Forwarded-Uri: /open/a", "X-Forwarded-Method: GET", "X-Forwarded-Host: other.local",
      "X-Original-Url: /open/a",
      "X-Original-Uri: /open/a", "X-Rewrite-Url: /open/a", "Forwarded: for=127.0.0.1;host=app.local",
      "X-Forwarded-For: 127.0.0.1",
      "X_Forwarded_Uri: /open/a"};
    for (String field : forged) {
      assertTrue(List.of(400, 401, 403, 500).contains(status(front.get("/closed/a", field))), field);
    }
    assertTrue(status(front.get("/closed/a", forged)) >= 400);
    assertEquals(List.of(), since(before));
  }

  @Test
  void bodiesArriveAsTheyAre() throws IOException {
    byte[] bytes = new byte[200_000];
    new Random(1).nextBytes(bytes);
    String body = new String(bytes, ISO_8859_1);
    String answer = front.say("POST /open/upload", body, "Content-Length: " + bytes.length,
        "Content-Type: application/octet-stream");
    assertTrue(answer.endsWith(Application.digest(body)), answer.substring(0, Math.min(200, answer.length())));
    String chunked = "5\r\nhello\r\n" + "6\r\n world\r\n" + "0\r\n\r\n";
    answer = front.say("POST /open/upload", chunked, "Transfer-Encoding: chunked");
    assertTrue(answer.endsWith(Application.digest("hello world")), answer);
    int before = front.reached().size();
    front.say("POST /closed/upload", "hello", "Content-Length: 5");
    assertEquals(List.of(), since(before));
  }

  @Test
  void webSocketsPassOnlyWhereTheyMay() throws IOException {
    String upgrade = " HTTP/1.1\r\nHost: app.local\r\nConnection: Upgrade\r\nUpgrade: "
        + "websocket\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    try (Socket socket = front.connect()) {
      OutputStream out = socket.getOutputStream();
      out.write(("GET /open/socket" + upgrade).getBytes(ISO_8859_1));
      InputStream in = socket.getInputStream();
      StringBuilder head = new StringBuilder();
      while (head.indexOf("\r\n\r\n") < 0) {
        head.append((char) in.read());
      }
      assertEquals(101, status(head.toString()), head.toString());
      out.write("any bytes".getBytes(ISO_8859_1));
      assertEquals("any bytes", new String(in.readNBytes(9), ISO_8859_1));
    }
    int before = front.reached().size();
    try (Socket socket = front.connect()) {
      socket.getOutputStream()
          .write(("GET /closed/socket" + upgrade.replace("Connection: Upgrade", "Connection: Upgrade, close"))
              .getBytes(ISO_8859_1));
      assertEquals(401, status(new String(socket.getInputStream().readNBytes(12), ISO_8859_1)));
    }
    assertEquals(List.of(), since(before));
  }

  @Test
  @Order(Integer.MAX_VALUE)
  void deniesIfNoServiceAnswers() throws IOException {
    front.endDecisions();
    int before = front.reached().size();
    int status = status(front.get("/open/a"));
    assertTrue(status >= 500 || status == 403 && kind != FrontProxy.Kind.HAPROXY, "status " + status);
    assertEquals(List.of(), since(before));
  }
}
