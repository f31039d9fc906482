package portcullis.serve.bundle;

/** A bundle that cannot be used; the message says why. An expected outcome, so without stack trace. */
public final class BundleException extends Exception {
  private static final long serialVersionUID = 1;

  public BundleException(String message) {
    super(message, null, false, false);
  }
}
