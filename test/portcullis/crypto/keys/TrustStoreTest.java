package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;

class TrustStoreTest {
  private static final Instant NOW = Instant.now();

  private final TestCertificate root = CertificateDraft.authority("root");
  private final TestCertificate middle = CertificateDraft.of("middle").forAuthority().issuedBy(root).make();
  private final TestCertificate leaf = CertificateDraft.of("leaf").issuedBy(middle).make();

  private static List<X509Certificate> certificates(TestCertificate... all) {
    return Arrays.stream(all).map(TestCertificate::certificate).toList();
  }

  private static String refusal(TestCertificate trusted, TestCertificate... chain) {
    TrustStore store = new TrustStore(certificates(trusted));
    return assertThrows(KeyMaterialException.class, () -> store.check(certificates(chain), NOW)).getMessage();
  }

  @Test
  void readsCertificatesOnly(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("trust.pem"), root.pem() + middle.pem());
    assertEquals(certificates(root, middle), TrustStore.read(file).certificates());
    Files.writeString(file, root.keyStore());
    assertEquals("trust store `" + file + "`: entry 1 (line 1, `PRIVATE KEY`): not allowed in a trust store, allowed "
        + "is "
        + "`CERTIFICATE` only", assertThrows(KeyMaterialException.class, () -> TrustStore.read(file)).getMessage());
  }

  @Test
  void rejectsEmptyAndForeignFiles(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("trust.pem");
    for (String text : List.of("", "\n", "no PEM", "{\"keys\":[]}")) {
      Files.writeString(file, text);
      assertEquals("trust store `" + file + "`: it holds no certificate, expected at least one `-----BEGIN "
          + "CERTIFICATE-----`",
          assertThrows(KeyMaterialException.class, () -> TrustStore.read(file)).getMessage());
    }
    Files.writeString(file, root.pem().replace("MII", "MIA"));
    assertEquals("trust store `" + file + "`: entry 1 (line 1, `CERTIFICATE`): it is not a usable certificate",
        assertThrows(KeyMaterialException.class, () -> TrustStore.read(file)).getMessage());
    assertThrows(KeyMaterialException.class, () -> TrustStore.read(folder.resolve("missing")));
  }

  @Test
  void acceptsChainsThatLeadToATrustedCertificate() {
    TrustStore trust = new TrustStore(certificates(root));
    assertDoesNotThrow(() -> trust.check(certificates(leaf, middle), NOW));
    assertDoesNotThrow(() -> trust.check(certificates(leaf, middle, root), NOW));
    assertDoesNotThrow(() -> trust.check(certificates(root), NOW));
    assertDoesNotThrow(() -> new TrustStore(certificates(leaf)).check(certificates(leaf), NOW));
  }

  @Test
  void laterChangesOfAListHaveNoEffect() {
    List<X509Certificate> list = new ArrayList<>(certificates(root));
    TrustStore store = new TrustStore(list);
    list.clear();
    assertEquals(certificates(root), store.certificates());
  }

  @Test
  void refusesAllOthers() {
    assertTrue(refusal(root, leaf).endsWith(" is issued by none of the trusted ones"));
    assertTrue(refusal(CertificateDraft.authority("root"), leaf, middle).endsWith("is issued by none of the trusted "
        + "ones"));
    assertEquals("there is no certificate", refusal(root));
    TestCertificate stranger = CertificateDraft.authority("stranger");
    String unfit = refusal(root, stranger, middle);
    assertTrue(unfit.startsWith("certificate `CN=stranger` ")
        && unfit.contains(" does not fit the chain to certificate `CN=root`"), unfit);
    TestCertificate expired = CertificateDraft.of("leaf").issuedBy(root)
        .valid(NOW.minus(Duration.ofDays(2)), NOW.minus(Duration.ofDays(1))).make();
    assertTrue(refusal(root, expired).contains(" expired at "));
    TestCertificate cipherOnly = CertificateDraft.of("leaf").issuedBy(root).notForSigning().make();
    assertTrue(refusal(root, cipherOnly).endsWith(" is not for digital signatures (key usage)"));
  }

  @Test
  void systemTrustHasIssuersButNotOurs() throws KeyMaterialException {
    TrustStore system = TrustStore.ofSystem();
    assertFalse(system.certificates().isEmpty());
    assertThrows(KeyMaterialException.class, () -> system.check(certificates(leaf, middle, root), NOW));
  }

  private static String refusedClient(TrustStore store, RevocationLists lists, TestCertificate... chain) {
    return assertThrows(KeyMaterialException.class, () -> store.checkClient(certificates(chain), lists, NOW))
        .getMessage();
  }

  @Test
  void clientsAreNeitherAuthoritiesNorRevokedNorOfAnotherPurpose(@TempDir Path folder) throws Exception {
    TrustStore store = new TrustStore(certificates(root));
    TestCertificate client = CertificateDraft.of("client").issuedBy(root).make();
    store.checkClient(certificates(client), RevocationLists.NONE, NOW);
    store.checkClient(certificates(CertificateDraft.of("client").issuedBy(root).purposes("1.3.6.1.5.5.7.3.2").make()),
        RevocationLists.NONE, NOW);
    for (TestCertificate authority : List.of(middle,
        CertificateDraft.of("lowest").issuedBy(root).forLowestAuthority().make())) {
      assertTrue(refusedClient(store, RevocationLists.NONE, authority)
          .endsWith(" is that of an authority, not of a client"));
    }
    assertTrue(refusedClient(store, RevocationLists.NONE,
        CertificateDraft.of("client").issuedBy(root).purposes("1.3.6.1.5.5.7.3.1").make())
        .endsWith(" is not for client authentication (extended key usage)"));
    RevocationLists lists = RevocationLists.read(Files.writeString(folder.resolve("list.pem"),
        CertificateDraft.revocations(root, NOW.minusSeconds(60), NOW.plusSeconds(3600), client)));
    assertTrue(refusedClient(store, lists, client).contains("revoked"));
    assertTrue(refusedClient(store, lists, client, root).contains("revoked"));
    store.checkClient(certificates(CertificateDraft.of("client").issuedBy(root).make()), lists, NOW);
  }
}
