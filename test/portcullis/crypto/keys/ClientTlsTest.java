package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;

class ClientTlsTest {
  private static final Instant NOW = Instant.now();
  private static final TestCertificate ROOT = CertificateDraft.authority("root");

  private static KeyEntry entry(String name) throws KeyMaterialException {
    return KeyRing.parse(CertificateDraft.of(name).hosts("localhost").issuedBy(ROOT).make().keyStore(ROOT), "", NOW)
        .first();
  }

  @Test
  void showsItsCertificateToAServerThatAsks() throws Exception {
    Optional<TrustStore> trust = Optional.of(TrustStore.parse(ROOT.pem()));
    SSLContext server = ClientTls.of(trust, Optional.of(entry("server"))).context();
    assertEquals("CN=client", peer(server, ClientTls.of(trust, Optional.of(entry("client")))));
    assertThrows(IOException.class, () -> peer(server, ClientTls.of(trust, Optional.empty())));
  }

  @Test
  void speaksTheVersionsAndSuitesAsConfiguredToTheNamedHost() throws Exception {
    SSLParameters usual = ClientTls.of(Optional.empty(), Optional.empty()).parameters();
    assertEquals(List.of("TLSv1.3", "TLSv1.2"), List.of(usual.getProtocols()));
    assertEquals("HTTPS", usual.getEndpointIdentificationAlgorithm());
    assertEquals(
        List.of("TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256",
            "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384"),
        List.of(ClientTls.of(Optional.empty(), Optional.empty(), TlsVersion.TLS1_2,
            List.of(CipherSuite.TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384)).parameters().getCipherSuites()));
    SSLParameters newest = ClientTls.of(Optional.empty(), Optional.empty(), TlsVersion.TLS1_3, List.of()).parameters();
    assertEquals(List.of("TLSv1.3"), List.of(newest.getProtocols()));
  }

  /** Who the client is for a server that wants to know. */
  private static String peer(SSLContext server, ClientTls client) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        SSLServerSocket listener = (SSLServerSocket) server.getServerSocketFactory()
            .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      listener.setNeedClientAuth(true);
      var seen = threads.submit(() -> {
        try (SSLSocket socket = (SSLSocket) listener.accept()) {
          socket.setSoTimeout(10_000);
          socket.getOutputStream().write('x');
          return socket.getSession().getPeerPrincipal().getName();
        }
      });
      try (SSLSocket socket = (SSLSocket) client.context().getSocketFactory()
          .createSocket("localhost", listener.getLocalPort())) {
        socket.setSSLParameters(client.parameters());
        socket.setSoTimeout(10_000);
        assertEquals('x', socket.getInputStream().read());
      }
      return seen.get();
    }
  }

  @Test
  void aKeyToShowNeedsACertificate() throws KeyMaterialException {
    KeyEntry entry = entry("client");
    KeyEntry bare = new KeyEntry("bare", entry.privateKey(), entry.publicKey(), List.of(), entry.algorithm());
    assertThrows(KeyMaterialException.class, () -> ClientTls.of(Optional.empty(), Optional.of(bare)));
  }
}
