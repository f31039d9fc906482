package portcullis.verify;

/**
 * What is wrong with an audit chain.
 *
 * @param at the file and line; empty if it is in none
 * @param first and last the numbers of the lines concerned
 */
public record AuditFinding(Kind kind, String at, long first, long last, String text) {
  /** The kind of damage to the log. */
  public enum Kind {
    EDITED("edited"), DELETED("deleted"), SWAPPED("swapped"), INSERTED("inserted"), TRUNCATED("truncated"), FORGED(
        "forged"),
    UNSIGNED("unsigned");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    public String text() {
      return text;
    }
  }
}
