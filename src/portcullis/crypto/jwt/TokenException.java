package portcullis.crypto.jwt;

/** Why a token is refused. The message has no part of the token but its key id. An outcome, so without stack trace. */
public final class TokenException extends Exception {
  private static final long serialVersionUID = 1;
  private static final int LONGEST_SHOWN = 100;

  private final Kind kind;

  public enum Kind {
    /** The string is not a token, or has a form that is not supported. */
    MALFORMED,
    /** No key, or no single one, is known for it; a fresher key set may have it. */
    UNKNOWN_KEY,
    /** Its algorithm is not acceptable. */
    REFUSED,
    /** Its signature is not that of the key that it names. */
    BAD_SIGNATURE
  }

  TokenException(Kind kind, String message) {
    super(message, null, false, false);
    this.kind = kind;
  }

  static TokenException malformed(String why) {
    return new TokenException(Kind.MALFORMED, "failed to parse JWT: " + why);
  }

  static TokenException unknownKey(String message) {
    return new TokenException(Kind.UNKNOWN_KEY, message);
  }

  static TokenException refused(String message) {
    return new TokenException(Kind.REFUSED, message);
  }

  static TokenException badSignature() {
    return new TokenException(Kind.BAD_SIGNATURE, "failed to verify JWT signature");
  }

  public Kind kind() {
    return kind;
  }

  /** Returns unverified input in a form fit for messages: short and on one line. */
  static String shown(String text) {
    String start = text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "…";
    return start.replaceAll("\\p{Cntrl}", "?");
  }
}
