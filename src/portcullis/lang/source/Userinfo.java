package portcullis.lang.source;

/** Finds the user and the password in front of the host of a URL, and hides them. */
final class Userinfo {
  private static final String HIDDEN = "***";
  private static final String SCHEME_END = "://";

  private Userinfo() {}

  /** Returns the text without what is between {@code ://} and the last {@code @} before the path. */
  static String without(String text) {
    return without(text, "/?# \t\n`\"'<>");
  }

  private static String without(String text, String ends) {
    StringBuilder out = new StringBuilder();
    int from = 0;
    for (int at = text.indexOf(SCHEME_END); at >= 0; at = text.indexOf(SCHEME_END, from)) {
      int begin = at + SCHEME_END.length();
      int end = begin;
      int sign = -1;
      while (end < text.length() && ends.indexOf(text.charAt(end)) < 0) {
        sign = text.charAt(end) == '@' ? end : sign;
        end++;
      }
      out.append(text, from, begin).append(sign < 0 ? "" : HIDDEN);
      from = sign < 0 ? begin : sign;
    }
    return out.append(text, from, text.length()).toString();
  }

  /**
   * Returns a text about a configuration without userinfo, also where that has characters that a URL cannot have, and
   * where the scheme is missing.
   */
  static String withoutAny(String text) {
    return withoutScheme(without(withUnescaped(text), "/?# \t\n`"));
  }

  /**
   * Hides what ends at the last {@code @} of a value whose host would have a port that is no number: it is a user with
   * a password that has a slash, a question mark, a number sign or a blank.
   */
  private static String withUnescaped(String text) {
    StringBuilder out = new StringBuilder();
    int from = 0;
    for (int at = text.indexOf(SCHEME_END); at >= 0; at = text.indexOf(SCHEME_END, at)) {
      at += SCHEME_END.length();
      int colon = at;
      while (colon < text.length() && ":@/?#`\"'<> \t\n".indexOf(text.charAt(colon)) < 0) {
        colon++;
      }
      if (colon < text.length() && text.charAt(colon) == ':' && !isPort(text, colon + 1)) {
        int tick = text.indexOf('`', colon);
        int end = tick < 0 ? text.length() : tick;
        int sign = text.lastIndexOf('@', end - 1);
        if (sign > colon) {
          out.append(text, from, at).append(HIDDEN);
          from = sign;
        }
        at = end;
      }
    }
    return out.append(text, from, text.length()).toString();
  }

  /** Returns whether a number is there that the end of the text, or of a host and its port, follows. */
  private static boolean isPort(String text, int from) {
    int at = from;
    while (at < text.length() && at - from <= 5 && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
      at++;
    }
    return at > from && (at == text.length() || "/?#`\"'<>,)]} \t\n".indexOf(text.charAt(at)) >= 0);
  }

  /** Hides {@code user:password} in front of a host without a scheme, and a user behind {@code //}. */
  private static String withoutScheme(String text) {
    StringBuilder out = new StringBuilder();
    int from = 0;
    for (int sign = text.indexOf('@'); sign >= 0; sign = text.indexOf('@', from)) {
      int begin = sign;
      while (begin > from && !isDelimiter(text.charAt(begin - 1))) {
        begin--;
      }
      int last = sign;
      int end = sign;
      while (end < text.length() && !isDelimiter(text.charAt(end))) {
        last = text.charAt(end) == '@' ? end : last;
        end++;
      }
      int user = userStart(text, begin, last);
      out.append(text, from, user < 0 ? end : user);
      out.append(user < 0 ? "" : HIDDEN).append(user < 0 ? "" : text.substring(last, end));
      from = end;
    }
    return out.append(text, from, text.length()).toString();
  }

  private static boolean isDelimiter(char c) {
    return c <= ' ' || "`\"'<>()[]{},;=".indexOf(c) >= 0;
  }

  /** Returns where the userinfo begins that ends at {@code sign}; -1 where it is none. */
  private static int userStart(String text, int begin, int sign) {
    int slash = text.lastIndexOf('/', sign);
    int user = slash < begin ? begin : slash + 1;
    boolean authority = user - 2 >= begin && text.charAt(user - 2) == '/';
    int colon = text.indexOf(':', user);
    boolean password = colon > user && colon < sign - 1;
    boolean hidden = text.startsWith(HIDDEN, user) && user + HIDDEN.length() == sign;
    return user < sign && !hidden && (authority || password) ? user : -1;
  }
}
