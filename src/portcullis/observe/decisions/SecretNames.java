package portcullis.observe.decisions;

import java.util.List;
import java.util.Locale;

/** Recognizes names of header fields, cookies and parameters whose values are probably secret. */
public final class SecretNames {
  private static final List<String> PARTS = List.of("auth", "cookie", "token", "key", "secret", "session", "password",
      "credential", "assertion", "code", "sig", "csrf");

  private SecretNames() {}

  /** Returns whether a name suggests that its value is secret. */
  public static boolean has(String name) {
    String small = name.toLowerCase(Locale.ROOT);
    for (String part : PARTS) {
      if (small.contains(part)) {
        return true;
      }
    }
    return false;
  }
}
