package portcullis.serve.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.config.Yaml;
import portcullis.crypto.keys.CipherSuite;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.TlsVersion;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;

class TlsSettingsTest {
  private static final TestCertificate OWN = CertificateDraft.of("CN=own").make();

  @TempDir
  private Path folder;
  private final Problems problems = new Problems();

  private TlsSettings read(String more) throws IOException {
    Path file = folder.resolve("keys.pem");
    if (!Files.exists(file)) {
      Files.writeString(file, TestKeys.pem(TestKeys.ec(256)).replace("-----\n", "-----\nX-Key-ID: bare\n\n")
          + OWN.keyStore() + TestKeys.pem(TestKeys.ed25519()));
    }
    String yaml = "{key_store: {path: '" + file + "'}" + more + "}";
    return Yaml.read(new SourceFile("f", yaml), problems)
        .flatMap(node -> TlsSettings.decoder().decode(node, problems))
        .orElseThrow(() -> new AssertionError(reported()));
  }

  private String reported() {
    return problems.sorted().stream().map(Problem::text).collect(Collectors.joining("; "));
  }

  @Test
  void hasDefaults() throws IOException {
    TlsSettings settings = read("");
    assertEquals(TlsVersion.TLS1_3, settings.lowest());
    assertEquals(CipherSuite.DEFAULTS, settings.suites());
    assertEquals(Optional.empty(), settings.keyId());
    assertEquals("", settings.keyStore().password());
    assertEquals(Optional.empty(), settings.keyStore().certificates());
    assertEquals(Optional.empty(), settings.clientAuth());
  }

  @Test
  void theFirstKeyAndAllWithCertificatesAreShown() throws Exception {
    List<KeyEntry> keys = read("").keys(Instant.now());
    assertEquals(2, keys.size());
    assertEquals("bare", keys.getFirst().id());
    assertEquals(1, keys.getLast().chain().size());
    assertEquals(List.of("bare"), read(", key_id: bare").keys(Instant.now()).stream().map(KeyEntry::id).toList());
  }

  @Test
  void certificatesOfAnotherFileHaveToFitTheKey() throws Exception {
    Files.writeString(folder.resolve("keys.pem"), TestKeys.pem(OWN.keys()));
    Path chain = Files.writeString(folder.resolve("chain.pem"), OWN.pem());
    String place = folder.resolve("keys.pem") + "', certificates: '" + chain;
    TlsSettings settings = Yaml.read(new SourceFile("f", "{key_store: {path: '" + place + "'}}"), problems)
        .flatMap(node -> TlsSettings.decoder().decode(node, problems)).orElseThrow();
    assertEquals(List.of(OWN.certificate()), settings.load(Instant.now(), problems).orElseThrow().keys().getFirst()
        .chain());
    Files.writeString(chain, CertificateDraft.of("CN=other").make().pem());
    assertTrue(settings.load(Instant.now(), problems).isEmpty());
    assertTrue(reported().startsWith("f:1:21: key_store.path: key store `" + folder.resolve("keys.pem") + "`: key `"),
        reported());
    assertTrue(reported().contains("` does not fit the certificates in `" + chain + "`"), reported());
  }

  @Test
  void aNamedKeyIsLoadedAlone() throws Exception {
    String id = read("").keys(Instant.now()).getLast().id();
    assertTrue(read(", key_id: '" + id + "'").load(Instant.now(), problems).isPresent(), reported());
    assertTrue(read(", key_id: none").load(Instant.now(), problems).isEmpty());
    assertTrue(reported().startsWith("f:1:21: key_store.path: no key `none` (known: bare, "), reported());
  }

  @Test
  void issuersOfClientsAreRead() throws Exception {
    String id = read("").keys(Instant.now()).getLast().id();
    Path trusted = Files.writeString(folder.resolve("trusted.pem"), OWN.pem());
    String auth = ", key_id: '" + id + "', client_auth: {trust_store: '%s'%s}";
    TlsSettings settings = read(auth.formatted(trusted, ""));
    assertTrue(settings.load(Instant.now(), problems).orElseThrow().parameters().getNeedClientAuth());
    TlsSettings optional = read(auth.formatted(trusted, ", required: false"));
    assertTrue(optional.load(Instant.now(), problems).orElseThrow().parameters().getWantClientAuth());
    assertTrue(!read("").keys(Instant.now()).isEmpty() && reported().isEmpty(), reported());
    assertTrue(read(auth.formatted(folder.resolve("none.pem"), "")).load(Instant.now(), problems).isEmpty());
    assertTrue(reported().contains("client_auth.trust_store: trust store `" + folder.resolve("none.pem")
        + "`: there is no such file"), reported());
  }
}
