package portcullis.crypto.keys;

/**
 * A file, key or certificate that cannot be used. The message is fit for a configuration problem, as
 * {@code key store `x.pem`: entry 2 (line 14, `EC PRIVATE KEY`): …}, and never holds a secret. An outcome, so without
 * stack trace.
 */
public final class KeyMaterialException extends Exception {
  private static final long serialVersionUID = 1;

  public KeyMaterialException(String message) {
    super(message, null, false, false);
  }

  /** Returns the same error with its place. */
  KeyMaterialException in(String place) {
    return new KeyMaterialException(place + ": " + getMessage());
  }
}
