package portcullis.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.RawUpstream;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestTls;

/** Upstreams over TLS. */
final class TlsTest {
  private static final TestCertificate CA = CertificateDraft.authority("ca");
  private static final SSLContext SERVER = TestTls
      .showing(CertificateDraft.of("upstream").hosts("localhost").issuedBy(CA).make());
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  private static WireClient trusting(TestCertificate... trusted) {
    return new WireClient(ClientLimits.DEFAULT, TestTls.trusting(trusted));
  }

  @Test
  void connectsToTrustedServer() throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.of(SERVER, RawUpstream.always(OK)); WireClient client = trusting(CA)) {
      for (int i = 0; i < 3; i++) {
        ClientResponse<InputStream> answer = Ask.get(upstream, "/").send(client);
        assertEquals("200 ok", Ask.text(answer));
        assertEquals("localhost", answer.sslSession().orElseThrow().getPeerHost());
      }
      assertEquals(1, upstream.connections());
    }
  }

  @Test
  void namesAHandshakeThatDoesNotEnd() throws IOException {
    ClientLimits d = ClientLimits.DEFAULT;
    ClientLimits limits = new ClientLimits(9, 9, 9, d.idle(), Ask.SHORT, d.head(), 8192, 20, d.idle(), 0);
    try (RawUpstream upstream = RawUpstream.of(RawUpstream.Peer::awaitEnd);
        WireClient client = new WireClient(limits, TestTls.trusting(CA))) {
      String place = "localhost:" + upstream.port();
      assertEquals("no connection to `" + place + "` in time: it is connected, but its TLS handshake does not end",
          assertThrows(ConnectTimeoutException.class,
              () -> Ask.get(upstream, "/").to(URI.create("https://" + place)).send(client)).getMessage());
    }
  }

  @Test
  void carriesBodiesInBothDirections() throws IOException, InterruptedException {
    byte[] body = new byte[300_000];
    RawUpstream.Script echo = peer -> {
      peer.head();
      peer.say("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n")
          .say(peer.input().readNBytes(body.length));
      peer.head();
    };
    try (RawUpstream upstream = RawUpstream.of(SERVER, echo); WireClient client = trusting(CA)) {
      assertEquals(4 + body.length, Ask.get(upstream, "/").body(body).answer(client).length());
      assertEquals(1, client.connections());
    }
  }

  @Test
  void refusesInvalidCertificates() throws InterruptedException {
    Instant now = Instant.now();
    TestCertificate other = CertificateDraft.of("other").hosts("other.example").issuedBy(CA).make();
    TestCertificate old = CertificateDraft.of("old").hosts("localhost").issuedBy(CA)
        .valid(now.minus(Duration.ofDays(2)), now.minus(Duration.ofDays(1))).make();
    try (RawUpstream good = RawUpstream.of(SERVER, RawUpstream.always(OK));
        RawUpstream named = RawUpstream.of(TestTls.showing(other), RawUpstream.always(OK));
        RawUpstream expired = RawUpstream.of(TestTls.showing(old), RawUpstream.always(OK));
        WireClient client = trusting(CA);
        WireClient stranger = trusting(CertificateDraft.authority("ca"))) {
      assertEquals("200 ok", Ask.get(good, "/").outcome(client));
      assertEquals("UnreachableException", Ask.get(good, "/").outcome(stranger));
      assertEquals("UnreachableException", Ask.get(named, "/").outcome(client));
      assertEquals("UnreachableException", Ask.get(expired, "/").outcome(client));
      assertEquals("UnreachableException",
          Ask.get(good, "/").to(URI.create("https://127.0.0.1:" + good.port())).outcome(client));
      assertEquals(1, client.connections());
      assertEquals(0, stranger.connections());
      assertTrue(named.heads().isEmpty() && expired.heads().isEmpty(), "nothing was said to them");
    }
  }

  @Test
  void endsStalledHandshake() throws InterruptedException {
    ClientLimits d = ClientLimits.DEFAULT;
    ClientLimits hasty = new ClientLimits(9, 9, 9, d.idle(), Ask.SHORT, d.head(), 4096, 20, d.bodyIdle(), 100);
    try (RawUpstream mute = RawUpstream.of(RawUpstream.Peer::awaitEnd);
        WireClient client = new WireClient(hasty, TestTls.trusting(CA))) {
      Ask ask = Ask.get(mute, "/").to(URI.create("https://localhost:" + mute.port()));
      assertEquals("ConnectTimeoutException", ask.outcome(client));
      assertEquals(0, client.connections());
      assertTrue(Ask.within(() -> mute.open() == 0));
    }
  }

  @Test
  void isUnreachableWithoutTls() throws InterruptedException {
    try (RawUpstream plain = RawUpstream.of(peer -> peer.say("HTTP/1.1 400 Bad Request\r\n\r\n"));
        WireClient client = trusting(CA)) {
      assertEquals("UnreachableException",
          Ask.get(plain, "/").to(URI.create("https://localhost:" + plain.port())).outcome(client));
    }
  }

  @Test
  void noticesEndOfIdleConnection() throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.of(SERVER, RawUpstream.once(OK), RawUpstream.always(OK));
        WireClient client = trusting(CA)) {
      assertEquals("200 ok", Ask.get(upstream, "/").answer(client));
      assertTrue(Ask.within(() -> upstream.open() == 0));
      assertEquals("200 ok", Ask.get(upstream, "/").method("POST").answer(client));
      assertEquals(2, upstream.connections());
    }
  }

  @Test
  void neverTakesBrokenBodyForWhole() throws InterruptedException {
    try (RawUpstream upstream = RawUpstream.of(SERVER, RawUpstream.once("HTTP/1.1 200 OK\r\nContent-Length: "
        + "9\r\n\r\nok"));
        WireClient client = trusting(CA)) {
      assertEquals("ResponseBodyException", Ask.get(upstream, "/").outcome(client));
    }
  }

  @Test
  void closesTlsProperly() throws IOException {
    boolean[] cut = new boolean[1];
    RawUpstream.Script script = peer -> {
      peer.head();
      peer.say(OK);
      try {
        peer.awaitEnd();
      } catch (IOException e) {
        cut[0] = true;
      }
    };
    try (RawUpstream upstream = RawUpstream.of(SERVER, script)) {
      try (WireClient client = trusting(CA)) {
        assertEquals("200 ok", Ask.get(upstream, "/").outcome(client));
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      assertTrue(Ask.within(() -> upstream.open() == 0));
      assertFalse(cut[0]);
    }
  }
}
