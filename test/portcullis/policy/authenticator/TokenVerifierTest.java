package portcullis.policy.authenticator;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import portcullis.config.Enforcement;
import portcullis.crypto.keys.Algorithm;
import portcullis.fixture.StubService;
import portcullis.lang.value.Value;
import portcullis.policy.endpoint.CallOptions;
import portcullis.policy.endpoint.Endpoint;
import portcullis.policy.mechanism.MechanismContext;

class TokenVerifierTest {
  /** With a lifetime of zero nothing is kept of the issuer. */
  @ParameterizedTest
  @CsvSource({"600, true", "0, false"})
  void aVerifiedTokenIsRememberedAsLongAsItsKeysAre(long life, boolean remembered) throws Exception {
    Issuer issuer = Issuer.of("k");
    try (Bench bench = new Bench(); StubService stub = new StubService(_ -> StubService.ok(Issuer.jwks(issuer)))) {
      TokenVerifier verifier = new TokenVerifier(new JwkTrust(false, Optional.empty()));
      KeyLifetimes times = new KeyLifetimes(Duration.ofSeconds(life), Duration.ZERO);
      MechanismContext context = bench.context(Enforcement.NONE);
      KeyEndpoint endpoint = new KeyEndpoint(Endpoint.at(URI.create(stub.url("/k")), CallOptions.DEFAULT),
          Value.Dict.EMPTY, times.life(), context);
      String token = issuer.token("{\"sub\":\"ann\"}");
      Instant now = bench.clock.instant();
      assertEquals(false, verifier.read(token, now).remembered().isPresent());
      verifier.verify(verifier.read(token, now), endpoint, times, Set.of(Algorithm.ES256), context);
      assertEquals(remembered, verifier.read(token, now).remembered().isPresent());
      verifier.forget();
      assertEquals(false, verifier.read(token, now).remembered().isPresent());
    }
  }
}
