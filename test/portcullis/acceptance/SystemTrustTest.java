package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestTls;

/** The built image trusts the services that its host trusts, and names the issuer of others. */
final class SystemTrustTest {
  private static final TestCertificate ROOT = CertificateDraft.authority("house root");

  @TempDir
  private Path folder;
  private HttpsServer upstream;
  private int port;

  @BeforeEach
  void prepare() throws IOException {
    upstream = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    upstream.setHttpsConfigurator(new HttpsConfigurator(
        TestTls.showing(CertificateDraft.of("upstream").hosts("localhost").issuedBy(ROOT).make())));
    upstream.createContext("/", GuardedSite::hello);
    upstream.start();
    port = FreePort.next();
    Files.writeString(folder.resolve("root.pem"), ROOT.pem());
    Files.writeString(folder.resolve("c.yaml"), """
        serve: {host: 127.0.0.1, port: %d}
        management: {host: 127.0.0.1, port: %d}
        mechanisms:
          authenticators: [{id: anon, type: anonymous}]
          authorizers:
            - id: remote
              type: remote
              config: {endpoint: {url: "https://localhost:%3$d/check"}, payload: "{}"}
        providers: {file_system: {src: rules.yaml}}
        """.formatted(port, FreePort.next(), upstream.getAddress().getPort()));
    Files.writeString(folder.resolve("rules.yaml"), """
        version: 1alpha4
        rules:
        - id: r
          match: {routes: [{path: /x}]}
          forward_to: {host: "localhost:%1$d", rewrite: {scheme: https}}
          execute: [{authenticator: anon}]
        - id: s
          match: {routes: [{path: /y}]}
          forward_to: {host: "localhost:%1$d", rewrite: {scheme: https}}
          execute: [{authenticator: anon}, {authorizer: remote}]
        """.formatted(upstream.getAddress().getPort()));
  }

  @AfterEach
  void close() {
    upstream.stop(0);
  }

  private RunningImage start(Map<String, String> variables) {
    RunningImage image = RunningImage.startIn(folder, variables, "serve", "proxy", "-c", "c.yaml", "--insecure");
    image.await("Portcullis started");
    return image;
  }

  private int status(String path) throws IOException, InterruptedException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
          HttpResponse.BodyHandlers.discarding()).statusCode();
    }
  }

  @Test
  void trustsTheFileOfTheEnvironment() throws Exception {
    try (RunningImage _ = start(Map.of("SSL_CERT_FILE", "root.pem", "SSL_CERT_DIR", ""))) {
      assertEquals(200, status("/x"));
      assertEquals(200, status("/y"));
    }
  }

  @Test
  void namesTheUnknownIssuer() throws Exception {
    Files.writeString(folder.resolve("other.pem"), CertificateDraft.authority("other").pem());
    try (RunningImage image = start(Map.of("SSL_CERT_FILE", "other.pem", "SSL_CERT_DIR", ""))) {
      assertEquals(502, status("/x"));
      assertEquals(502, status("/y"));
      image.await("unknown issuer: certificate `CN=upstream` .* is issued by `CN=house root`, which is not among the "
          + "system's trusted certificates in other.pem; .*`trust_store`.*\n(.*\n)*.*unknown issuer");
    }
  }

  @Test
  void imageBringsNoTrustedCertificates() {
    assertFalse(Files.exists(RunningImage.PROGRAM.resolveSibling("../lib/security/cacerts")));
  }

  @Test
  void unreadableFileOfTheEnvironmentTrustsNone() throws Exception {
    try (RunningImage image = start(Map.of("SSL_CERT_FILE", "none.pem", "SSL_CERT_DIR", ""))) {
      assertEquals(502, status("/x"));
      image.await("trusted certificates cannot be read: SSL_CERT_FILE `none.pem`: there is no such file");
    }
  }
}
