package portcullis.policy.authenticator;

import portcullis.policy.endpoint.CallFailure;
import portcullis.policy.endpoint.EndpointRequest;
import portcullis.policy.mechanism.CallFailures;
import portcullis.policy.mechanism.Failure;

/** How calls and those that failed are spoken of. */
final class Outcalls {
  private Outcalls() {}

  /** Where it is asked, for logs: without the query, which may hold secrets. */
  static String address(EndpointRequest ask) {
    return ask.target().toString().replaceFirst("\\?.*", "");
  }

  /** @param party as {@code JWKS endpoint} */
  static Failure failed(CallFailure failure, String party) {
    return switch (failure) {
      case CallFailure.TimedOut f ->
        new Failure.Communication("request to " + party + " timed out", f.getMessage(), true);
      case CallFailure.Unreachable f ->
        new Failure.Communication("request to " + party + " failed", f.getMessage(), false);
      case CallFailure.Unsayable _, CallFailure.Unauthenticated _ -> CallFailures.failed(failure, party);
    };
  }
}
