package portcullis.http.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.RawUpstream;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestTls;
import portcullis.http.message.Fields;
import portcullis.http.message.WireExchange;
import portcullis.http.message.WireRequest;
import portcullis.http.server.Descriptors;
import portcullis.http.server.RejectionListener;
import portcullis.http.server.ServerLimits;
import portcullis.http.server.WireServer;

/** HTTP/2 where TLS agrees on it, with our own server as the upstream. */
@Timeout(60)
final class Http2TlsTest {
  private static final TestCertificate CA = CertificateDraft.authority("ca");
  private static final SSLContext SERVER = TestTls
      .showing(CertificateDraft.of("upstream").hosts("localhost").issuedBy(CA).make());

  private final WireClient client = new WireClient(ClientLimits.DEFAULT, TestTls.trusting(CA));
  private final AtomicInteger requests = new AtomicInteger();
  private HttpServer server;

  @BeforeEach
  void start() throws IOException {
    WireServer secure = WireServer.secure(ServerLimits.DEFAULT, RejectionListener.IGNORED, new Descriptors());
    secure.setHttpsConfigurator(new HttpsConfigurator(SERVER));
    server = secure;
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
    server.createContext("/", this::echo);
    server.start();
  }

  @AfterEach
  void stop() {
    client.close();
    server.stop(0);
  }

  /** Answers with the body as it comes, and with its trailers. */
  private void echo(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    WireExchange wire = (WireExchange) exchange;
    wire.respond(200, Fields.of("X-Target", wire.target(), "X-Protocol", exchange.getProtocol()), -1);
    exchange.getRequestBody().transferTo(exchange.getResponseBody());
    wire.trail(wire.trailers());
    exchange.close();
  }

  private URI uri(String path) {
    return URI.create("https://localhost:" + server.getAddress().getPort() + path);
  }

  private Ask ask(String target) {
    try (RawUpstream any = RawUpstream.answering("")) {
      return new Ask("GET", uri(""), target, Fields.of("Host", "localhost"), InputStream.nullInputStream(), 0,
          () -> Fields.NONE,
          Ask.get(any, "").interim(), Ask.LONG, Ask.LONG);
    }
  }

  @Test
  void usesHttp2WhereOffered() throws IOException, InterruptedException {
    ClientResponse<InputStream> answer = ask("/a?b=%2F").send(client);
    assertEquals("200 ", Ask.text(answer));
    assertEquals(Version.HTTP_2, answer.version());
    assertEquals(Optional.of("/a?b=%2F"), answer.fields().first("x-target"));
    assertTrue(answer.sslSession().isPresent());
  }

  @Test
  void usesHttp1WhereConfigured() throws IOException, InterruptedException {
    SSLContext tls = TestTls.trusting(CA);
    try (WireClient old = new WireClient(ClientLimits.DEFAULT, tls, tls.getDefaultSSLParameters(), Optional.empty(),
        Version.HTTP_1_1)) {
      ClientResponse<InputStream> answer = ask("/").send(old);
      assertEquals(Version.HTTP_1_1, answer.version());
      assertEquals("200 ", Ask.text(answer));
    }
    ClientResponse<InputStream> answer = ask("/").field("Upgrade", "chat").send(client);
    assertEquals(Version.HTTP_1_1, answer.version(), "only there one can switch");
    assertEquals("200 ", Ask.text(answer));
  }

  @Test
  void carriesLargeBodiesAndTrailers() throws IOException, InterruptedException {
    byte[] body = new byte[3_000_000];
    new Random(1).nextBytes(body);
    Ask ask = ask("/").body(new ByteArrayInputStream(body), -1).trailers(() -> Fields.of("X-Sum", "1"));
    ClientResponse<InputStream> answer = ask.send(client);
    try (InputStream in = answer.body()) {
      assertArrayEquals(body, in.readAllBytes());
    }
    assertEquals(Fields.of("x-sum", "1"), answer.trailers());
  }

  @Test
  void carriesManyRequestsAtOnce() throws Exception {
    assertEquals("200 ", ask("/").answer(client));
    var all = IntStream.range(0, 300).mapToObj(i -> client.sendAsync(
        HttpRequest.newBuilder(uri("/" + i)).POST(BodyPublishers.ofString("body " + i)).build(),
        BodyHandlers.ofString())).toList();
    for (int i = 0; i < all.size(); i++) {
      assertEquals("body " + i, all.get(i).get().body());
    }
    assertEquals(301, requests.get());
    assertTrue(client.connections() < 10, () -> client.connections() + " connections");
  }

  @Test
  void interruptEndsOnlyItsOwnStream() throws Exception {
    assertEquals("200 ", ask("/").answer(client));
    InputStream silent = new PipedInputStream(new PipedOutputStream());
    WireRequest waiting = ask("/").body(silent, 10).request();
    for (int i = 0; i < 20; i++) {
      Thread thread = Thread.ofVirtual().start(() -> interrupted(waiting));
      thread.interrupt();
      thread.join();
      assertEquals("200 ", ask("/").answer(client));
    }
    assertEquals(1, client.connections());
  }

  private void interrupted(WireRequest request) {
    try {
      client.send(request, BodyHandlers.ofString());
    } catch (IOException | InterruptedException e) {
      // that is what it is for
    }
  }
}
