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
      case 'p' -> is("password", name, at) || is("passwd", name, at) || is("passphrase", name, at)
          || is("pwd", name, at) || is("principal", name, at) || isWord("pass", name, at) || isWord("pin", name, at);
      case 's' -> is("secret", name, at) || is("session", name, at) || is("sig", name, at) || is("saml", name, at)
          || isWord("sid", name, at) || is("sec-websocket-protocol", name, at);
      case 't' -> is("token", name, at) || is("ticket", name, at);
      default -> false;
    };
  }

  private static boolean is(String part, String name, int at) {
    return at + 1 < name.length() && (name.charAt(at + 1) | 0x20) == part.charAt(1)
        && name.regionMatches(true, at, part, 0, part.length());
  }

  /** Returns whether it is there, and not as a part of another word, as {@code pin} in {@code shipping}. */
  private static boolean isWord(String word, String name, int at) {
    int end = at + word.length();
    return is(word, name, at) && (at == 0 || !Character.isLetterOrDigit(name.charAt(at - 1)))
        && (end == name.length() || !Character.isLetterOrDigit(name.charAt(end)));
  }
}
