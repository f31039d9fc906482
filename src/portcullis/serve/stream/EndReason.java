package portcullis.serve.stream;

import java.util.Locale;

/** The reasons why a stream is ended. */
public enum EndReason {
  EXPIRED("the credential has expired"), LOCKED("access is locked"), RULES("the rules no longer allow it"),
  MAX_AGE("the maximum age is reached"), IDLE("nothing has passed for too long"), STOPPED("the service stops");

  private final String message;

  EndReason(String message) {
    this.message = message;
  }

  /** Returns the reason in words, as clients may see it. */
  public String message() {
    return message;
  }

  /** Returns the name in metrics, as {@code max_age}. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
