package portcullis.policy.decision;

import portcullis.policy.mechanism.Failure;

/** The kind of a failure: the first of these that occurs in its chain, or internal. */
public enum FailureKind {
  EXHAUSTED, AUTHENTICATION, AUTHORIZATION, COMMUNICATION, PRECONDITION, NO_RULE, INTERNAL;

  public static FailureKind of(Failure failure) {
    if (failure.find(Failure.Exhausted.class).isPresent()) {
      return EXHAUSTED;
    }
    if (failure.find(Failure.Authentication.class).isPresent()) {
      return AUTHENTICATION;
    }
    if (failure.find(Failure.Authorization.class).isPresent()) {
      return AUTHORIZATION;
    }
    if (failure.find(Failure.Communication.class).isPresent()) {
      return COMMUNICATION;
    }
    if (failure.find(Failure.Precondition.class).isPresent()) {
      return PRECONDITION;
    }
    return failure.find(Failure.NoRule.class).isPresent() ? NO_RULE : INTERNAL;
  }
}
