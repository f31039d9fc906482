package portcullis.policy.endpoint;

import portcullis.lang.source.Redaction;

/**
 * Thrown when a call to a remote service has no response; an expected outcome, so without stack trace. The message is
 * logged, and what others wrote into it may repeat a secret.
 */
public abstract sealed class CallFailure extends Exception {
  private static final long serialVersionUID = 1;

  private CallFailure(String message) {
    super(Redaction.of(message), null, false, false);
  }

  /** The request could not be built: a template failed or rendered something invalid. */
  public static final class InvalidRequest extends CallFailure {
    private static final long serialVersionUID = 1;

    public InvalidRequest(String message) {
      super(message);
    }
  }

  /** The service could not be reached, closed the connection or sent invalid HTTP. */
  public static final class Unreachable extends CallFailure {
    private static final long serialVersionUID = 1;

    public Unreachable(String message) {
      super(message);
    }
  }

  /** The service did not respond in time. */
  public static final class TimedOut extends CallFailure {
    private static final long serialVersionUID = 1;

    public TimedOut(String message) {
      super(message);
    }
  }

  /** The memory for parsing in the whole process is exhausted for now. */
  public static final class Exhausted extends CallFailure {
    private static final long serialVersionUID = 1;

    public Exhausted(String message) {
      super(message);
    }
  }

  /** The credentials for the call could not be obtained. */
  public static final class Unauthenticated extends CallFailure {
    private static final long serialVersionUID = 1;

    private final boolean timeout;

    public Unauthenticated(String message, boolean timeout) {
      super(message);
      this.timeout = timeout;
    }

    /** Returns whether their issuer did not respond in time. */
    public boolean timeout() {
      return timeout;
    }
  }
}
