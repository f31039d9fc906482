package portcullis.acceptance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.time.Duration;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.FreePort;
import portcullis.fixture.RunningImage;
import portcullis.fixture.TestCertificate;

/** The built image identifies clients by the certificates of their connections. */
class ClientCertificateListenerTest {
  private static final String CONFIG = """
      log: {level: info, format: text}
      tracing: {enabled: false}
      metrics: {enabled: false}
      serve:
        host: 127.0.0.1
        port: %d
        tls: {key_store: {path: tls.pem}, client_auth: {trust_store: clients.pem, required: false}}
      management: {host: 127.0.0.1, port: %d}
      mechanisms:
        authenticators:
          - {id: anon, type: anonymous}
          - {id: machines, type: client_certificate, config: {trust_store: clients.pem}}
        finalizers: [{id: user, type: header, config: {headers: {X-User: "{{ .Subject.ID }}"}}}]
      default_rule: {execute: [{authenticator: anon}, {finalizer: user}]}
      providers: {file_system: {src: rules.yaml}}
      """;
  private static final String RULES = """
      version: "1alpha4"
      rules:
        - id: machines
          match: {routes: [{path: /machines}]}
          execute: [{authenticator: machines}, {finalizer: user}]
      """;
  private static final TestCertificate ROOT = CertificateDraft.authority("root");

  @TempDir
  private Path folder;
  private int port;
  private String config = CONFIG;

  private RunningImage start() throws Exception {
    port = FreePort.next();
    Files.writeString(folder.resolve("config.yaml"), config.formatted(port, FreePort.next()));
    Files.writeString(folder.resolve("rules.yaml"), RULES);
    Files.writeString(folder.resolve("clients.pem"), ROOT.pem());
    Path store = Files.writeString(folder.resolve("tls.pem"),
        CertificateDraft.of("gate").hosts("localhost", "127.0.0.1").issuedBy(ROOT).make().keyStore(ROOT));
    Files.setPosixFilePermissions(store, PosixFilePermissions.fromString("rw-------"));
    RunningImage image = RunningImage.startIn(folder, "serve", "decision", "-c", "config.yaml", "--insecure");
    image.await("Starting listening .*_service=decision");
    return image;
  }

  /** A context of the JDK's own: that of the product shows certificates on sockets only. */
  private static SSLContext tls(TestCertificate... clients) throws Exception {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    keys.load(null, null);
    for (TestCertificate client : clients) {
      keys.setKeyEntry("client", client.keys().getPrivate(), new char[0], new Certificate[] {client.certificate()});
    }
    KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, new char[0]);
    KeyStore roots = KeyStore.getInstance("PKCS12");
    roots.load(null, null);
    roots.setCertificateEntry("root", ROOT.certificate());
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(roots);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  /** Returns protocol, status and user of an answer, over a new connection. */
  private String outcome(HttpClient.Version version, SSLContext tls, String path) throws Exception {
    try (HttpClient client = HttpClient.newBuilder().version(version).sslContext(tls).build()) {
      HttpResponse<String> answer = client.send(HttpRequest.newBuilder(URI.create("https://localhost:" + port + path))
          .timeout(Duration.ofSeconds(20)).build(), HttpResponse.BodyHandlers.ofString());
      return answer.version() + " " + answer.statusCode() + " " + answer.headers().firstValue("X-User").orElse("");
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void theCertificateOfTheConnectionNamesTheClient(HttpClient.Version version) throws Exception {
    SSLContext orders = tls(
        CertificateDraft.of("orders").hosts("spiffe://shop.example/orders").issuedBy(ROOT).make());
    try (RunningImage _ = start()) {
      String accepted = version + " 200 spiffe://shop.example/orders";
      assertEquals(accepted, outcome(version, orders, "/machines"));
      assertEquals(accepted, outcome(version, orders, "/machines"), "a resumed session");
      SSLContext none = tls();
      assertEquals(version + " 401 ", outcome(version, none, "/machines"));
      assertEquals(version + " 200 anonymous", outcome(version, none, "/other"));
    }
  }

  private String replay() {
    try (RunningImage image = RunningImage.startIn(folder, "replay", "--insecure", "-c", "config.yaml", "--key", "seal",
        "decisions.log")) {
      image.exitStatus();
      return image.output();
    }
  }

  @Test
  void replayVerifiesTheCertificatesOfThen() throws Exception {
    TestCertificate other = CertificateDraft.authority("other");
    Files.writeString(folder.resolve("listener.pem"), ROOT.pem() + other.pem());
    Files.writeString(folder.resolve("seal"), "0b".repeat(32));
    config = "decision_log: {file: {path: decisions.log}, seal_key: seal}\n"
        + CONFIG.replace("client_auth: {trust_store: clients.pem", "client_auth: {trust_store: listener.pem");
    SSLContext orders = tls(CertificateDraft.of("orders").issuedBy(ROOT).make());
    SSLContext stranger = tls(CertificateDraft.of("stranger").issuedBy(other).make());
    try (RunningImage image = start()) {
      for (HttpClient.Version version : HttpClient.Version.values()) {
        assertEquals(version + " 200 CN=orders", outcome(version, orders, "/machines"));
        assertEquals(version + " 401 ", outcome(version, stranger, "/machines"));
        assertEquals(version + " 401 ", outcome(version, tls(), "/machines"));
      }
      image.stop();
    }
    String same = "6 requests: 0 newly allowed, 0 newly denied, 0 denied otherwise, 0 undecided, 6 unchanged\n";
    assertEquals(same, replay());
    Path file = folder.resolve("config.yaml"); // the authenticator is another one, so that it runs again
    Files.writeString(file, Files.readString(file).replace("config: {trust_store: ", "config: {trust_store: ./"));
    assertEquals(same, replay());
    Files.writeString(folder.resolve("clients.pem"), other.pem());
    String turned = replay();
    assertTrue(turned.contains(
        "6 requests: 2 newly allowed, 2 newly denied, 0 denied otherwise, 0 undecided, 2 unchanged\n"), turned);
  }

  @Test
  void trustIsReadAgain() throws Exception {
    SSLContext orders = tls(CertificateDraft.of("orders").issuedBy(ROOT).make());
    try (RunningImage image = start()) {
      assertEquals("HTTP_1_1 200 CN=orders", outcome(HttpClient.Version.HTTP_1_1, orders, "/machines"));
      Files.writeString(folder.resolve("clients.pem"), CertificateDraft.authority("other").pem());
      image.await("Client trust store reloaded");
      assertEquals("HTTP_1_1 401 ", outcome(HttpClient.Version.HTTP_1_1, orders, "/machines"));
    }
  }
}
