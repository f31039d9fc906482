package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.TestKeys;

class CertificatesTest {
  private static final Instant NOW = Instant.now();
  private static final Instant YEAR_AGO = NOW.minus(Duration.ofDays(365));
  private static final Instant YESTERDAY = NOW.minus(Duration.ofDays(1));
  private static final Instant TOMORROW = NOW.plus(Duration.ofDays(1));

  private final TestCertificate root = CertificateDraft.authority("root");
  private final TestCertificate middle = CertificateDraft.of("middle").forAuthority().issuedBy(root).make();
  private final TestCertificate leaf = CertificateDraft.of("leaf").issuedBy(middle).make();

  private static List<?> chain(KeyPair keys, TestCertificate... pool) throws KeyMaterialException {
    return Certificates.chain(keys.getPublic(), Arrays.stream(pool).map(TestCertificate::certificate).toList(), NOW);
  }

  private static List<?> of(TestCertificate... expected) {
    return Arrays.stream(expected).map(TestCertificate::certificate).toList();
  }

  private static String refusal(KeyPair keys, TestCertificate... pool) {
    return assertThrows(KeyMaterialException.class, () -> chain(keys, pool)).getMessage();
  }

  @Test
  void findsTheChainInAnyOrder() throws KeyMaterialException {
    TestCertificate stranger = CertificateDraft.authority("root");
    List<TestCertificate> pool = new ArrayList<>(List.of(leaf, middle, root, stranger));
    for (int i = 0; i < 30; i++) {
      Collections.shuffle(pool, new Random(i));
      assertEquals(of(leaf, middle, root), chain(leaf.keys(), pool.toArray(TestCertificate[]::new)));
    }
    assertEquals(of(leaf, middle), chain(leaf.keys(), middle, leaf));
    assertEquals(of(leaf), chain(leaf.keys(), root, leaf));
    assertEquals(List.of(), chain(TestKeys.ec(256), root, middle, leaf));
  }

  @Test
  void anIssuerWithANewKeyIsFollowedToItsOldOne() throws KeyMaterialException {
    TestCertificate renewed = CertificateDraft.of("root").forAuthority().issuedBy(root).make();
    TestCertificate issued = CertificateDraft.of("gate").issuedBy(renewed).make();
    assertEquals(of(issued, renewed, root), chain(issued.keys(), root, renewed, issued));
  }

  @Test
  void findsIssuersByNameWhereThereAreNoKeyIds() throws KeyMaterialException {
    TestCertificate issuer = CertificateDraft.of("issuer").forAuthority().withoutKeyIds().make();
    TestCertificate renewed = CertificateDraft.of("issuer").forAuthority().withoutKeyIds().make();
    TestCertificate plain = CertificateDraft.of("plain").withoutKeyIds().issuedBy(renewed).make();
    assertEquals(of(plain, renewed), chain(plain.keys(), issuer, plain, renewed));
  }

  @Test
  void chainsOfClientsHaveUpToTenCertificates() throws KeyMaterialException {
    List<String> ten = Collections.nCopies(10, "one");
    assertEquals(ten, CertificateChains.bounded(ten));
    assertEquals("the chain has more than 10 certificates", assertThrows(KeyMaterialException.class,
        () -> CertificateChains.bounded(Collections.nCopies(11, "one"))).getMessage());
  }

  @Test
  void takesTheCertificateThatIsValidNow() throws KeyMaterialException {
    TestCertificate old = CertificateDraft.of("gate").valid(YEAR_AGO, YESTERDAY).make();
    TestCertificate current = CertificateDraft.of("gate").keys(old.keys()).make();
    assertEquals(of(current), chain(old.keys(), old, current));
  }

  @Test
  void refusesCertificatesOutOfTheirTime() {
    TestCertificate old = CertificateDraft.of("gate").valid(YEAR_AGO, YESTERDAY).make();
    assertEquals("certificate `CN=gate` (serial " + old.certificate().getSerialNumber() + ") expired at "
        + old.certificate().getNotAfter().toInstant(), refusal(old.keys(), old));
    TestCertificate early = CertificateDraft.of("gate").valid(TOMORROW, TOMORROW.plusSeconds(1)).make();
    assertEquals("certificate `CN=gate` (serial " + early.certificate().getSerialNumber() + ") is not valid before "
        + early.certificate().getNotBefore().toInstant(), refusal(early.keys(), early));
    TestCertificate oldRoot = CertificateDraft.of("old").forAuthority().valid(YEAR_AGO, YESTERDAY).make();
    TestCertificate issued = CertificateDraft.of("new").issuedBy(oldRoot).make();
    assertEquals("certificate `CN=old` (serial " + oldRoot.certificate().getSerialNumber() + ") expired at "
        + oldRoot.certificate().getNotAfter().toInstant(), refusal(issued.keys(), issued, oldRoot));
  }

  @Test
  void refusesIssuersThatAreNone() {
    TestCertificate noAuthority = CertificateDraft.of("no authority").make();
    TestCertificate issued = CertificateDraft.of("leaf").issuedBy(noAuthority).make();
    TestCertificate above = CertificateDraft.of("no authority").keys(noAuthority.keys()).issuedBy(root).make();
    assertEquals("certificate `CN=no authority` (serial " + above.certificate().getSerialNumber()
        + ") does not fit the chain to "
        + "certificate `CN=root` (serial " + root.certificate().getSerialNumber() + "): CA key usage check failed: "
        + "keyCertSign bit is not set", refusal(issued.keys(), issued, above, root));
    TestCertificate namesake = CertificateDraft.of("middle").forAuthority().withoutKeyIds().make();
    assertEquals("certificate `CN=leaf` (serial " + leaf.certificate().getSerialNumber() + ") does not fit the chain "
        + "to "
        + "certificate `CN=middle` (serial " + namesake.certificate().getSerialNumber() + "): signature check failed",
        refusal(leaf.keys(), leaf, namesake));
  }

  @Test
  void chainsAreFollowedBetweenCertificatesOfOneKey() throws KeyMaterialException {
    TestCertificate again = CertificateDraft.of("again").keys(root.keys()).forAuthority().issuedBy(root).make();
    assertEquals(of(again, root), chain(root.keys(), again, root));
  }

  @Test
  void namesDecideWhereOnlyOneOfTheTwoHasAKeyId() throws KeyMaterialException {
    TestCertificate bare = CertificateDraft.of("bare").forAuthority().withoutKeyIds().make();
    TestCertificate issued = CertificateDraft.of("issued").issuedBy(bare).make();
    assertEquals(of(issued, bare), chain(issued.keys(), root, issued, bare));
    TestCertificate plain = CertificateDraft.of("plain").withoutKeyIds().issuedBy(root).make();
    assertEquals(of(plain, root), chain(plain.keys(), bare, plain, root));
  }

  @Test
  void authoritiesThatIssuedEachOtherAreFollowedOnce() throws KeyMaterialException {
    TestCertificate first = CertificateDraft.authority("first");
    TestCertificate second = CertificateDraft.of("second").forAuthority().issuedBy(first).make();
    TestCertificate back = CertificateDraft.of("first").keys(first.keys()).forAuthority().issuedBy(second).make();
    TestCertificate issued = CertificateDraft.of("issued").issuedBy(second).make();
    assertEquals(of(issued, second, back), chain(issued.keys(), issued, second, back));
  }

  /** The time is the given one, not that of the host. */
  @Test
  void oldChainsAreRightAtTheirTime() throws KeyMaterialException {
    TestCertificate oldRoot = CertificateDraft.of("old root").forAuthority().valid(YEAR_AGO, YESTERDAY).make();
    TestCertificate old = CertificateDraft.of("old").issuedBy(oldRoot).valid(YEAR_AGO, YESTERDAY).make();
    List<X509Certificate> pool = List.of(oldRoot.certificate(), old.certificate());
    assertEquals(of(old, oldRoot),
        Certificates.chain(old.keys().getPublic(), pool, YESTERDAY.minus(Duration.ofDays(7))));
  }

  private static RevocationLists lists(Path folder, String pem) throws Exception {
    return RevocationLists.read(Files.writeString(folder.resolve("list.pem"), pem));
  }

  @Test
  void revokedCertificatesAreRefusedWhereThereAreLists(@TempDir Path folder) throws Exception {
    TestCertificate issued = CertificateDraft.of("issued").issuedBy(root).make();
    TestCertificate other = CertificateDraft.of("other").issuedBy(root).make();
    List<X509Certificate> path = List.of(issued.certificate());
    RevocationLists it = lists(folder, CertificateDraft.revocations(root, YESTERDAY, TOMORROW, issued));
    RevocationLists another = lists(folder, CertificateDraft.revocations(root, YESTERDAY, TOMORROW, other));
    Certificates.check(path, root.certificate(), RevocationLists.NONE, NOW);
    Certificates.check(path, root.certificate(), another, NOW);
    Certificates.check(List.of(), root.certificate(), it, NOW);
    String message = assertThrows(KeyMaterialException.class,
        () -> Certificates.check(path, root.certificate(), it, NOW)).getMessage();
    assertTrue(message.startsWith("certificate `CN=issued` (serial ") && message.contains("revoked"), message);
    RevocationLists foreign = lists(folder, CertificateDraft.revocations(middle, YESTERDAY, TOMORROW));
    assertThrows(KeyMaterialException.class, () -> Certificates.check(path, root.certificate(), foreign, NOW));
    Certificates.check(path, root.certificate(), foreign.and(another), NOW);
  }

  @Test
  void listsOfBothCount(@TempDir Path folder) throws Exception {
    RevocationLists one = lists(folder, CertificateDraft.revocations(root, YESTERDAY, TOMORROW));
    RevocationLists two = lists(folder, CertificateDraft.revocations(middle, YESTERDAY, TOMORROW));
    assertEquals(List.of(one.lists().getFirst(), two.lists().getFirst()), one.and(two).lists());
    assertEquals(two, RevocationLists.NONE.and(two));
    assertEquals(one, one.and(RevocationLists.NONE));
    assertTrue(RevocationLists.NONE.isEmpty() && !one.isEmpty());
  }

  @Test
  void chainsAreReadFromPemAndDer() throws KeyMaterialException {
    assertEquals(of(leaf, middle), CertificateChains.ofPem(leaf.pem() + middle.pem()));
    assertEquals(of(leaf, middle), CertificateChains.ofDer(List.of(leaf.der(), middle.der())));
    assertThrows(KeyMaterialException.class, () -> CertificateChains.ofPem(leaf.pem().repeat(11)));
    assertThrows(KeyMaterialException.class, () -> CertificateChains.ofDer(Collections.nCopies(11, leaf.der())));
    assertThrows(KeyMaterialException.class, () -> CertificateChains.ofDer(List.of(new byte[1])));
  }
}
