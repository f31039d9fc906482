package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Who may read run-time data: nobody by a page of a browser, whatever its name resolves to. */
class ProfilingAccessTest {
  private static Listener listener;

  @BeforeAll
  static void start() throws Exception {
    DeciderSetup setup = new DeciderSetup(null, "authenticators: [{id: a, type: anonymous}]", """
        - {id: a, match: {routes: [{path: /a}]}, execute: [{authenticator: a}]}
        """);
    listener = new Services(TelemetrySinks.NONE, setup.log(), InstantSource.system())
        .profiling("127.0.0.1", 0, List.of("portcullis"), List.of("admin.local"));
  }

  @AfterAll
  static void stop() {
    listener.stop(Duration.ZERO);
  }

  private static String status(String host, String line) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      String more = line == null ? "" : line + "\r\n";
      socket.getOutputStream().write(("GET /debug/pprof/cmdline HTTP/1.1\r\nHost: " + host + "\r\n" + more
          + "Connection: close\r\n\r\n").getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8).substring(9, 12);
    }
  }

  @ParameterizedTest
  @CsvSource({"localhost, 200", "LOCALHOST:10251, 200", "127.0.0.1:10251, 200", "10.1.2.3, 200", "[::1]:10251, 200",
    "[2001:db8::1], 200", "admin.local:10251, 200", "evil.local, 403", "evil.local:10251, 403",
    "localhost.evil.local, 403",
    "127.0.0.1.evil.local, 403", "localhost., 403", "2130706433.nip.io, 403"})
  void otherNamesAreRefused(String host, String status) throws IOException {
    assertEquals(status, status(host, null));
  }

  @ParameterizedTest
  @CsvSource({"Origin: http://localhost:10251, 200", "Origin: http://localhost:9000, 403",
    "Origin: https://localhost:10251, 403",
    "Origin: http://evil.local, 403", "Origin: http://a b, 403", "Origin: http://, 403",
    "Origin: null, 403", "Origin: , 403", "Origin: localhost:10251, 403",
    "Sec-Fetch-Site: none, 200", "Sec-Fetch-Site: same-origin, 200", "Sec-Fetch-Site: cross-site, 403",
    "Sec-Fetch-Site: same-site, 403"})
  void otherPagesAreRefused(String line, String status) throws IOException {
    assertEquals(status, status("localhost:10251", line));
  }

  @Test
  void onlySymbolsMayBePosted() throws IOException {
    String other = OneRequest.receivedCalls(listener.port(), "POST", "/debug/pprof/cmdline");
    assertEquals("405 GET, HEAD only GET is served",
        OneRequest.status(other) + " " + OneRequest.field(other, "Allow") + " " + OneRequest.body(other).strip());
    assertEquals(200, OneRequest.status(OneRequest.receivedCalls(listener.port(), "POST", "/debug/pprof/symbol")));
    assertEquals(405, OneRequest.status(OneRequest.receivedCalls(listener.port(), "PUT", "/debug/pprof/symbol")));
  }
}
