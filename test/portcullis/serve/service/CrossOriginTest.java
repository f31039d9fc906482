package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;

/** CORS headers of the proxy, by whom and by what they are asked for. */
class CrossOriginTest {
  private static final List<String> ALL = List.of("*");

  private final RawUpstream upstream;
  private final WireClient client;
  private final DeciderSetup setup;
  private Listener listener;

  CrossOriginTest() throws Exception {
    upstream = RawUpstream.of(peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nAccess-Control-Allow-Origin: https://theirs.test\r\n"
          + "Access-Control-Allow-Credentials: true\r\nX-Theirs: kept\r\nConnection: close\r\n\r\n");
    });
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
    setup = new DeciderSetup(client, "authenticators: [{id: anon, type: anonymous}]\n",
        ("- {id: all, match: {routes: [{path: /**}], methods: [ALL]}, forward_to: {host: '127.0.0.1:%d', rewrite: "
            + "{scheme: http}},").formatted(upstream.port())
            + " execute: [{authenticator: anon}]}\n");
  }

  @AfterEach
  void stop() {
    listener.stop(Duration.ofSeconds(1));
    client.close();
    upstream.close();
  }

  private void serve(List<String> origins, List<String> methods, List<String> headers, boolean credentials,
      Duration age)
      throws IOException {
    serve(new ListenerSettings.Cors(origins, methods, headers, List.of("X-Shown"), credentials, age));
  }

  private void serve(ListenerSettings.Cors cors) throws IOException {
    ListenerSettings settings = ListenerSettings.plain("127.0.0.1", 0).with(ListenerSettings.CORS, Optional.of(cors));
    listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system()).proxy(settings, Optional.empty(),
        setup.decider(), client);
  }

  /** The status and the CORS headers of the answer to a request with these lines. */
  private String receivedCalls(String... lines) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      String head = lines[0] + " /x HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n"
          + List.of(lines).stream().skip(1).map(line -> line + "\r\n").collect(Collectors.joining()) + "\r\n";
      socket.getOutputStream().write(head.getBytes(ISO_8859_1));
      String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      return answer.substring(9, 12)
          + answer.lines().filter(line -> line.toLowerCase(Locale.ROOT).startsWith("access-control-"))
              .map(line -> " " + line.substring("access-control-".length())).collect(Collectors.joining());
    }
  }

  private String preflight(String origin, String method, String... more) throws IOException {
    return receivedCalls(Stream.concat(Stream.of("OPTIONS", "Origin: " + origin,
        "Access-Control-Request-Method: " + method), Stream.of(more)).toArray(String[]::new));
  }

  @Test
  void credentialsAreAllowedForNamedOriginsOnly() throws IOException {
    serve(List.of("https://a.test"), List.of("GET"), List.of(), true, Duration.ZERO);
    assertEquals("200 Allow-Origin: https://a.test Expose-Headers: X-Shown Allow-Credentials: true",
        receivedCalls("GET", "Origin: https://a.test"));
    assertEquals("204 Allow-Origin: https://a.test Allow-Methods: GET Allow-Credentials: true",
        preflight("https://a.test", "GET"));
    listener.stop(Duration.ZERO);
    serve(ALL, List.of("GET"), List.of(), true, Duration.ZERO);
    assertEquals("200 Allow-Origin: * Expose-Headers: X-Shown", receivedCalls("GET", "Origin: https://a.test"));
    assertEquals("204 Allow-Origin: * Allow-Methods: GET", preflight("https://a.test", "GET"));
  }

  @Test
  void headersOfResponsesAreExposedWhereNamedOnly() throws IOException {
    serve(new ListenerSettings.Cors(ALL, List.of("GET"), List.of(), List.of(), false, Duration.ZERO));
    assertEquals("200 Allow-Origin: *", receivedCalls("GET", "Origin: https://a.test"));
    listener.stop(Duration.ZERO);
    serve(new ListenerSettings.Cors(ALL, List.of("GET"), List.of(), List.of("X-A", "X-B"), false, Duration.ZERO));
    assertEquals("200 Allow-Origin: * Expose-Headers: X-A, X-B", receivedCalls("GET", "Origin: https://a.test"));
  }

  @Test
  void credentialsAreAllowedWhereConfiguredOnly() throws IOException {
    serve(List.of("https://a.test"), List.of("GET"), List.of(), false, Duration.ofSeconds(60));
    assertEquals("200 Allow-Origin: https://a.test Expose-Headers: X-Shown",
        receivedCalls("GET", "Origin: https://a.test"));
    assertEquals("204 Allow-Origin: https://a.test Allow-Methods: GET Max-Age: 60", preflight("https://a.test", "GET"));
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', textBlock = """
      https://shop.test       | true
      HTTPS://SHOP.test       | true
      https://shop.test:8443  | false
      http://shop.test        | false
      https://a.part.test     | true
      https://a.b.part.test   | true
      https://.part.test      | false
      https://part.test       | false
      https://evil.test/.part.test.evil.test | false
      null                    | false
      """)
  void originsAreComparedAsAWhole(String origin, boolean allowed) throws IOException {
    serve(List.of("https://Shop.test", "https://*.Part.test"), List.of("GET"), List.of(), false, Duration.ZERO);
    assertEquals(allowed ? "200 Allow-Origin: " + origin + " Expose-Headers: X-Shown" : "200",
        receivedCalls("GET", "Origin: " + origin));
    assertEquals(allowed ? "204 Allow-Origin: " + origin + " Allow-Methods: GET" : "204", preflight(origin, "GET"));
  }

  @Test
  void methodsAndHeadersAreAllowedWhereNamed() throws IOException {
    serve(ALL, List.of("PUT"), List.of("X-One"), false, Duration.ZERO);
    assertEquals("200", receivedCalls("GET", "Origin: https://a.test"));
    assertEquals("200 Allow-Origin: * Expose-Headers: X-Shown", receivedCalls("PUT", "Origin: https://a.test"));
    assertEquals("204", preflight("https://a.test", "GET"));
    assertEquals("204 Allow-Origin: * Allow-Methods: OPTIONS", preflight("https://a.test", "OPTIONS"));
    assertEquals("204 Allow-Origin: * Allow-Methods: PUT Allow-Headers: x-one, Accept",
        preflight("https://a.test", "PUT", "Access-Control-Request-Headers: x-one, Accept"));
    assertEquals("204", preflight("https://a.test", "PUT", "Access-Control-Request-Headers: x-one, x-two"));
    listener.stop(Duration.ZERO);
    serve(ALL, List.of("PUT"), ALL, false, Duration.ZERO);
    assertEquals("204 Allow-Origin: * Allow-Methods: PUT Allow-Headers: x-two",
        preflight("https://a.test", "PUT", "Access-Control-Request-Headers: x-two"));
  }

  @Test
  void twoOriginsAndNoneGetNothing() throws IOException {
    serve(ALL, List.of("GET"), List.of(), false, Duration.ZERO);
    assertEquals("200", receivedCalls("GET"));
    assertEquals("200", receivedCalls("GET", "Origin: https://a.test", "Origin: https://b.test"));
    assertTrue(receivedCalls("OPTIONS", "Origin: https://a.test").startsWith("200 Allow-Origin: *"), "not a preflight");
  }

  @Test
  void otherFieldsOfTheUpstreamAreKept() throws IOException {
    serve(ALL, List.of("GET"), List.of(), false, Duration.ZERO);
    assertEquals("kept", OneRequest.field(OneRequest.receivedCalls(listener.port(), "GET", "/x",
        "Origin: https://a.test"), "X-Theirs"));
  }

  /** Caches have to keep answers apart, those without CORS headers too. */
  @Test
  void answersVaryByWhatTheyDependOn() throws IOException {
    serve(List.of("https://a.test"), List.of("GET"), List.of(), false, Duration.ZERO);
    for (String origin : List.of("https://a.test", "https://b.test")) {
      assertEquals("Origin",
          OneRequest.field(OneRequest.receivedCalls(listener.port(), "GET", "/x", "Origin: " + origin),
              "Vary"));
      assertEquals("Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
          OneRequest.field(OneRequest.receivedCalls(listener.port(), "OPTIONS", "/x", "Origin: " + origin,
              "Access-Control-Request-Method: GET"), "Vary"));
    }
    assertEquals("Origin", OneRequest.field(OneRequest.receivedCalls(listener.port(), "GET", "/x"), "Vary"));
  }

  @Test
  void aPatternMayBeginOrEndWithItsStar() throws IOException {
    serve(List.of("*.part.test", "https://shop.test:*"), List.of("GET"), List.of(), false, Duration.ZERO);
    for (String origin : List.of("https://a.part.test", "http://b.part.test", "https://shop.test:81")) {
      assertEquals("200 Allow-Origin: " + origin + " Expose-Headers: X-Shown",
          receivedCalls("GET", "Origin: " + origin));
    }
    assertEquals("200", receivedCalls("GET", "Origin: https://a.part.test:81"));
    assertEquals("200", receivedCalls("GET", "Origin: https://shop.test:"));
  }
}
