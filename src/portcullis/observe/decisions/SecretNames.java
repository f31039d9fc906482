package portcullis.observe.decisions;

/** Recognizes names of header fields, cookies and parameters whose values are probably secret. */
public final class SecretNames {
  private SecretNames() {}

  /** Returns whether a name suggests that its value is secret. */
  public static boolean has(String name) {
    for (int at = 0; at < name.length(); at++) {
      if (hasAt(name, at)) {
        return true;
      }
    }
    return false;
  }

  /** Tries only the parts that begin with the character: this is done for each field of each logged request. */
  private static boolean hasAt(String name, int at) {
    return switch (name.charAt(at) | 0x20) {
      case 'a' -> is("auth", name, at) || is("assertion", name, at);
      case 'b' -> is("bearer", name, at);
      case 'd' -> is("dpop", name, at);
      case 'j' -> is("jwt", name, at);
      case 'o' -> is("oidc-data", name, at) || is("otp", name, at);
      case 'c' -> is("cookie", name, at) || is("credential", name, at) || is("code", name, at) || is("csrf", name, at);
      case 'k' -> is("key", name, at);
      case 'p' -> is("password", name, at) || is("passwd", name, at) || is("passphrase", name, at);
      case 's' -> is("secret", name, at) || is("session", name, at) || is("sig", name, at);
      case 't' -> is("token", name, at) || is("ticket", name, at);
      default -> false;
    };
  }

  private static boolean is(String part, String name, int at) {
    return at + 1 < name.length() && (name.charAt(at + 1) | 0x20) == part.charAt(1)
        && name.regionMatches(true, at, part, 0, part.length());
  }
}
