package portcullis.lang.template;

import java.util.Locale;
import portcullis.lang.value.ValueException;

/**
 * A URL, parsed and written as Go's net/url does.
 *
 * @param user name and password, decoded; empty for none
 * @param path decoded
 * @param rawPath with its escapes; empty where escaping the decoded path gives the same
 */
public record UrlText(String scheme, String opaque, User user, String host, String path, String rawPath, String query,
    boolean emptyQuery, String fragment) {
  /** The userinfo. */
  public record User(boolean present, String name, boolean hasPassword, String password) {
    public static final User NONE = new User(false, "", false, "");

    /** Returns the escaped userinfo. */
    public String text() {
      return UrlPart.USER.escaped(name)
          + (hasPassword ? ":" + UrlPart.USER.escaped(password) : "");
    }
  }

  /** Parses a URL. */
  public static UrlText read(String text) throws ValueException {
    if (text.chars().anyMatch(c -> c < ' ' || c == 127)) {
      throw new ValueException("the URL has a control character");
    }
    int hash = text.indexOf('#');
    String fragment = hash < 0 ? "" : UrlPart.FRAGMENT.unescaped(text.substring(hash + 1));
    String bare = hash < 0 ? text : text.substring(0, hash);
    int schemeEnd = schemeEnd(bare);
    String scheme = bare.substring(0, schemeEnd).toLowerCase(Locale.ROOT);
    String rest = schemeEnd == 0 ? bare : bare.substring(schemeEnd + 1);
    int mark = rest.indexOf('?');
    String query = mark < 0 ? "" : rest.substring(mark + 1);
    boolean emptyQuery = mark >= 0 && query.isEmpty();
    return read(scheme, mark < 0 ? rest : rest.substring(0, mark), query, emptyQuery, fragment);
  }

  /** Returns the length of the scheme, 0 if there is none. */
  private static int schemeEnd(String text) throws ValueException {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
      if (c == ':') {
        if (i == 0) {
          throw new ValueException("the URL lacks a scheme before its colon");
        }
        return i;
      }
      if (!letter && (i == 0 || "0123456789+-.".indexOf(c) < 0)) {
        return 0;
      }
    }
    return 0;
  }

  private static UrlText read(String scheme, String rest, String query, boolean emptyQuery, String fragment)
      throws ValueException {
    if (!rest.startsWith("/")) {
      if (!scheme.isEmpty()) {
        return new UrlText(scheme, rest, User.NONE, "", "", "", query, emptyQuery, fragment);
      }
      if (rest.split("/", 2)[0].contains(":")) {
        throw new ValueException("the first segment of the URL's path has a colon");
      }
    }
    boolean hasAuthority = rest.startsWith("//") && (!scheme.isEmpty() || !rest.startsWith("///"));
    int slash = hasAuthority ? rest.indexOf('/', 2) : 0;
    String authority = hasAuthority ? rest.substring(2, slash < 0 ? rest.length() : slash) : "";
    String rawPath = slash < 0 ? "" : rest.substring(slash);
    int at = authority.lastIndexOf('@');
    return new UrlText(scheme, "", user(authority.substring(0, Math.max(at, 0)), at >= 0),
        host(authority.substring(at + 1)),
        "", "", query, emptyQuery, fragment).withPath(rawPath);
  }

  /** Returns the URL with an escaped path. */
  public UrlText withPath(String escaped) throws ValueException {
    String decoded = UrlPart.PATH.unescaped(escaped);
    String raw = UrlPart.PATH.escaped(decoded).equals(escaped) ? "" : escaped;
    return new UrlText(scheme, opaque, user, host, decoded, raw, query, emptyQuery, fragment);
  }

  /** Returns the escaped path, as it was written where that is valid. */
  public String escapedPath() {
    return !rawPath.isEmpty() && UrlPart.isEscapedPath(rawPath) ? rawPath
        : path.equals("*") ? "*" : UrlPart.PATH.escaped(path);
  }

  /** Returns the escaped fragment. */
  public String escapedFragment() {
    return UrlPart.FRAGMENT.escaped(fragment);
  }

  /** {@code name[:password]} */
  static User user(String text, boolean present) throws ValueException {
    if (!text.chars()
        .allMatch(c -> c < 128 && (Character.isLetterOrDigit(c) || "-._:~!$&'()*+,;=%@".indexOf(c) >= 0))) {
      throw new ValueException("the URL has an invalid character in its userinfo");
    }
    int colon = text.indexOf(':');
    String name = UrlPart.USER.unescaped(colon < 0 ? text : text.substring(0, colon));
    return new User(present, name, colon >= 0,
        colon < 0 ? "" : UrlPart.USER.unescaped(text.substring(colon + 1)));
  }

  private static String host(String text) throws ValueException {
    int bracket = text.startsWith("[") ? text.lastIndexOf(']') : -1;
    if (text.startsWith("[") && bracket < 0) {
      throw new ValueException("the URL's host lacks its closing bracket");
    }
    int colon = text.indexOf(':', bracket + 1);
    String port = bracket >= 0 ? text.substring(bracket + 1) : colon < 0 ? "" : text.substring(colon);
    if (!port.isEmpty() && !(port.startsWith(":") && port.substring(1).chars().allMatch(c -> c >= '0' && c <= '9'))) {
      throw new ValueException("the URL has an invalid port");
    }
    return UrlPart.HOST.unescaped(text);
  }

  /** Returns the host without port and brackets. */
  public String hostname() {
    int bracket = host.indexOf(']');
    int colon = host.indexOf(':');
    return bracket >= 0 ? host.substring(host.startsWith("[") ? 1 : 0, bracket)
        : colon < 0 ? host : host.substring(0, colon);
  }

  /** Returns the whole URL. */
  public String text() {
    StringBuilder out = new StringBuilder(scheme.isEmpty() ? "" : scheme + ":");
    if (opaque.isEmpty()) {
      hierarchy(out);
    } else {
      out.append(opaque);
    }
    out.append(emptyQuery || !query.isEmpty() ? "?" + query : "");
    return out.append(fragment.isEmpty() ? "" : "#" + escapedFragment()).toString();
  }

  private void hierarchy(StringBuilder out) {
    String shown = escapedPath();
    if (!host.isEmpty() || user.present || !scheme.isEmpty() && !path.isEmpty()) {
      out.append("//").append(user.present ? user.text() + "@" : "").append(UrlPart.HOST.escaped(host));
    }
    if (!shown.isEmpty() && !shown.startsWith("/") && !host.isEmpty()) {
      out.append('/');
    }
    if (out.isEmpty() && shown.split("/", 2)[0].contains(":")) {
      out.append("./");
    }
    out.append(shown);
  }
}
