package portcullis.policy.endpoint;

/** A token and how it is presented, as {@code Bearer}. */
public record AccessToken(String type, String value) {
  /** Without the token itself. */
  @Override
  public String toString() {
    return type;
  }
}
