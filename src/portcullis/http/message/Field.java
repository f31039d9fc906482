package portcullis.http.message;

/** One line of a header or trailer section, as it was or will be written; the value without blanks around it. */
public record Field(String name, String value) {
  /** Returns whether it has that name; letter case plays no part (RFC 9110, 5.1). */
  public boolean is(String other) {
    return name.equalsIgnoreCase(other);
  }
}
