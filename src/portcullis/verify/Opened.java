package portcullis.verify;

/**
 * How two requests are decided: without credentials, or where that makes no difference for a user without attributes.
 *
 * @param anonymous whether it is without credentials
 * @param usual how the first is decided
 * @param allowed how the second is
 */
record Opened(boolean anonymous, AccessCheck.Decided usual, AccessCheck.Decided allowed) {
  static Opened of(AccessCheck check, Probe first, Probe second) {
    Opened plain = new Opened(true, check.anonymous(first), check.anonymous(second));
    return plain.isMore() ? plain : new Opened(false, check.authenticated(first), check.authenticated(second));
  }

  /** Returns whether the second lets in whom the first refuses. */
  boolean isMore() {
    return allowed.access().compareTo(usual.access()) > 0;
  }

  /** Returns of whom the requests are. */
  String who() {
    return anonymous ? "without credentials" : "authenticated";
  }
}
