package portcullis.policy.decision;

import portcullis.policy.mechanism.Failure;

/** What a failure counts as: the first of these that is anywhere in its chain, internal where none is. */
public enum FailureKind {
  AUTHENTICATION, AUTHORIZATION, COMMUNICATION, PRECONDITION, NO_RULE, INTERNAL;

  public static FailureKind of(Failure failure) {
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
