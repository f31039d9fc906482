package portcullis.http.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.RawUpstream;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestTls;

/** Ways that lead through a proxy. */
final class ProxyTest {
  private static final TestCertificate CA = CertificateDraft.authority("ca");
  private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

  /** Sends everything to that proxy but what goes to {@code 127.0.0.1}. */
  private static ProxySelector by(Proxy.Type type, int port) {
    return new ProxySelector() {
      @Override
      public List<Proxy> select(URI uri) {
        Proxy proxy = new Proxy(type, InetSocketAddress.createUnresolved("localhost", port));
        return List.of(uri.getHost().equals("127.0.0.1") ? Proxy.NO_PROXY : proxy);
      }

      @Override
      public void connectFailed(URI uri, SocketAddress address, IOException error) {}
    };
  }

  private static WireClient client(ProxySelector selector) {
    SSLContext tls = TestTls.trusting(CA);
    return new WireClient(ClientLimits.DEFAULT, tls, tls.getDefaultSSLParameters(), Optional.of(selector),
        Version.HTTP_1_1);
  }

  /** Opens the tunnel it is asked for. */
  private static final RawUpstream.Script TUNNEL = peer -> {
    int port = Integer.parseInt(peer.head().replaceAll("(?s)CONNECT localhost:(\\d+) .*", "$1"));
    try (Socket socket = new Socket("localhost", port)) {
      peer.say("HTTP/1.1 200 Connection established\r\n\r\n");
      Thread.ofVirtual().start(() -> copy(peer, socket));
      for (int c = socket.getInputStream().read(); c >= 0; c = socket.getInputStream().read()) {
        peer.say(new byte[] {(byte) c});
      }
    }
  };

  private static void copy(RawUpstream.Peer peer, Socket socket) {
    try {
      peer.input().transferTo(socket.getOutputStream());
      socket.shutdownOutput();
    } catch (IOException e) {
      // the other direction has ended the connection
    }
  }

  @Test
  void sendsOriginOfPlainRequestToProxy() throws IOException, InterruptedException {
    try (RawUpstream proxy = RawUpstream.answering(OK); WireClient client = client(by(Proxy.Type.HTTP, proxy.port()))) {
      Ask ask = Ask.get(proxy, "/a?b").to(URI.create("http://far.example:81"));
      assertEquals("200 ok", ask.answer(client));
      assertEquals("200 ok", ask.answer(client));
      assertEquals("GET http://far.example:81/a?b HTTP/1.1\r\nHost: " + proxy.host() + "\r\n\r\n",
          proxy.heads().getFirst());
      assertEquals(1, proxy.connections());
    }
  }

  @Test
  void connectsDirectlyWhereSelected() throws IOException, InterruptedException {
    try (RawUpstream upstream = RawUpstream.answering(OK);
        RawUpstream proxy = RawUpstream.answering(OK);
        WireClient client = client(by(Proxy.Type.HTTP, proxy.port()))) {
      assertEquals("200 ok",
          Ask.get(upstream, "/").to(URI.create("http://127.0.0.1:" + upstream.port())).answer(client));
      assertEquals(0, proxy.connections());
    }
  }

  @Test
  void usesTlsThroughTunnel() throws IOException, InterruptedException {
    TestCertificate own = CertificateDraft.of("upstream").hosts("localhost").issuedBy(CA).make();
    try (RawUpstream upstream = RawUpstream.of(TestTls.showing(own), RawUpstream.always(OK));
        RawUpstream proxy = RawUpstream.of(TUNNEL);
        WireClient client = client(by(Proxy.Type.HTTP, proxy.port()))) {
      assertEquals("200 ok", Ask.get(upstream, "/a").answer(client));
      assertEquals("200 ok", Ask.get(upstream, "/b").answer(client));
      assertEquals(List.of("CONNECT " + upstream.host() + " HTTP/1.1\r\nHost: " + upstream.host() + "\r\n\r\n"),
          proxy.heads());
      assertEquals("GET /a HTTP/1.1\r\nHost: " + upstream.host() + "\r\n\r\n", upstream.heads().getFirst());
    }
  }

  @Test
  void isUnreachableWhereProxyRefuses() throws InterruptedException {
    try (RawUpstream refusing = RawUpstream.answering("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n");
        RawUpstream hasty = RawUpstream.answering("HTTP/1.1 200 OK\r\n\r\nand more");
        WireClient client = client(by(Proxy.Type.HTTP, refusing.port()));
        WireClient other = client(by(Proxy.Type.HTTP, hasty.port()));
        WireClient socks = client(by(Proxy.Type.SOCKS, refusing.port()))) {
      Ask ask = Ask.get(refusing, "/").to(URI.create("https://far.example"));
      assertEquals("UnreachableException", ask.outcome(client));
      assertEquals("UnreachableException", ask.outcome(other));
      assertEquals("UnreachableException", ask.outcome(socks));
      assertTrue(Ask.within(() -> refusing.open() == 0 && hasty.open() == 0));
    }
  }
}
