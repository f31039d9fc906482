package portcullis.policy.decision;

import java.util.Optional;
import portcullis.lang.expression.ErrorKind;
import portcullis.policy.mechanism.Failure;

/** The kind of a failure: the first of these that occurs in its chain, or internal. */
public enum FailureKind {
  EXHAUSTED(Optional.of(ErrorKind.INTERNAL), "", "memory for parsing is exhausted for now: the client may try again"),
  TOO_MANY_REQUESTS(Optional.of(ErrorKind.TOO_MANY_REQUESTS), "too_many_requests_error",
      "a limit is exceeded: the client may try again later"),
  UNAVAILABLE(Optional.of(ErrorKind.INTERNAL), "",
      "locks of other instances are unknown, and `fleet.on_outage` is `deny`: the client may try again"),
  AUTHENTICATION(Optional.of(ErrorKind.AUTHENTICATION), "authentication_error",
      "the request has no valid credentials"),
  AUTHORIZATION(Optional.of(ErrorKind.AUTHORIZATION), "authorization_error", "the subject is not allowed to do this"),
  COMMUNICATION(Optional.of(ErrorKind.COMMUNICATION), "communication_error",
      "a remote service or the upstream cannot be reached, or answers with an error"),
  PRECONDITION(Optional.of(ErrorKind.PRECONDITION), "precondition_error",
      "the request lacks something that a step requires, or has it in a wrong form"),
  NO_RULE(Optional.empty(), "no_rule_error", "no rule matches, and there is no default rule"),
  INTERNAL(Optional.of(ErrorKind.INTERNAL), "internal_error",
      "a template or expression fails, or a remote service answers with what cannot be used");

  private final Optional<ErrorKind> kind;
  private final String key;
  private final String meaning;

  FailureKind(Optional<ErrorKind> kind, String key, String meaning) {
    this.kind = kind;
    this.key = key;
    this.meaning = meaning;
  }

  /** Returns its name in conditions of error handlers; empty if it never reaches one. */
  public Optional<String> constant() {
    return kind.map(ErrorKind::constant);
  }

  /** Returns the key of its status in {@code serve.respond.with}; empty if the status is fixed. */
  public Optional<String> key() {
    return Optional.of(key).filter(name -> !name.isEmpty());
  }

  /** Returns when it occurs, a clause for help. */
  public String meaning() {
    return meaning;
  }

  public static FailureKind of(Failure failure) {
    if (failure.find(Failure.Exhausted.class).isPresent()) {
      return EXHAUSTED;
    }
    if (failure.find(Failure.TooManyRequests.class).isPresent()) {
      return TOO_MANY_REQUESTS;
    }
    if (failure.find(Failure.Unavailable.class).isPresent()) {
      return UNAVAILABLE;
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
