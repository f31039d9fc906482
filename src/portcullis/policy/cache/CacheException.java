package portcullis.policy.cache;

/** Thrown when a cache cannot be used now, so that it is not known what it has. */
public final class CacheException extends Exception {
  private static final long serialVersionUID = 1;

  public CacheException(String message) {
    super(message, null, false, false);
  }
}
