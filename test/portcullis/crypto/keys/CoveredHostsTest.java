package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;

class CoveredHostsTest {
  @ParameterizedTest
  @CsvSource({"a.example, true", "A.EXAMPLE, true", "b.example, false", "x.wild.example, true", "X.Wild.Example, true",
    "wild.example, false", "y.x.wild.example, false", ".wild.example, false", "example, false", "'', false"})
  void namesMatchWithoutRegardToCase(String host, boolean covered) {
    CoveredHosts hosts = new CoveredHosts(List.of("A.Example", "*.WILD.example"));
    assertEquals(covered, hosts.cover(host));
  }

  @Test
  void onlyDnsNamesCount() {
    TestCertificate certificate = CertificateDraft.of("gate.example")
        .hosts("a.example", "192.0.2.1", "mail@b.example", "spiffe://c.example/x").make();
    assertEquals(List.of("a.example"), CoveredHosts.of(certificate.certificate()).names());
    assertEquals(List.of(), CoveredHosts.of(CertificateDraft.of("gate.example").make().certificate()).names());
  }
}
