package portcullis.policy.authenticator;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import portcullis.crypto.jwt.ClaimsValidator;
import portcullis.crypto.jwt.Expectations;
import portcullis.crypto.jwt.TokenException;
import portcullis.lang.value.Value;
import portcullis.policy.endpoint.CallOptions;
import portcullis.policy.endpoint.Endpoint;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;

/** Verifies tokens that a provider sends itself, with the keys that it publishes. Thread safe. */
public final class IssuedTokens {
  private static final KeyLifetimes TIMES = new KeyLifetimes(Duration.ofMinutes(10), Duration.ofHours(1));

  private final TokenVerifier verifier = new TokenVerifier(new JwkTrust(false, Optional.empty()));

  /**
   * Returns the claims of a token whose signature and claims are as expected.
   *
   * @param keys the JWKS endpoint of the provider
   * @throws Failure.Authentication if the token is not accepted
   */
  public Value.Dict claims(String token, URI keys, CallOptions options, Expectations expected,
      MechanismContext context) throws Failure {
    try {
      KeyEndpoint endpoint = new KeyEndpoint(Endpoint.at(keys, options), Value.Dict.EMPTY, TIMES.life(), context);
      Value.Dict claims = verifier.verify(verifier.read(token, context.clock().instant()), endpoint, TIMES,
          expected.allowedAlgorithms(), context).claims();
      ClaimsValidator.check(claims, expected, context.clock().instant());
      return claims;
    } catch (TokenException | ClaimsValidator.InvalidClaimException e) {
      throw new Failure.Authentication("invalid token of the provider: " + e.getMessage());
    }
  }

  /** Discards the keys and tokens that earlier requests left behind. */
  public void forget() {
    verifier.forget();
  }
}
