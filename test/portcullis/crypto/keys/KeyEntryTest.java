package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.WrappedCertificate;

class KeyEntryTest {
  private static final TestCertificate USUAL = CertificateDraft.of("gate").make();

  private static KeyEntry entry(TestCertificate... chain) {
    return new KeyEntry("k", USUAL.keys().getPrivate(), USUAL.keys().getPublic(),
        List.of(chain).stream().map(TestCertificate::certificate).toList(), Algorithm.ES256);
  }

  private static String refusal(Executable call) {
    return assertThrows(KeyMaterialException.class, call).getMessage();
  }

  @Test
  void aKeySignsUnlessItsOwnCertificateSaysOtherwise() throws KeyMaterialException {
    TestCertificate cipherOnly = CertificateDraft.of("gate").keys(USUAL.keys()).notForSigning().make();
    entry().requireForSigning();
    entry(USUAL, cipherOnly).requireForSigning();
    assertEquals("key `k`: its certificate is not for digital signatures (key usage)",
        refusal(() -> entry(cipherOnly, USUAL).requireForSigning()));
    assertTrue(KeyEntry.allowsSigning(USUAL.certificate()));
    assertFalse(KeyEntry.allowsSigning(cipherOnly.certificate()));
    assertTrue(KeyEntry.allowsSigning(new WrappedCertificate(cipherOnly.certificate()) {
      private static final long serialVersionUID = 1;

      @Override
      public boolean[] getKeyUsage() {
        return null; // no such extension
      }
    }));
  }

  @Test
  void tlsNeedsACertificateThatAllowsIt() throws KeyMaterialException {
    entry(USUAL).requireForTls();
    assertEquals("key `k` is not fit for TLS: no certificate in the file belongs to it",
        refusal(() -> entry().requireForTls()));
    TestCertificate cipherOnly = CertificateDraft.of("gate").keys(USUAL.keys()).notForSigning().make();
    assertEquals("key `k`: its certificate is not for digital signatures (key usage)",
        refusal(() -> entry(cipherOnly).requireForTls()));
  }

  @Test
  void itExpiresWithItsOwnCertificate() {
    TestCertificate root = CertificateDraft.of("root").valid(USUAL.certificate().getNotBefore().toInstant(),
        USUAL.certificate().getNotAfter().toInstant().plusSeconds(60)).make();
    assertEquals(Optional.empty(), entry().expiry());
    assertEquals(Optional.of(USUAL.certificate().getNotAfter().toInstant()), entry(USUAL, root).expiry());
  }

  @Test
  void anotherAlgorithmLeavesAllElse() {
    KeyEntry entry = entry(USUAL);
    KeyEntry other = entry.signing(Algorithm.ES384);
    assertEquals("k (ES256)", entry.toString());
    assertEquals("k (ES384)", other.toString());
    assertSame(entry.privateKey(), other.privateKey());
    assertSame(entry.publicKey(), other.publicKey());
    assertEquals(entry.chain(), other.chain());
    assertEquals(entry.fingerprint(), other.fingerprint());
  }

  @Test
  void theFingerprintChangesWithTheCertificate() {
    assertTrue(entry().fingerprint().matches("[0-9a-f]{64}"));
    assertEquals(entry(USUAL).fingerprint(), entry(USUAL).fingerprint());
    assertNotEquals(entry().fingerprint(), entry(USUAL).fingerprint());
  }

  @Test
  void filesOfAKeyStoreHaveOneSpelling() {
    KeyStoreFiles files = new KeyStoreFiles(Path.of("/a/../b/./k.pem"), Optional.of(Path.of("/a/../b/c.pem")));
    assertEquals(List.of(Path.of("/b/k.pem"), Path.of("/b/c.pem")), files.all());
    assertEquals(List.of(Path.of("").toAbsolutePath().resolve("k.pem")),
        KeyStoreFiles.one(Path.of("x/../k.pem")).all());
    assertEquals(Path.of("").toAbsolutePath().resolve("c.pem"),
        new KeyStoreFiles(Path.of("k.pem"), Optional.of(Path.of("c.pem"))).certificates().orElseThrow());
  }
}
