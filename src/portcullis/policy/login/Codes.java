package portcullis.policy.login;

import java.util.regex.Pattern;

/** Error codes of providers (RFC 6749, 5.2), for logs and pages. */
final class Codes {
  private static final Pattern CODE = Pattern.compile("[A-Za-z0-9_.-]{1,64}");
  /** What a description does not have (RFC 6749, 5.2). */
  private static final Pattern UNPRINTABLE = Pattern.compile("[^ -~]");
  private static final int MOST = 200;

  private Codes() {}

  /** Returns the code, or a general one if it is not what a code looks like. */
  static String shown(String code) {
    return CODE.matcher(code).matches() ? code : "unknown_error";
  }

  /**
   * Returns the code and the description of an error, for logs.
   *
   * @param secret what a description must not repeat
   */
  static String reason(String code, String description, String secret) {
    boolean repeats = !secret.isEmpty() && description.contains(secret);
    if (description.isBlank() || repeats) {
      return shown(code);
    }
    String plain = UNPRINTABLE.matcher(description).replaceAll("?").strip();
    return shown(code) + ": " + (plain.length() > MOST ? plain.substring(0, MOST) + "…" : plain);
  }
}
