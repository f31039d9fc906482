package portcullis.policy.event;

/** Why a logout token or a security event is refused. The message has no part of a token but its names. */
public final class EventRefusal extends Exception {
  private static final long serialVersionUID = 1;

  private final Code code;

  /** The error codes of responses to transmitters (RFC 8935, 2.4). */
  public enum Code {
    /** It cannot be parsed, or the event is not as its definition says. */
    INVALID_REQUEST,
    /** The key or the algorithm of its signature is not acceptable. */
    INVALID_KEY,
    /** Its issuer is not one of those configured. */
    INVALID_ISSUER,
    /** It has another audience. */
    INVALID_AUDIENCE,
    /** Its signature is not that of its issuer. */
    AUTHENTICATION_FAILED,
    /** It may be sent again: keys cannot be fetched, or the lock cannot be made now. */
    UNAVAILABLE
  }

  public EventRefusal(Code code, String message) {
    super(message, null, false, false);
    this.code = code;
  }

  static EventRefusal invalid(String message) {
    return new EventRefusal(Code.INVALID_REQUEST, message);
  }

  public Code code() {
    return code;
  }
}
