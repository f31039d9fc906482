package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.crypto.keys.ClientIdentity;
import portcullis.crypto.keys.TrustStore;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.TestCertificate;
import portcullis.policy.authenticator.VerifiedClients.Evidence;

class VerifiedClientsTest {
  private static final Instant NOW = Instant.parse("2026-03-04T05:06:07Z");
  private static final X509Certificate CLIENT = valid(Duration.ofDays(1));
  private static final Evidence TRUST = evidence(CertificateDraft.authority("root"));

  private final VerifiedClients clients = new VerifiedClients();

  private static X509Certificate valid(Duration time) {
    return CertificateDraft.of("client").valid(NOW.minusSeconds(9), NOW.plus(time)).make().certificate();
  }

  private static Evidence evidence(TestCertificate root) {
    return new Evidence(new TrustStore(List.of(root.certificate())), List.of());
  }

  private void keep(X509Certificate... chain) throws Exception {
    clients.keep(List.of(chain), TRUST, ClientIdentity.of(chain[0]), NOW);
  }

  private boolean isKnown(Duration after, X509Certificate... chain) {
    return clients.find(List.of(chain), TRUST, NOW.plus(after)).isPresent();
  }

  @Test
  void areKnownForAMinute() throws Exception {
    keep(CLIENT);
    assertEquals(Optional.of(ClientIdentity.of(CLIENT)), clients.find(List.of(CLIENT), TRUST, NOW));
    assertEquals(true, isKnown(Duration.ofMinutes(1).minusNanos(1), CLIENT));
    assertEquals(false, isKnown(Duration.ofMinutes(1), CLIENT));
    assertEquals(false, isKnown(Duration.ofNanos(-1), CLIENT), "the clock was set back");
  }

  @Test
  void areNotKnownLongerThanAnyCertificateOfTheChainIsValid() throws Exception {
    X509Certificate brief = valid(Duration.ofSeconds(20));
    keep(CLIENT, brief);
    assertEquals(true, isKnown(Duration.ofSeconds(20).minusNanos(1), CLIENT, brief));
    assertEquals(false, isKnown(Duration.ofSeconds(20), CLIENT, brief));
    keep(brief, CLIENT);
    assertEquals(false, isKnown(Duration.ofSeconds(20), brief, CLIENT));
  }

  @Test
  void areKnownWithTheSameChainAndEvidenceOnly() throws Exception {
    keep(CLIENT);
    assertEquals(false, isKnown(Duration.ZERO, CLIENT, CLIENT));
    assertEquals(Optional.empty(),
        clients.find(List.of(CLIENT), evidence(CertificateDraft.authority("other")), NOW));
    clients.clear();
    assertEquals(false, isKnown(Duration.ZERO, CLIENT));
  }

  @Test
  void theLeastRecentlyUsedOfMoreThan1024IsForgotten() throws Exception {
    for (int length = 1; length <= 1024; length++) {
      keep(Collections.nCopies(length, CLIENT).toArray(X509Certificate[]::new));
    }
    assertEquals(true, isKnown(Duration.ZERO, CLIENT), "and is the most recently used one now");
    keep(Collections.nCopies(1025, CLIENT).toArray(X509Certificate[]::new));
    assertEquals(true, isKnown(Duration.ZERO, CLIENT));
    assertEquals(false, isKnown(Duration.ZERO, CLIENT, CLIENT));
    assertEquals(true, isKnown(Duration.ZERO, CLIENT, CLIENT, CLIENT));
  }
}
