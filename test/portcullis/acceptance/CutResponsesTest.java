package portcullis.acceptance;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.Await;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestTls;

/** Whoever is on the way can end a connection: what only that ends is not taken for whole, TLS notwithstanding. */
@Timeout(120)
class CutResponsesTest {
  private static final String CONFIG = """
      log: {level: info}
      tracing: {enabled: false}
      metrics: {enabled: false}
      serve: {host: 127.0.0.1, port: %d}
      management: {host: 127.0.0.1, port: %d}
      mechanisms: {authenticators: [{id: anon, type: anonymous}, {id: nobody, type: unauthorized}]}
      default_rule: {execute: [{authenticator: nobody}]}
      providers: {%s}
      """;
  private static final String RULES = """
      version: 1alpha4
      rules:
      - {id: wide, match: {routes: [{path: /**}]}, execute: [{authenticator: anon}],
         forward_to: {host: "localhost:%d", rewrite: {scheme: https}}}
      """;

  @TempDir
  private Path folder;
  private final TestCertificate root = CertificateDraft.authority("root");
  private final int port = FreePort.next();
  private ServerSocket listener;
  private volatile boolean hasLength;

  @BeforeEach
  void listen() throws Exception {
    Files.writeString(folder.resolve("root.pem"), root.pem());
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void end() throws IOException {
    listener.close();
  }

  /** Answers each request with that content, until the end of the connection, or with its length. */
  private void answer(String type, String content) {
    SSLContext tls = TestTls.showing(CertificateDraft.of("up").hosts("localhost").issuedBy(root).make());
    Thread.ofVirtual().start(() -> {
      while (!listener.isClosed()) {
        try (SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(listener.accept(), null, true)) {
          assertTrue(socket.getInputStream().read(new byte[8192]) > 0);
          String length = hasLength ? "\r\nContent-Length: " + content.length() : "";
          socket.getOutputStream().write(("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: " + type + length
              + "\r\n\r\n" + content).getBytes(US_ASCII));
        } catch (IOException _) {
          // the next one
        }
      }
    });
  }

  private RunningImage start(String providers) throws IOException {
    Files.writeString(folder.resolve("c.yaml"), CONFIG.formatted(port, FreePort.next(), providers));
    RunningImage image = RunningImage.startIn(folder, Map.of("SSL_CERT_FILE", folder.resolve("root.pem").toString()),
        "serve", "proxy", "-c", "c.yaml", "--insecure");
    image.await("Portcullis started");
    return image;
  }

  private String get() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write("GET /a HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n".getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), US_ASCII);
    }
  }

  /** A rule that restricts others may be in the part that is missing. */
  @Test
  void aRuleSetThatOnlyItsConnectionEndsIsNotUsed() throws Exception {
    answer("application/yaml", RULES.formatted(9));
    String source = "http_endpoint: {watch_interval: 300ms, endpoints: [{url: \"https://localhost:%d/rules\"}]}"
        .formatted(listener.getLocalPort());
    try (RunningImage image = start(source)) {
      image.await("Failed to fetch rule set.*neither");
      assertEquals("HTTP/1.1 401", get().substring(0, 12));
      hasLength = true;
      image.await("Rule set can be fetched again");
      Await.until(() -> get().startsWith("HTTP/1.1 502")); // from an upstream that is not there
      assertEquals(0, image.stop());
    }
  }
}
