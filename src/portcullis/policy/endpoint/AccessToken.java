package portcullis.policy.endpoint;

/** An access token and its type, as {@code Bearer}. */
public record AccessToken(String type, String value) {
  /** Returns a description without the token itself. */
  @Override
  public String toString() {
    return type;
  }
}
