package portcullis.policy.login;

import java.util.regex.Pattern;

/** Error codes of providers (RFC 6749, 5.2), for logs and pages. */
final class Codes {
  private static final Pattern CODE = Pattern.compile("[A-Za-z0-9_.-]{1,64}");

  private Codes() {}

  /** Returns the code, or a general one if it is not what a code looks like. */
  static String shown(String code) {
    return CODE.matcher(code).matches() ? code : "unknown_error";
  }
}
