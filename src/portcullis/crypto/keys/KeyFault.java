package portcullis.crypto.keys;

/**
 * A file, key or certificate that cannot be used. The message is fit for a configuration problem, as
 * {@code key store `x.pem`: entry 2 (line 14, `EC PRIVATE KEY`): …}, and never holds a secret. An outcome, so without
 * stack trace.
 */
public final class KeyFault extends Exception {
  private static final long serialVersionUID = 1;

  public KeyFault(String message) {
    super(message, null, false, false);
  }

  /** The same fault, said to be in that place. */
  KeyFault in(String place) {
    return new KeyFault(place + ": " + getMessage());
  }
}
