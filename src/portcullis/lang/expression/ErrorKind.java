package portcullis.lang.expression;

/** The kinds of error that an expression can distinguish, under the name that it compares {@code type(Error)} with. */
public enum ErrorKind {
  AUTHENTICATION("authentication_error"),
  AUTHORIZATION("authorization_error"),
  COMMUNICATION("communication_error"),
  INTERNAL("internal_error"),
  PRECONDITION("precondition_error"),
  TOO_MANY_REQUESTS("too_many_requests_error");

  private final String constant;

  ErrorKind(String constant) {
    this.constant = constant;
  }

  /** Returns its name in expressions. */
  public String constant() {
    return constant;
  }
}
