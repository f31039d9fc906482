package portcullis.policy.route;

/** The scheme a rule is for; compared as written. */
public enum Scheme {
  ANY(""), HTTP("http"), HTTPS("https");

  private final String text;

  Scheme(String text) {
    this.text = text;
  }

  boolean has(String scheme) {
    return this == ANY || text.equals(scheme);
  }

  boolean covers(Scheme other) {
    return this == ANY || this == other;
  }
}
