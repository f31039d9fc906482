package portcullis.http.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;

class TlsTest {
  private static final String GET = "GET /p HTTP/1.1\r\nHost: h\r\n\r\n";
  private static final TestCertificate CA = CertificateDraft.authority("ca");
  private static final TestCertificate GATE = CertificateDraft.of("gate").hosts("localhost").issuedBy(CA).make();
  private static final TestCertificate ALICE = CertificateDraft.of("alice").issuedBy(CA).make();

  private static TestServer serving(HttpsConfigurator configurator) throws IOException {
    return new TestServer(ServerLimits.DEFAULT, configurator, exchange -> {
      HttpsExchange secure = (HttpsExchange) exchange;
      exchange.getResponseHeaders().set("X-Protocol", secure.getSSLSession().getProtocol());
      TestServer.echo(exchange);
    });
  }

  private static RawClient connect(TestServer server, SSLContext context) throws Exception {
    return new RawClient(Tls.connect(context, server.address(), List.of()));
  }

  @Test
  void servesInTlsWhatItServesOnClearText() throws Exception {
    try (TestServer server = serving(new HttpsConfigurator(Tls.context(GATE)));
        RawClient client = connect(server, Tls.context(ALICE, CA))) {
      RawClient.Answer answer = client.say(GET).answer();
      assertEquals("200 /p TLSv1.3",
          answer.status() + " " + answer.header("X-Target") + " " + answer.header("X-Protocol"));
      String body = "x".repeat(200_000);
      assertEquals(body,
          client.say("POST /p HTTP/1.1\r\nHost: h\r\nContent-Length: 200000\r\n\r\n" + body).answer().body());
      assertEquals(400, client.say("GET /p HTTP/1.1\r\nHost : h\r\n\r\n").answer().status());
      assertTrue(client.answers().isEmpty());
    }
  }

  @Test
  void httpWithoutTlsIsAnsweredAndReported() throws Exception {
    try (TestServer server = serving(new HttpsConfigurator(Tls.context(GATE)));
        RawClient client = RawClient.of(server)) {
      RawClient.Answer answer = client.say(GET).answer();
      assertEquals("400 This port is for https only.\n", answer.status() + " " + answer.body());
      assertEquals(new TestServer.Report(400, "HTTP without TLS, on a listener that has TLS"),
          server.reports().poll(20, TimeUnit.SECONDS));
      assertEquals(List.of(), server.seen());
    }
  }

  @Test
  void agreesOnHttp1WithWhoOffersIt() throws Exception {
    try (TestServer server = serving(new HttpsConfigurator(Tls.context(GATE)));
        SSLSocket socket = Tls.connect(Tls.context(ALICE, CA), server.address(), List.of("foo", "http/1.1"))) {
      assertEquals("http/1.1", socket.getApplicationProtocol());
    }
  }

  private static HttpsConfigurator with(SSLContext context, java.util.function.Consumer<SSLParameters> change) {
    return new HttpsConfigurator(context) {
      @Override
      public void configure(HttpsParameters parameters) {
        SSLParameters tls = getSSLContext().getDefaultSSLParameters();
        change.accept(tls);
        parameters.setSSLParameters(tls);
      }
    };
  }

  @Test
  void speaksTheVersionsThatAreConfigured() throws Exception {
    try (TestServer server = serving(with(Tls.context(GATE), p -> p.setProtocols(new String[] {"TLSv1.2"})));
        RawClient client = connect(server, Tls.context(ALICE, CA))) {
      assertEquals("TLSv1.2", client.say(GET).answer().header("X-Protocol"));
    }
  }

  @Test
  @SuppressWarnings("deprecation")
  void wantsTheCertificateOfAClientWhereConfigured() throws Exception {
    HttpsConfigurator whole = with(Tls.context(GATE, CA), p -> p.setNeedClientAuth(true));
    HttpsConfigurator single = new HttpsConfigurator(Tls.context(GATE, CA)) {
      @Override
      public void configure(HttpsParameters parameters) {
        parameters.setNeedClientAuth(true);
      }
    };
    TestCertificate stranger = CertificateDraft.of("stranger").make();
    for (HttpsConfigurator configurator : List.of(whole, single)) {
      try (TestServer server = serving(configurator)) {
        try (RawClient client = connect(server, Tls.context(ALICE, CA))) {
          assertEquals(200, client.say(GET).answer().status());
        }
        assertThrows(IOException.class, () -> {
          try (RawClient client = connect(server, Tls.context(stranger, CA))) {
            client.say(GET).answer();
          }
        });
        assertEquals(1, server.seen().size());
      }
    }
  }

  @Test
  void showsARenewedCertificateToWhoComesNext() throws Exception {
    AtomicReference<SSLContext> context = new AtomicReference<>(Tls.context(GATE));
    HttpsConfigurator renewing = new HttpsConfigurator(context.get()) {
      @Override
      public SSLContext getSSLContext() {
        return context.get();
      }
    };
    TestCertificate next = CertificateDraft.of("next").hosts("localhost").issuedBy(CA).make();
    try (TestServer server = serving(renewing); RawClient before = connect(server, Tls.context(ALICE, CA))) {
      before.say(GET).answer();
      context.set(Tls.context(next));
      try (RawClient after = connect(server, Tls.context(ALICE, CA))) {
        assertEquals(next.certificate(), ((SSLSocket) after.socket()).getSession().getPeerCertificates()[0]);
        assertEquals(200, after.say(GET).answer().status());
      }
      assertEquals(200, before.say(GET).answer().status());
    }
  }

  @Test
  void stalledHandshakesBlockNoOtherAndEnd() throws Exception {
    ServerLimits.Waits d = ServerLimits.Waits.DEFAULT;
    ServerLimits limits = ServerLimits.DEFAULT.withWaits(new ServerLimits.Waits(Duration.ofSeconds(2), d.firstByte(),
        d.idle(), d.head(), d.body(), 0, d.request(), d.write()));
    try (TestServer server = new TestServer(limits, new HttpsConfigurator(Tls.context(GATE)), TestServer::echo)) {
      List<Socket> stalled = new ArrayList<>();
      for (int i = 0; i < 300; i++) {
        stalled.add(new Socket(server.address().getAddress(), server.address().getPort()));
      }
      try (RawClient client = connect(server, Tls.context(ALICE, CA))) {
        assertEquals(200, client.say(GET).answer().status());
      }
      for (Socket socket : stalled) {
        socket.setSoTimeout(20_000);
        assertEquals(-1, socket.getInputStream().read());
        socket.close();
      }
    }
  }

  @Test
  void whoSpeaksNoTlsIsClosed() throws Exception {
    try (TestServer server = serving(new HttpsConfigurator(Tls.context(GATE)));
        RawClient client = RawClient.of(server)) {
      client.say("\r\n" + GET);
      assertTrue(!client.read(1000).contains("HTTP"));
      assertTrue(server.seen().isEmpty());
    }
  }

  @Test
  void lateRequestsAreAnswered408() throws Exception {
    ServerLimits.Waits d = ServerLimits.Waits.DEFAULT;
    Duration s = Duration.ofMillis(300);
    ServerLimits limits = ServerLimits.DEFAULT
        .withWaits(new ServerLimits.Waits(d.handshake(), d.firstByte(), d.idle(), s, s, 0, d.request(), d.write()));
    try (TestServer server = new TestServer(limits, new HttpsConfigurator(Tls.context(GATE)), TestServer::echo)) {
      for (String raw : List.of("GET / HT", "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\nhalf")) {
        try (RawClient client = connect(server, Tls.context(ALICE, CA))) {
          assertEquals(408, client.say(raw).answer().status());
        }
      }
    }
  }
}
