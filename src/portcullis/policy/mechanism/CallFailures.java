package portcullis.policy.mechanism;

import portcullis.policy.endpoint.CallFailure;

/** Translates failures of endpoint calls into failures of the request that needed them. */
public final class CallFailures {
  private CallFailures() {}

  /** @param service the service that was called, as {@code the authorization endpoint} */
  public static Failure failure(CallFailure failure, String service) {
    return switch (failure) {
      case CallFailure.InvalidRequest f -> new Failure.Internal(f.getMessage());
      case CallFailure.TimedOut f ->
        new Failure.Communication("request to " + service + " timed out", f.getMessage(), true);
      case CallFailure.Unreachable f ->
        new Failure.Communication("request to " + service + " failed", f.getMessage(), false);
      case CallFailure.Exhausted f -> new Failure.Exhausted(f.getMessage());
      case CallFailure.Unauthenticated f -> new Failure.Internal("failed to authenticate request",
          new Failure.Communication(f.getMessage(), f.timeout()));
    };
  }
}
