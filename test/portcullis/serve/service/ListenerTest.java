package portcullis.serve.service;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import portcullis.crypto.keys.CipherSuite;
import portcullis.crypto.keys.KeyRing;
import portcullis.crypto.keys.ServerTls;
import portcullis.crypto.keys.TlsVersion;
import portcullis.crypto.keys.TrustStore;
import portcullis.fixture.Await;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestTls;
import portcullis.http.message.Response;
import portcullis.http.message.ValidRequest;
import portcullis.http.server.Descriptors;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

/** How a service begins, is spoken to, and ends. */
class ListenerTest {
  private final ByteArrayOutputStream written = new ByteArrayOutputStream();
  private final LogWriter writer = new LogWriter(written);
  private final Log log = new Log(Level.DEBUG, LogFormat.GELF, writer, InstantSource.system(), "test");

  private Listener started(int port, Optional<ServerTls> tls, Layer.Handler handler) throws IOException {
    return Listener.start("test", ListenerSettings.plain("127.0.0.1", port), tls, handler, TelemetrySinks.NONE, log,
        InstantSource.system(), new Descriptors());
  }

  private String logged() {
    writer.close();
    return written.toString(StandardCharsets.UTF_8);
  }

  @Test
  void secureListenerShowsItsCertificateAndSpeaksHttps() throws Exception {
    TestCertificate root = CertificateDraft.authority("root");
    TestCertificate gate = CertificateDraft.of("gate").hosts("localhost").issuedBy(root).make();
    ServerTls tls = ServerTls.of(List.of(KeyRing.parse(gate.keyStore(root), "", Instant.now()).first()),
        TlsVersion.values()[1],
        CipherSuite.DEFAULTS, ServerTls.Clients.ANY);
    Listener listener = started(0, Optional.of(tls),
        transaction -> transaction.answer(Response.of(200, "text/plain", transaction.scheme())));
    try (SSLSocket socket = (SSLSocket) TestTls.trusting(root).getSocketFactory().createSocket("localhost",
        listener.port())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write((OneRequest.text("GET", "/") + "\r\n").getBytes(ISO_8859_1));
      String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      assertEquals("200 https", OneRequest.status(answer) + " " + OneRequest.body(answer));
      assertEquals("CN=gate", socket.getSession().getPeerPrincipal().getName());
    }
    listener.stop(Duration.ofSeconds(5));
    String text = logged();
    assertTrue(text.contains("\"_http_scheme\":\"https\"") && !text.contains("TLS is disabled"), text);
  }

  private static String certificates(Transaction transaction) {
    return transaction.arrival() instanceof ValidRequest request
        ? request.certificates().get().stream().map(one -> one.getSubjectX500Principal().getName()).toList().toString()
        : "";
  }

  private static String answer(SSLContext client, int port) throws Exception {
    try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("localhost", port)) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write((OneRequest.text("GET", "/") + "\r\n").getBytes(ISO_8859_1));
      return OneRequest.body(new String(socket.getInputStream().readAllBytes(), ISO_8859_1));
    }
  }

  @Test
  void requestsHaveTheCertificatesOfTheirClients() throws Exception {
    TestCertificate root = CertificateDraft.authority("root");
    TestCertificate gate = CertificateDraft.of("gate").hosts("localhost").issuedBy(root).make();
    TestCertificate alice = CertificateDraft.of("alice").issuedBy(root).make();
    ServerTls tls = ServerTls.of(List.of(KeyRing.parse(gate.keyStore(root), "", Instant.now()).first()),
        TlsVersion.TLS1_2, CipherSuite.DEFAULTS,
        new ServerTls.Clients(Optional.of(TrustStore.parse(root.pem())),
            false));
    Listener listener = started(0, Optional.of(tls),
        transaction -> transaction.answer(Response.of(200, "text/plain", certificates(transaction))));
    assertEquals("[]", answer(TestTls.trusting(root), listener.port()));
    assertEquals("[CN=alice]", answer(TestTls.showing(alice, root), listener.port()));
    listener.stop(Duration.ofSeconds(5));
    writer.close();
  }

  @Test
  void beginningAndEndAreLogged() throws IOException {
    Listener listener = started(0, Optional.empty(), transaction -> transaction.answer(Response.of(204)));
    assertEquals(204, OneRequest.status(OneRequest.receivedCalls(listener.port(), "GET", "/")));
    try (Socket open = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      open.setSoTimeout(60_000);
      open.getOutputStream().write("GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertEquals('H', open.getInputStream().read());
      listener.stop(Duration.ofSeconds(5));
      String rest = new String(open.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertTrue(rest.startsWith("TTP/1.1 204 "), rest);
    }
    String text = logged();
    for (String line : new String[] {"Starting listening", "TLS is disabled.", "Tearing down service",
      "Service stopped"}) {
      assertTrue(text.lines().anyMatch(l -> l.contains(line) && l.contains("\"_service\":\"test\"")),
          () -> line + " is not in " + text);
    }
  }

  @Test
  void eachConnectionMayEndWithItsNextResponse() throws IOException {
    Listener listener = started(0, Optional.empty(), transaction -> transaction.answer(Response.of(204)));
    byte[] request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    try (Socket open = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      open.setSoTimeout(60_000);
      open.getOutputStream().write(request);
      assertEquals('H', open.getInputStream().read());
      listener.endAfterResponses();
      open.getOutputStream().write(request);
      String rest = new String(open.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      assertTrue(rest.contains("Connection: close"), rest);
    } finally {
      listener.stop(Duration.ZERO);
    }
    writer.close();
  }

  @Test
  void reportsAddressInUse() throws IOException {
    Listener first = started(0, Optional.empty(), transaction -> transaction.answer(Response.of(204)));
    IOException e = assertThrows(IOException.class, () -> started(first.port(), Optional.empty(), _ -> {}));
    assertTrue(e.getMessage().startsWith("could not create listener for test service: port " + first.port()
        + " on 127.0.0.1: "), e.getMessage());
    first.stop(Duration.ZERO);
    writer.close();
  }

  @Test
  void stoppingWaitsForRequestsAndTakesNoMore() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    Listener listener = started(0, Optional.empty(), transaction -> {
      begun.countDown();
      try {
        assertTrue(go.await(60, TimeUnit.SECONDS));
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      transaction.answer(Response.of(200));
    });
    String[] answer = {""};
    Thread client = Thread.startVirtualThread(() -> {
      try {
        answer[0] = OneRequest.receivedCalls(listener.port(), "GET", "/");
      } catch (IOException e) {
        answer[0] = e.toString();
      }
    });
    assertTrue(begun.await(60, TimeUnit.SECONDS));
    long begin = System.nanoTime();
    Thread stop = Thread.startVirtualThread(() -> listener.stop(Duration.ofSeconds(60)));
    assertFalse(stop.join(Duration.ofMillis(200)), "a request is being served");
    go.countDown();
    stop.join();
    client.join();
    assertTrue(answer[0].startsWith("HTTP/1.1 200"), answer[0]);
    assertTrue(System.nanoTime() - begin < 50_000_000_000L, "it ends with the last request, not with its time");
    writer.close();
  }

  @Test
  void stepsOfADecisionAreLoggedForDebugging() throws IOException {
    DeciderSetup setup = new DeciderSetup(null, "authenticators: [{id: a, type: anonymous}]",
        "- {id: a, match: {routes: [{path: /a}]}, execute: [{authenticator: a}]}\n");
    Listener listener = new Services(TelemetrySinks.NONE, log, InstantSource.system())
        .decision(ListenerSettings.plain("127.0.0.1", 0), Optional.empty(), setup.decider());
    assertEquals(200, OneRequest.status(OneRequest.receivedCalls(listener.port(), "GET", "/a")));
    listener.stop(Duration.ofSeconds(5));
    String text = logged();
    assertTrue(text.contains("\"Decision endpoint called\"") && text.contains("\"Finalizing request\""), text);
  }

  @Test
  void requestsInProgressAreCounted() throws Exception {
    CountDownLatch goOn = new CountDownLatch(1);
    Listener listener = started(0, Optional.empty(), transaction -> {
      try {
        goOn.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      transaction.answer(Response.of(204));
    });
    assertEquals(0, listener.requests());
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), listener.port())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write((OneRequest.text("GET", "/") + "\r\n").getBytes(ISO_8859_1));
      Await.until(() -> listener.requests() == 1);
      goOn.countDown();
      assertTrue(new String(socket.getInputStream().readAllBytes(), ISO_8859_1).startsWith("HTTP/1.1 204 "));
      Await.until(() -> listener.requests() == 0);
    } finally {
      goOn.countDown();
      listener.stop(Duration.ofSeconds(5));
      writer.close();
    }
  }
}
