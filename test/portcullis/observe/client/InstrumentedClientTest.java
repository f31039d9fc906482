package portcullis.observe.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.RawUpstream;
import portcullis.http.client.ClientException;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.observe.metrics.PrometheusText;
import portcullis.observe.metrics.Registry;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

class InstrumentedClientTest {
  private static HttpServer server;
  private static WireClient client;

  @BeforeAll
  static void start() throws IOException, NoSuchAlgorithmException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      exchange.getRequestBody().readAllBytes();
      byte[] body = "the answer".getBytes(StandardCharsets.US_ASCII);
      exchange.sendResponseHeaders(Integer.parseInt(exchange.getRequestURI().getPath().substring(1)), body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
    client = new WireClient(ClientLimits.DEFAULT, SSLContext.getDefault());
  }

  @AfterAll
  static void stop() {
    client.close();
    server.stop(0);
  }

  private static WireRequest request(String method, int port, String target, String body) {
    return new WireRequest(new WireRequest.Parts(method, URI.create("http://u:secret@127.0.0.1:" + port), target,
        Fields.of("Host", "a", "X-Key", "canary"), new ByteArrayInputStream(body.getBytes(StandardCharsets.US_ASCII)),
        body.length(),
        () -> Fields.NONE, (_, _) -> {}, Duration.ofSeconds(5), Duration.ofSeconds(5)));
  }

  private static String read(HttpClient client, WireRequest request) throws IOException, InterruptedException {
    try (InputStream in = client.send(request, HttpResponse.BodyHandlers.ofInputStream()).body()) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "GET|/200|http_request_method=\"GET\",http_response_status_code=\"200\",server_address=\"127.0.0.1\"",
    "PUT|/503|http_request_method=\"PUT\",http_response_status_code=\"503\",server_address=\"127.0.0.1\"",
    "BREW|/200|http_request_method=\"_OTHER\",http_response_status_code=\"200\",server_address=\"127.0.0.1\"",
  })
  void callsAreMeasuredByMethodAndStatus(String method, String target, String labels)
      throws IOException, InterruptedException {
    Registry registry = new Registry();
    HttpClient watched = new InstrumentedClient(client, Optional.empty(), Optional.of(new ClientInstruments(registry)));
    assertEquals("the answer", read(watched, request(method, server.getAddress().getPort(), target, "12345")));
    String text = PrometheusText.of(registry.read());
    assertEquals(1, text.lines().filter(line -> line.startsWith("http_client_request_duration_seconds_count{" + labels)
        && line.endsWith(" 1")).count(), text);
    assertEquals(1, text.lines().filter(line -> line.startsWith("http_client_request_body_size_bytes_sum{" + labels)
        && line.endsWith(" 5")).count(), text);
    assertEquals(false, text.contains("secret") || text.contains("canary"));
  }

  /**
   * Once its head is there the call is not over: that is when the body has been read, or given up, or has broken off.
   */
  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {"read|''", "closed|''", "broken|broken_body"})
  void aCallIsOverWithTheBodyOfItsAnswer(String how, String error) throws IOException, InterruptedException {
    Registry registry = new Registry();
    HttpClient watched = new InstrumentedClient(client, Optional.empty(), Optional.of(new ClientInstruments(registry)));
    String answer = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n12345" + (how.equals("broken") ? "" : "6789");
    try (RawUpstream peer = RawUpstream.of(to -> {
      to.head();
      to.say(answer);
    })) {
      InputStream in = watched.send(request("GET", peer.port(), "/", ""), HttpResponse.BodyHandlers.ofInputStream())
          .body();
      assertEquals(5, in.readNBytes(5).length);
      assertEquals(List.of(), registry.read());
      switch (how) {
        case "read" -> assertEquals(4, in.readAllBytes().length);
        case "broken" -> assertThrows(IOException.class, in::readAllBytes);
        default -> in.close();
      }
      in.close();
      var samples = registry.read().getFirst().samples();
      assertEquals(1, samples.size());
      var attributes = samples.getFirst().attributes();
      assertEquals("http 1.1",
          attributes.get("network.protocol.name") + " " + attributes.get("network.protocol.version"));
      assertEquals("200 " + error,
          attributes.get("http.response.status_code") + " " + attributes.getOrDefault("error.type", ""));
    }
  }

  @Test
  void aCallThatFailsSaysHow() throws IOException {
    Registry registry = new Registry();
    HttpClient watched = new InstrumentedClient(client, Optional.empty(), Optional.of(new ClientInstruments(registry)));
    int free;
    try (ServerSocket socket = new ServerSocket(0)) {
      free = socket.getLocalPort();
    }
    IOException failure = assertThrows(IOException.class, () -> read(watched, request("GET", free, "/200", "")));
    assertEquals(true, failure instanceof ClientException);
    assertEquals("unreachable", registry.read().getFirst().samples().getFirst().attributes().get("error.type"));
  }

  @Test
  void aDumpHoldsWholeMessages() throws IOException, InterruptedException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (LogWriter writer = new LogWriter(out)) {
      Log log = new Log(Level.TRACE, LogFormat.TEXT, writer, InstantSource.system(), "h");
      HttpClient dumping = new LoggingClient(client, log);
      assertEquals("the answer", read(dumping, request("POST", server.getAddress().getPort(), "/200", "the question")));
    }
    List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
    assertEquals(2, lines.size(), lines::toString);
    assertEquals(true, lines.get(0).contains("TRC Outbound Request: \\nPOST /200 HTTP/1.1\\r\\nHost: a\\r\\nX-Key: "
        + "canary\\r\\n\\r\\nthe question"),
        lines.get(0));
    assertEquals(true,
        lines.get(1).contains("TRC Inbound Response: \\nHTTP/1.1 200\\r\\n")
            && lines.get(1).endsWith("\\r\\n\\r\\nthe answer"),
        lines.get(1));
  }
}
