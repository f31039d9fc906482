package portcullis.crypto.jwt;

/** Whether claims are enough. */
public sealed interface Verdict {
  record Met() implements Verdict {}

  /** @param reason what is not, in one line */
  record Unmet(String reason) implements Verdict {}
}
