package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;

class SystemTrustTest {
  private final TestCertificate one = CertificateDraft.authority("one");
  private final TestCertificate two = CertificateDraft.authority("two");
  @TempDir
  private Path folder;

  private String file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }

  private static List<X509Certificate> found(Map<String, String> environment, List<String> bundles,
      List<String> folders)
      throws KeyMaterialException {
    return SystemTrust.read(environment, bundles, folders).store().certificates();
  }

  @Test
  void usesTheFirstBundle() throws Exception {
    String bundle = file("b.crt", "# comment\n" + one.pem() + two.pem());
    SystemTrust trust = SystemTrust.read(Map.of("SSL_CERT_FILE", ""), List.of("/none", bundle), List.of("/none"));
    assertEquals(bundle, trust.source());
    assertEquals(List.of(one.certificate(), two.certificate()), trust.store().certificates());
  }

  /** Those of Go's crypto/x509 (root_linux.go), with which heimdall looks for them. */
  @Test
  void knowsWhereDistributionsKeepTheirCertificates() {
    assertEquals(
        Set.of("/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
            "/etc/pki/tls/cacert.pem", "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem"),
        Set.copyOf(SystemTrust.BUNDLES));
    assertEquals(List.of("/etc/ssl/certs", "/etc/pki/tls/certs"), SystemTrust.USUAL_FOLDERS);
  }

  @Test
  void skipsEntriesOfOtherKinds() throws Exception {
    String bundle = file("b.crt", one.pem().replace("CERTIFICATE", "TRUSTED CERTIFICATE") + two.pem()
        + "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    assertEquals(List.of(two.certificate()), found(Map.of(), List.of(bundle), List.of()));
  }

  @Test
  void readsAFolderWithoutABundle() throws Exception {
    Files.createSymbolicLink(folder.resolve("0.0"), Path.of(file("a.pem", one.pem())));
    file("b.pem", two.pem());
    file("readme", "-----BEGIN");
    assertEquals(List.of(one.certificate(), two.certificate()), found(Map.of(), List.of("/none"),
        List.of("/none", folder.toString())));
  }

  @Test
  void readsAtMost4096FilesOfAFolder() throws Exception {
    Path first = Path.of(file("a.pem", one.pem()));
    for (int i = 0; i < 4100; i++) {
      Files.createLink(folder.resolve(i + ".pem"), first);
    }
    assertEquals(4096, found(Map.of(), List.of("/none"), List.of(folder.toString())).size());
  }

  @Test
  void variablesOverrideTheUsualPlaces() throws Exception {
    String bundle = file("b.crt", one.pem());
    Path other = Files.createDirectory(folder.resolve("other"));
    Files.writeString(other.resolve("x.crt"), two.pem());
    String own = file("own.crt", two.pem());
    assertEquals(List.of(two.certificate()), found(Map.of("SSL_CERT_FILE", own), List.of(bundle), List.of()));
    assertEquals(List.of(two.certificate()), found(Map.of("SSL_CERT_DIR", "/none:" + other), List.of(bundle),
        List.of()));
    assertEquals(List.of(one.certificate(), two.certificate()), found(Map.of("SSL_CERT_FILE", bundle, "SSL_CERT_DIR",
        other.toString()), List.of(), List.of()));
  }

  @Test
  void namedPlacesWithoutCertificatesAreErrors() throws Exception {
    String empty = file("empty", "");
    assertEquals("SSL_CERT_FILE `/none`: there is no such file",
        assertThrows(KeyMaterialException.class, () -> SystemTrust.read(Map.of("SSL_CERT_FILE", "/none")))
            .getMessage());
    assertEquals("SSL_CERT_FILE `" + empty + "`: there is no certificate in it",
        assertThrows(KeyMaterialException.class, () -> SystemTrust.read(Map.of("SSL_CERT_FILE", empty))).getMessage());
    assertEquals("SSL_CERT_FILE is not the path of a file",
        assertThrows(KeyMaterialException.class, () -> SystemTrust.read(Map.of("SSL_CERT_FILE", "a\0b"))).getMessage());
    assertEquals("SSL_CERT_DIR `/none`: there is no certificate in it",
        assertThrows(KeyMaterialException.class, () -> SystemTrust.read(Map.of("SSL_CERT_DIR", "/none"))).getMessage());
  }

  @Test
  void aHostWithoutAnyTrustsNone() {
    assertEquals(
        "this host has none: install its CA certificates, as /etc/ssl/certs/ca-certificates.crt, or name a PEM "
            + "file with SSL_CERT_FILE",
        assertThrows(KeyMaterialException.class, () -> SystemTrust.read(Map.of(), List.of("/none"), List.of("/none")))
            .getMessage());
  }
}
