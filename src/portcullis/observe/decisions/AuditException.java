package portcullis.observe.decisions;

/** An event that cannot be recorded, so that it must not happen. Without stack trace: a full disk is expected. */
public final class AuditException extends Exception {
  private static final long serialVersionUID = 1;

  public AuditException(String message) {
    super(message, null, false, false);
  }
}
