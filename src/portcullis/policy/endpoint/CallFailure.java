package portcullis.policy.endpoint;

/** Why a remote party gave no answer. An outcome, so without stack trace. */
public abstract sealed class CallFailure extends Exception {
  private static final long serialVersionUID = 1;

  private CallFailure(String message) {
    super(message, null, false, false);
  }

  /** The call could not be made: a template did not render, or not to what is needed. */
  public static final class Unsayable extends CallFailure {
    private static final long serialVersionUID = 1;

    public Unsayable(String message) {
      super(message);
    }
  }

  /** The party could not be reached, hung up, or said no HTTP. */
  public static final class Unreachable extends CallFailure {
    private static final long serialVersionUID = 1;

    public Unreachable(String message) {
      super(message);
    }
  }

  /** The party did not answer in time. */
  public static final class TimedOut extends CallFailure {
    private static final long serialVersionUID = 1;

    public TimedOut(String message) {
      super(message);
    }
  }

  /** The credentials for the call could not be had. */
  public static final class Unauthenticated extends CallFailure {
    private static final long serialVersionUID = 1;

    private final boolean timeout;

    public Unauthenticated(String message, boolean timeout) {
      super(message);
      this.timeout = timeout;
    }

    /** Whether who hands them out did not answer in time. */
    public boolean timeout() {
      return timeout;
    }
  }
}
