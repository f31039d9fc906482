package portcullis.policy.cache;

import java.time.Duration;

/** Remembers what may be used only once, until it expires by itself. Thread safe. */
public interface UsedOnce {
  /**
   * Records a use.
   *
   * @param owner who has a share of the memory
   * @param time until it expires
   * @return whether it is the first use
   * @throws UnknownException if that is not known
   */
  boolean isFirst(CacheKey key, String owner, Duration time) throws UnknownException;

  /** Thrown if it is not known whether something was used before; then it must not be accepted. */
  final class UnknownException extends Exception {
    private static final long serialVersionUID = 1;

    private final boolean full;

    /** @param full whether memory is short, so that the client may try again */
    public UnknownException(String message, boolean full) {
      super(message, null, false, false);
      this.full = full;
    }

    public boolean full() {
      return full;
    }
  }
}
