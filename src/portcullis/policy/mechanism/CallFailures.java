package portcullis.policy.mechanism;

import portcullis.policy.endpoint.CallFailure;

/** What a failed call means for the request that needed it. */
public final class CallFailures {
  private CallFailures() {}

  /** @param party whom the call was for, as {@code authorization endpoint} */
  public static Failure failed(CallFailure failure, String party) {
    return switch (failure) {
      case CallFailure.Unsayable f -> new Failure.Internal(f.getMessage());
      case CallFailure.TimedOut f ->
        new Failure.Communication("request to the " + party + " timed out", f.getMessage(), true);
      case CallFailure.Unreachable f ->
        new Failure.Communication("request to the " + party + " failed", f.getMessage(), false);
      case CallFailure.Unauthenticated f -> new Failure.Internal("failed to authenticate request",
          new Failure.Communication(f.getMessage(), f.timeout()));
    };
  }
}
