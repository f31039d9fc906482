package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static portcullis.fixture.DerWriter.oid;
import static portcullis.fixture.DerWriter.sequence;
import static portcullis.fixture.DerWriter.set;
import static portcullis.fixture.DerWriter.text;
import static portcullis.fixture.DerWriter.value;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.security.auth.x500.X500Principal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.fixture.WrappedCertificate;

/** Certificates parts of which are missing, unusual or cannot be read. */
class OddCertificatesTest {
  private static final String CLIENT = "1.3.6.1.5.5.7.3.2";
  private static final String SERVER = "1.3.6.1.5.5.7.3.1";
  private static final String ANY = "2.5.29.37.0";

  private final TestCertificate usual = CertificateDraft.of("orders").hosts("a.test").make();

  /** With that subject, in DER. */
  private X509Certificate named(byte[] subject) {
    return new WrappedCertificate(usual.certificate()) {
      private static final long serialVersionUID = 1;

      @Override
      public X500Principal getSubjectX500Principal() {
        return new X500Principal(subject);
      }
    };
  }

  private static X509Certificate withExtensions(TestCertificate certificate, String hex) {
    return new WrappedCertificate(certificate.certificate()) {
      private static final long serialVersionUID = 1;

      @Override
      public byte[] getExtensionValue(String oid) {
        return HexFormat.of().parseHex(hex);
      }
    };
  }

  private static byte[] commonName(String name) {
    return sequence(oid("2.5.4.3"), text(name));
  }

  @Test
  void namesThatCannotBeReadAreNone() {
    X509Certificate odd = WrappedCertificate.unreadable(usual.certificate());
    assertEquals(List.of("a.test"), CoveredHosts.of(new WrappedCertificate(usual.certificate())).names());
    assertEquals(List.of(), CoveredHosts.of(odd).names());
    assertEquals("the alternative names of the certificate cannot be read",
        assertThrows(KeyMaterialException.class, () -> ClientIdentity.of(odd)).getMessage());
  }

  @Test
  void thumbprintsAreThoseOfTheEncodedCertificate() throws Exception {
    byte[] digest = MessageDigest.getInstance("SHA-256").digest(usual.der());
    assertEquals(Base64Url.text(digest), ClientIdentity.thumbprint(usual.certificate()));
    assertEquals(Base64Url.text(digest), ClientIdentity.of(usual.certificate()).thumbprint());
    X509Certificate odd = WrappedCertificate.unreadable(usual.certificate());
    assertEquals("the certificate cannot be encoded",
        assertThrows(KeyMaterialException.class, () -> ClientIdentity.thumbprint(odd)).getMessage());
  }

  @Test
  void clientsHaveNoPurposeOrTheirsOrAny() {
    assertTrue(Certificates.isForClients(usual.certificate()));
    for (String purpose : List.of(CLIENT, ANY)) {
      assertTrue(Certificates.isForClients(
          CertificateDraft.of("a").purposes(SERVER, purpose).make().certificate()), purpose);
    }
    assertFalse(Certificates.isForClients(CertificateDraft.of("a").purposes(SERVER).make().certificate()));
    assertFalse(Certificates.isForClients(WrappedCertificate.unreadable(usual.certificate())));
  }

  @Test
  void theCommonNameIsTheOnlyOne() throws Exception {
    byte[] unit = sequence(oid("2.5.4.11"), text("unit"));
    assertEquals(Optional.of("a"),
        ClientIdentity.of(named(sequence(set(commonName("a")), set(unit)))).commonName());
    assertEquals(Optional.of("a"), ClientIdentity.of(named(sequence(set(unit, commonName("a"))))).commonName());
    for (byte[] subject : List.of(sequence(set(commonName("a")), set(commonName("b"))),
        sequence(set(commonName("a"), commonName("b"))), sequence(set(unit)), sequence(),
        sequence(set(commonName(""))))) {
      assertEquals(Optional.empty(), ClientIdentity.of(named(subject)).commonName());
    }
  }

  /** A UniversalString, which nobody writes. */
  @Test
  void aCommonNameOfAnotherTypeIsNone() throws Exception {
    byte[] name = value(0x1C, "\0\0\0a".getBytes(StandardCharsets.US_ASCII));
    assertEquals(Optional.empty(),
        ClientIdentity.of(named(sequence(set(sequence(oid("2.5.4.3"), name))))).commonName());
  }

  /** No octet string around it; around nothing; around an empty sequence. */
  @ParameterizedTest
  @CsvSource({"0500", "0400", "04023000"})
  void keyIdsThatCannotBeReadAreNone(String extension) {
    TestCertificate root = CertificateDraft.authority("root");
    TestCertificate namesake = CertificateDraft.authority("root");
    X509Certificate odd = withExtensions(CertificateDraft.of("leaf").issuedBy(root).make(), extension);
    assertEquals(Optional.empty(), Certificates.subjectKeyId(odd));
    assertEquals(Optional.of(root.certificate()),
        Certificates.issuer(odd, List.of(namesake.certificate(), root.certificate())));
    assertEquals(Optional.empty(),
        Certificates.issuer(odd, List.of(CertificateDraft.authority("other").certificate())));
  }

  @Test
  void fingerprintsAreThoseOfTheKeyAndAllCertificates() throws Exception {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    digest.update(usual.certificate().getPublicKey().getEncoded());
    assertEquals(HexFormat.of().formatHex(((MessageDigest) digest.clone()).digest()),
        Certificates.fingerprint(usual.certificate().getPublicKey(), List.of()));
    TestCertificate other = CertificateDraft.authority("other");
    digest.update(usual.der());
    digest.update(other.der());
    assertEquals(HexFormat.of().formatHex(digest.digest()), Certificates
        .fingerprint(usual.certificate().getPublicKey(), List.of(usual.certificate(), other.certificate())));
  }
}
