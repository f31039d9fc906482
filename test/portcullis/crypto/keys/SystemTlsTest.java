package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyManagementException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestTls;

/** Whom connections without a trust store trust. */
class SystemTlsTest {
  private static final TestCertificate ROOT = CertificateDraft.authority("root");
  private static final TestCertificate SERVER = CertificateDraft.of("server").hosts("localhost").issuedBy(ROOT).make();
  private static final TestCertificate STRANGER = CertificateDraft.authority("stranger");

  @TempDir
  private Path folder;

  private Map<String, String> trusting(TestCertificate certificate) throws IOException {
    return Map.of("SSL_CERT_FILE",
        Files.writeString(folder.resolve(certificate.hashCode() + ".pem"), certificate.pem()).toString());
  }

  /** What a context does that is the default of this process for so long. */
  private interface Use {
    void of(SSLContext context) throws Exception;
  }

  private static void installed(Map<String, String> environment, Use use) throws Exception {
    SSLContext before = SSLContext.getDefault();
    try {
      SystemTls.install(environment);
      assertNotSame(before, SSLContext.getDefault());
      use.of(SSLContext.getDefault());
    } finally {
      SSLContext.setDefault(before);
    }
  }

  /** Connects to a server of its own; the byte that the server writes. */
  private static int read(SSLContext client) throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor();
        SSLServerSocket listener = (SSLServerSocket) TestTls.showing(SERVER).getServerSocketFactory()
            .createServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      threads.submit(() -> {
        try (Socket socket = listener.accept()) {
          socket.setSoTimeout(30_000);
          socket.getOutputStream().write('x');
        }
        return 0;
      });
      try (SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("localhost",
          listener.getLocalPort())) {
        socket.setSoTimeout(30_000);
        return socket.getInputStream().read();
      }
    }
  }

  @Test
  void defaultTrustsWhatTheEnvironmentNames() throws Exception {
    installed(trusting(ROOT), context -> {
      assertEquals("TLS", context.getProtocol());
      assertEquals('x', read(context));
    });
  }

  @Test
  void unknownIssuerIsNamed() throws Exception {
    Map<String, String> environment = trusting(STRANGER);
    String reason = "unknown issuer: " + Certificates.name(SERVER.certificate()) + " is issued by `CN=root`"
        + notAmong(environment.get("SSL_CERT_FILE"));
    installed(environment, context -> {
      String message = assertThrows(IOException.class, () -> read(context)).getMessage();
      assertTrue(message.endsWith(reason), message);
    });
  }

  private static String notAmong(String file) {
    return ", which is not among the system's trusted certificates in " + file
        + "; where the connection can have a `trust_store`, name a file with it there";
  }

  @Test
  void unreadableCertificatesTrustNothingAndSayWhy() throws Exception {
    String missing = folder.resolve("missing.pem").toString();
    String reason = "the system's trusted certificates cannot be read: SSL_CERT_FILE `" + missing
        + "`: there is no such file";
    X509TrustManager trust = (X509TrustManager) ClientTls.systemTrustManagers(Map.of("SSL_CERT_FILE", missing))[0];
    X509Certificate[] chain = {SERVER.certificate()};
    assertEquals(reason,
        assertThrows(CertificateException.class, () -> trust.checkServerTrusted(chain, "RSA")).getMessage());
    assertEquals(reason,
        assertThrows(CertificateException.class, () -> trust.checkClientTrusted(chain, "RSA")).getMessage());
    assertArrayEquals(new X509Certificate[0], trust.getAcceptedIssuers());
    installed(Map.of("SSL_CERT_FILE", missing), context -> {
      assertTrue(Arrays.asList(context.getSupportedSSLParameters().getProtocols()).contains("TLSv1.3"),
          "parameters need no certificates");
      assertTrue(assertThrows(IOException.class, () -> read(context)).getMessage().contains(reason));
    });
  }

  @Test
  void isAWholeContextThatCannotBeInitializedAgain() throws Exception {
    installed(trusting(ROOT), context -> {
      assertEquals("the system's TLS is initialized already",
          assertThrows(KeyManagementException.class, () -> context.init(null, null, null)).getMessage());
      assertTrue(Arrays.asList(context.getDefaultSSLParameters().getProtocols()).contains("TLSv1.3"));
      SSLEngine engine = context.createSSLEngine("a.test", 8443);
      assertEquals("a.test 8443", engine.getPeerHost() + " " + engine.getPeerPort());
      assertEquals(-1, context.createSSLEngine().getPeerPort());
      assertTrue(context.getServerSocketFactory().getDefaultCipherSuites().length > 0);
      assertSame(context.getClientSessionContext(), context.getClientSessionContext());
      assertNotSame(context.getClientSessionContext(), context.getServerSessionContext());
      assertTrue(Arrays.asList(context.getDefaultSSLParameters().getProtocols()).contains("TLSv1.3"), "once read too");
    });
  }

  @Test
  void everyCheckOfAServerExplains() throws Exception {
    X509ExtendedTrustManager trust = trust(STRANGER);
    X509Certificate[] chain = {SERVER.certificate()};
    String end = notAmong(trusting(STRANGER).get("SSL_CERT_FILE"));
    String issued = "unknown issuer: " + Certificates.name(SERVER.certificate()) + " is issued by `CN=root`" + end;
    assertEquals(issued, refusal(() -> trust.checkServerTrusted(chain, "UNKNOWN")));
    assertEquals(issued, refusal(() -> trust.checkServerTrusted(chain, "UNKNOWN", (Socket) null)));
    assertEquals(issued, refusal(() -> trust.checkServerTrusted(chain, "UNKNOWN", (SSLEngine) null)));
    X509Certificate[] alone = {ROOT.certificate()};
    assertEquals("unknown issuer: " + Certificates.name(ROOT.certificate()) + " is self-signed" + end,
        refusal(() -> trust.checkServerTrusted(alone, "UNKNOWN")));
    X509Certificate[] whole = {SERVER.certificate(), ROOT.certificate()};
    assertEquals(issued, refusal(() -> trust.checkServerTrusted(whole, "UNKNOWN")));
  }

  @Test
  void invalidCertificatesAreNamedWithThePlainReason() throws Exception {
    Instant then = Instant.parse("2026-01-02T03:04:05Z");
    TestCertificate expired = CertificateDraft.of("old").issuedBy(ROOT).valid(then.minusSeconds(9), then).make();
    Instant later = Instant.parse("2100-01-02T03:04:05Z");
    TestCertificate early = CertificateDraft.of("new").issuedBy(ROOT).valid(later, later.plusSeconds(9)).make();
    TestCertificate forged = CertificateDraft.of("gate").withoutKeyIds().issuedBy(CertificateDraft.authority("root"))
        .make();
    assertEquals(Certificates.name(expired.certificate()) + " expired at " + then, refusalOf(expired));
    assertEquals(Certificates.name(early.certificate()) + " is not valid before " + later, refusalOf(early));
    assertEquals(Certificates.name(forged.certificate()) + " is not valid: signature check failed", refusalOf(forged));
  }

  private String refusalOf(TestCertificate server) throws IOException {
    X509Certificate[] chain = {server.certificate()};
    X509ExtendedTrustManager root = trust(ROOT);
    return refusal(() -> root.checkServerTrusted(chain, "UNKNOWN"));
  }

  @Test
  void clientsAreCheckedAsTheyAre() throws Exception {
    X509Certificate[] chain = {SERVER.certificate()};
    X509ExtendedTrustManager stranger = trust(STRANGER);
    assertThrows(CertificateException.class, () -> stranger.checkClientTrusted(chain, "RSA"));
    assertThrows(CertificateException.class, () -> stranger.checkClientTrusted(chain, "RSA", (Socket) null));
    assertThrows(CertificateException.class, () -> stranger.checkClientTrusted(chain, "RSA", (SSLEngine) null));
    X509ExtendedTrustManager root = trust(ROOT);
    assertDoesNotThrow(() -> root.checkServerTrusted(chain, "UNKNOWN"));
    assertDoesNotThrow(() -> root.checkClientTrusted(chain, "RSA"));
    assertDoesNotThrow(() -> root.checkClientTrusted(chain, "RSA", (Socket) null));
    assertDoesNotThrow(() -> root.checkClientTrusted(chain, "RSA", (SSLEngine) null));
    assertArrayEquals(new X509Certificate[] {ROOT.certificate()}, root.getAcceptedIssuers());
  }

  private X509ExtendedTrustManager trust(TestCertificate certificate) throws IOException {
    TrustManager[] managers = ClientTls.systemTrustManagers(trusting(certificate));
    return (X509ExtendedTrustManager) managers[0];
  }

  /** A check that fails. */
  private interface Check {
    void run() throws CertificateException;
  }

  private static String refusal(Check check) {
    return assertThrows(CertificateException.class, check::run).getMessage();
  }
}
