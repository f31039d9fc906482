package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import portcullis.fixture.FramePeer;

/** What the proxies of config/front make of requests that proxy and application may read in different ways. */
@ParameterizedClass
@EnumSource(FrontProxy.Kind.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FrontAttacksTest {
  private static final String RULES = """

        - id: hosts
          match:
            routes: [ { path: "/h/**" } ]
            hosts:
              - { type: exact, value: a.example }
              - { type: exact, value: "a.example:99" }
              - { type: exact, value: b }
          execute: [ { authenticator: anonymous } ]

        - id: tls
          match: { scheme: https, routes: [ { path: "/tls/**" } ] }
          execute: [ { authenticator: anonymous } ]

        - id: cookies
          match: { routes: [ { path: "/cookies/**" } ] }
          execute: [ { authenticator: anonymous }, { finalizer: session } ]
      """;
  private static final String COOKIES = "finalizers:\n    - { id: session, type: cookie, config: { cookies: "
      + "{ sess: ours } } }\n";
  private static final FrontProxy.Setup SETUP = new FrontProxy.Setup(RULES,
      text -> text.replace("finalizers:\n", COOKIES), false);

  private static FrontProxy front;

  @Parameter
  private FrontProxy.Kind kind;

  @BeforeParameterizedClassInvocation
  static void start(FrontProxy.Kind kind, @TempDir Path folder) throws IOException {
    front = new FrontProxy(kind, folder, SETUP);
  }

  @AfterParameterizedClassInvocation
  static void stop() {
    if (front != null) {
      front.close();
      front = null;
    }
  }

  private static String request(String line, String... fields) {
    return line + " HTTP/1.1\r\n" + String.join("\r\n", fields) + "\r\n\r\n";
  }

  private static int status(String head) {
    return head.length() < 12 ? 0 : Integer.parseInt(head.substring(9, 12));
  }

  private static List<String> since(int before) {
    return front.reached().subList(before, front.reached().size());
  }

  /** The application answers every upgrade with 101: what it does not get, it cannot agree to. */
  @ParameterizedTest
  @ValueSource(strings = {
    "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA",
    "Connection: Upgrade\r\nUpgrade: H2C", "Connection: Upgrade\r\nUpgrade: websocket, h2c",
    "Connection: Upgrade\r\nUpgrade: h2c, websocket", "Connection: Upgrade\r\nUpgrade: h2c/websocket",
    "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: websocket\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk",
    "Connection: Upgrade\r\nUpgrade: h2c\r\nUpgrade: websocket", "Connection: upgrade\r\nUpgrade: TLS/1.0",
    "Connection: upgrade\r\nUpgrade: TLS/1.0\r\nUpgrade: websocket"})
  void onlyWebSocketsAreUpgraded(String fields) throws IOException {
    int before = front.reached().size();
    front.head(request("GET /open/a", "Host: app.local", fields));
    for (String head : since(before)) {
      String upgrade = Application.field(head, "upgrade");
      assertTrue(upgrade.isEmpty() || upgrade.equalsIgnoreCase("websocket"), head);
      assertEquals("", Application.field(head, "http2-settings"), head);
    }
  }

  /** What another application would do with it: a request that no decision was asked for. */
  @Test
  void nothingIsTunnelledByH2c() throws IOException {
    int before = front.reached().size();
    String head = front.head(request("GET /open/a", "Host: app.local", "Connection: Upgrade, HTTP2-Settings",
        "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA"));
    assertTrue(status(head) != 101, head);
    assertTrue(since(before).stream().allMatch(got -> Application.field(got, "upgrade").isEmpty()), head);
  }

  @ParameterizedTest
  @ValueSource(strings = {"Host: a.example", "Host: a.example:99", "Host: A.example"})
  void hostsThatMayPassDo(String host) throws IOException {
    int before = front.reached().size();
    assertEquals(200, status(front.head(request("GET /h/x", host))));
    String forwarded = Application.field(since(before).getFirst(), "host");
    assertEquals(host.substring(6).toLowerCase(Locale.ROOT), forwarded.toLowerCase(Locale.ROOT));
  }

  /** The host that is decided on is the one that the application gets and the proxy chooses a server by. */
  @ParameterizedTest
  @ValueSource(strings = {"/h/x HTTP/1.1\r\nHost: office.example", "/h/x HTTP/1.1\r\nHost: office.example:80, b",
    "/h/x HTTP/1.1\r\nHost: office.example, a.example", "/h/x HTTP/1.1\r\nHost: office.example@a.example",
    "/h/x HTTP/1.1\r\nHost: office.example/,a.example", "/h/x HTTP/1.1\r\nHost: office.example\r\nHost: a.example",
    "/h/x HTTP/1.1\r\nHost: a.example\r\nHost: office.example", "/h/x HTTP/1.1\r\nHost: office.example:80:99, b",
    "http://office.example/h/x HTTP/1.1\r\nHost: a.example", "http://a.example/h/x HTTP/1.1\r\nHost: office.example"})
  void otherHostsAreRefused(String start) throws IOException {
    int before = front.reached().size();
    front.head("GET " + start + "\r\nX-Forwarded-Host: a.example\r\nConnection: close\r\n\r\n");
    boolean isRoutedByTarget = start.startsWith("http://a.example");
    for (String head : since(before)) {
      assertFalse(head.contains("office"), head);
      assertTrue(isRoutedByTarget, head);
    }
  }

  /** nginx chooses the server by the target of the request, not by {@code Host}. */
  @Test
  void nginxDecidesOnTheHostOfItsServer() throws IOException {
    if (kind == FrontProxy.Kind.NGINX) {
      int before = front.reached().size();
      assertEquals(200, status(front.head(request("GET http://a.example/h/x", "Host: office.example"))));
      assertEquals("a.example", Application.field(since(before).getFirst(), "host"));
      assertEquals(401, status(front.head(request("GET http://office.example/h/x", "Host: a.example"))));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: "
      + "dGhlIHNhbXBsZSBub25jZQ=="})
  void connectionOfTheClientIsItsOwn(String upgrade) throws IOException {
    int before = front.reached().size();
    String start = upgrade.isEmpty() ? "Connection: close, X-User, X-Other" : "Connection: Upgrade, X-User, X-Other";
    assertEquals(upgrade.isEmpty() ? 200 : 101, status(front.head(request("GET /open/a", "Host: app.local",
        upgrade.isEmpty() ? start : start + "\r\n" + upgrade))));
    String head = since(before).getFirst();
    assertFalse(Application.field(head, "connection").toLowerCase(Locale.ROOT).contains("x-"), head);
    assertEquals("anonymous", Application.field(head, "x-user"), head);
  }

  @Test
  void aSchemeThatTheClientClaimsIsIgnored() throws IOException {
    int before = front.reached().size();
    assertEquals(401, status(front.head(request("GET /tls/a", "Host: app.local", "X-Forwarded-Proto: https",
        "X-Forwarded-Scheme: https", "X-Url-Scheme: https", "Front-End-Https: on"))));
    if (kind == FrontProxy.Kind.ENVOY) {
      try (Http2Streams client = new Http2Streams(front.port())) {
        client.get(1, "/open/a", "https", Map.of());
        assertTrue(isOk(client.next(FramePeer.HEADERS)));
        assertEquals(1, since(before).size());
        client.get(3, "/tls/a", "https", Map.of("x-forwarded-proto", "https"));
        assertFalse(isOk(client.next(FramePeer.HEADERS)));
      }
    }
    assertFalse(since(before).stream().anyMatch(head -> head.startsWith("GET /tls")));
  }

  /** Returns whether a block begins with {@code :status: 200}, which has a number of its own (RFC 7541, appendix A). */
  private static boolean isOk(Http2Streams.Frame headers) {
    return headers.payload()[0] == (byte) 0x88;
  }

  /** HAProxy before 3.2 cannot drop them. */
  @Test
  void trailersAreDropped() throws IOException {
    String body = "5\r\nhello\r\n0\r\nX-User: root\r\n\r\n";
    for (String announced : List.of("X-Other: a", "Trailer: X-User", "TE: trailers\r\nTrailer: X-User")) {
      String answer = front.say("POST /open/a", body, "Transfer-Encoding: chunked", announced);
      assertTrue(kind == FrontProxy.Kind.HAPROXY || answer.endsWith(Application.digest("hello")), answer);
    }
  }

  /** Cookies that a rule makes for the application stay where they are. */
  @Test
  void cookiesOfFinalizersAreNotSentToTheClient() throws IOException {
    int before = front.reached().size();
    String head = front.head(request("GET /cookies/a", "Host: app.local", "Cookie: sess=root", "Connection: close"));
    assertEquals(200, status(head));
    assertFalse(head.contains("ours"), head);
    if (kind == FrontProxy.Kind.ENVOY) {
      assertEquals("sess=ours", Application.field(since(before).getFirst(), "cookie"));
    }
  }

  @Test
  void badRequestsAreRefusedAsSuch() throws IOException {
    int before = front.reached().size();
    assertEquals(400, status(front.head(request("GET /open/%zz", "Host: app.local"))));
    if (kind == FrontProxy.Kind.NGINX) {
      String many = "X-Many: a\r\n".repeat(300).strip();
      assertEquals(431, status(front.head(request("GET /open/a", "Host: app.local", many))));
    }
    assertEquals(List.of(), since(before));
  }

  /** Traefik has a limit of 30 seconds of its own. */
  @Test
  @Order(Integer.MAX_VALUE)
  void deniesInTimeIfTheServiceHangs() throws IOException {
    front.freezeDecisions();
    try {
      if (kind != FrontProxy.Kind.TRAEFIK) {
        int before = front.reached().size();
        long start = System.nanoTime();
        int status = status(front.head(request("GET /open/a", "Host: app.local")));
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        assertTrue(status >= 500, "status " + status);
        assertTrue(took.compareTo(Duration.ofSeconds(9)) < 0, took.toString());
        assertEquals(List.of(), since(before));
      }
    } finally {
      front.thawDecisions();
    }
  }
}
