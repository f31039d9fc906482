package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import portcullis.crypto.keys.ClientIdentity;
import portcullis.fixture.CertificateDraft;
import portcullis.fixture.WrappedCertificate;
import portcullis.http.message.PeerCertificates;
import portcullis.http.message.Request;

class BoundCertificateTest {
  private static Request request(String token, X509Certificate certificate) {
    return Bench.request("/a?x=1", "", "Authorization", "Bearer " + token)
        .with(new PeerCertificates(() -> List.of(certificate), Optional.empty(), false));
  }

  @Test
  void aCertificateThatCannotBeEncodedIsNotThatOfAToken() throws Exception {
    Issuer issuer = Issuer.of("k1");
    X509Certificate own = CertificateDraft.of("own").make().certificate();
    String token = issuer.token("{\"iss\":\"a\",\"sub\":\"ann\",\"cnf\":{\"x5t#S256\":\""
        + ClientIdentity.thumbprint(own) + "\"}}");
    try (Bench bench = new Bench(); StubIssuer stub = new StubIssuer()) {
      stub.answer("/jwks", Issuer.jwks(issuer));
      Bench.Made<?> made = bench.make(JwtAuthenticator.TYPE,
          "{jwks_endpoint: {url: '" + stub.url("/jwks") + "'}, assertions: {issuers: [a]}}");
      assertEquals("ann", made.outcome(request(token, own)));
      assertEquals("authentication error: the certificate cannot be encoded",
          made.outcome(request(token, WrappedCertificate.unreadable(own))));
    }
  }
}
