package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.crypto.keys.ClientTls;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyRing;
import portcullis.crypto.keys.TrustStore;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;

/** The built image behind TLS. */
class TlsListenerTest {
  private static final TestCertificate ROOT = CertificateDraft.authority("root");

  @TempDir
  private Path folder;

  private GuardedSite site(String more) throws Exception {
    String both = CertificateDraft.of("plain").hosts("a.b", "localhost").issuedBy(ROOT).make().keyStore(ROOT)
        + CertificateDraft.of("wild").hosts("*.a.b").issuedBy(ROOT).make().keyStore(ROOT);
    Path store = Files.writeString(folder.resolve("tls.pem"), both);
    Files.setPosixFilePermissions(store, PosixFilePermissions.fromString("rw-------"));
    Files.writeString(folder.resolve("clients.pem"), ROOT.pem());
    GuardedSite site = GuardedSite.start(folder, GuardedSite::hello, ", tls: {key_store: {path: tls.pem}" + more + "}");
    String rule = site.rule("one", "/open/one");
    site.rules(site.rule("probe", "/probe") + rule.replace("match: {", "match: {hosts: [{type: exact, value: a.b}], ")
        + rule.replace("id: one", "id: any").replace("match: {", "match: {hosts: [{type: wildcard, value: "
            + "\"*.a.b\"}], "));
    site.image().await("(Update|received|updated).*");
    return site;
  }

  private static KeyEntry client(TestCertificate issuer) throws Exception {
    return KeyRing.parse(CertificateDraft.of("client").issuedBy(issuer).make().keyStore(issuer), "", Instant.now())
        .first();
  }

  /** The status for a request to that host, whose name the handshake says in its own way; empty names none. */
  private static String status(GuardedSite site, String name, String host, Optional<KeyEntry> key) throws Exception {
    ClientTls tls = ClientTls.of(Optional.of(TrustStore.parse(ROOT.pem())), key);
    try (SSLSocket socket = (SSLSocket) tls.context().getSocketFactory().createSocket(
        new Socket(InetAddress.getLoopbackAddress(), site.port()), "localhost", site.port(), true)) {
      SSLParameters parameters = tls.parameters();
      parameters.setServerNames(name.isEmpty() ? List.of() : List.of(new SNIHostName(name)));
      parameters.setEndpointIdentificationAlgorithm("");
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(("GET /open/one HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
          .getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      if (answer.isEmpty()) {
        throw new IOException("no answer");
      }
      return answer.substring(9, 12);
    }
  }

  @Test
  void listenerAndRulesAgreeOnTheHost() throws Exception {
    try (GuardedSite site = site("")) {
      for (String name : List.of("a.b", "A.B", "a.B", "x.a.b", "X.A.b", "")) {
        for (String host : List.of("a.b", "A.B", "a.b.", "x.a.b", "X.A.B.", "a.b:443")) {
          assertEquals("200", status(site, name, host, Optional.empty()), name + " " + host);
        }
        for (String host : List.of("b", "x.b", "xa.b", "a.bc")) {
          assertEquals("401", status(site, name, host, Optional.empty()), name + " " + host);
        }
      }
      assertThrows(IOException.class, () -> status(site, "other.test", "a.b", Optional.empty()));
    }
  }

  @Test
  void whoShowsNoCertificateOfOursIsNotLetIn() throws Exception {
    try (GuardedSite site = site(", client_auth: {trust_store: clients.pem}")) {
      assertEquals("200", status(site, "a.b", "a.b", Optional.of(client(ROOT))));
      assertThrows(IOException.class, () -> status(site, "a.b", "a.b", Optional.empty()));
      assertThrows(IOException.class,
          () -> status(site, "a.b", "a.b", Optional.of(client(CertificateDraft.authority("other")))));
    }
  }

  @Test
  void whoseCertificatesCountChangesWithTheFile() throws Exception {
    TestCertificate other = CertificateDraft.authority("other");
    KeyEntry old = client(ROOT);
    KeyEntry young = client(other);
    try (GuardedSite site = site(", client_auth: {trust_store: clients.pem}")) {
      assertEquals("200", status(site, "a.b", "a.b", Optional.of(old)));
      Files.writeString(folder.resolve("clients.pem"), other.pem());
      site.image().signal("HUP");
      site.image().await("TLS trust store reloaded");
      assertEquals("200", status(site, "a.b", "a.b", Optional.of(young)));
      assertThrows(IOException.class, () -> status(site, "a.b", "a.b", Optional.of(old)));
    }
  }

  @Test
  void unreadableClientTrustStoreFailsTheStart() throws Exception {
    AssertionError ended = assertThrows(AssertionError.class,
        () -> site(", client_auth: {trust_store: none.pem}").close());
    assertTrue(ended.getMessage().contains("config.yaml:4:") && ended.getMessage().contains("none.pem"),
        ended.getMessage());
  }
}
