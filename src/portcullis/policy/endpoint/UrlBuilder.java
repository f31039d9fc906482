package portcullis.policy.endpoint;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * Builds a URL from literal text and rendered values; for one thread. Values are escaped where they would change the
 * structure: in a path {@code ? #}, in a query {@code #}, in the value of a parameter {@code &}, everywhere what a URL
 * cannot contain (RFC 3986, 2 and 3). Existing escapes are kept.
 */
final class UrlBuilder {
  /** {@code pchar / "/"} and {@code %}, which is looked at (RFC 3986, 3.3). */
  private static final String PATH = "-._~!$&'()*+,;=:@/%";
  private static final String QUERY = PATH + "?";
  private static final String VALUE = QUERY.replace("&", "");

  private static final Pattern PLACE = Pattern
      .compile("(?=.{1,261}$)([A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*\\.?|\\[[0-9A-Fa-f:.]+\\])(:[0-9]{1,5})?");
  private static final Pattern PART_OF_NAME = Pattern.compile("[A-Za-z0-9_-]+");
  private static final Pattern PARTS_OF_NAME = Pattern.compile("[A-Za-z0-9._-]+");
  private static final Pattern DOTS = Pattern.compile("(?i)(/|%2f|%5c)(\\.|%2e){1,2}(;[^/]*)?(/|%2f|%5c|$)");

  private final StringBuilder out = new StringBuilder();
  /** The positions of the host, the path and the query; -1 before they begin. */
  private int host = -1;
  private int path = -1;
  private int query = -1;
  private boolean fragment;
  private boolean hostEndedByData;

  /** Appends literal text. */
  void write(String text) throws CallFailure {
    if (text.isEmpty() || fragment) {
      return;
    }
    if (hostEndedByData && "/?#".indexOf(text.charAt(0)) < 0) {
      throw refused("a path is inserted inside the host");
    }
    hostEndedByData = false;
    String rest = host < 0 ? scheme(text) : text;
    writePath(path < 0 ? authority(rest) : rest);
  }

  private String authority(String text) {
    int end = 0;
    while (end < text.length() && "/?#".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    out.append(text, 0, end);
    path = end < text.length() ? out.length() : -1;
    return text.substring(end);
  }

  /** Appends to path or query; a fragment is dropped, as it is never sent. */
  private void writePath(String text) {
    int end = text.indexOf('#');
    fragment = end >= 0;
    append(fragment ? text.substring(0, end) : text, QUERY);
    query = query < 0 && path >= 0 ? out.indexOf("?", path) : query;
  }

  private String scheme(String text) throws CallFailure {
    int end = text.indexOf("://");
    if (end < 0) {
      throw refused("the scheme is not literal");
    }
    out.append(text, 0, end + 3);
    host = end + 3;
    return text.substring(end + 3);
  }

  /** Appends a rendered value. */
  void fillIn(String text) throws CallFailure {
    if (text.isEmpty() || fragment) {
      return;
    }
    if (text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
      throw refused("the inserted value contains a control character");
    }
    if (path < 0) {
      fillInHost(text);
    } else {
      append(text, query < 0 ? PATH : isValue() ? VALUE : QUERY);
    }
  }

  /** Returns whether the name of a parameter is complete. */
  private boolean isValue() {
    return out.lastIndexOf("=") > Math.max(out.lastIndexOf("&"), query);
  }

  /** Appends to the host, or begins the path after it. */
  private void fillInHost(String text) throws CallFailure {
    int slash = text.indexOf('/');
    String place = slash < 0 ? text : text.substring(0, slash);
    if (!mayStand(place, slash >= 0)) {
      throw refused("the inserted value is not valid in a host");
    }
    out.append(place);
    if (slash >= 0) {
      path = out.length();
      hostEndedByData = true;
      append(text.substring(slash), PATH);
    }
  }

  private boolean mayStand(String place, boolean pathFollows) {
    if (out.length() == host) {
      return PLACE.matcher(place).matches();
    }
    char last = out.charAt(out.length() - 1);
    boolean whole = Character.isLetterOrDigit(last) || last == ']';
    return place.isEmpty() ? whole : !pathFollows && (whole ? PART_OF_NAME : PARTS_OF_NAME).matcher(place).matches();
  }

  private void append(String text, String allowed) {
    for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
      int c = text.codePointAt(at);
      boolean stays = c < 0x80 && (Character.isLetterOrDigit(c) || allowed.indexOf(c) >= 0)
          && (c != '%' || isEscape(text, at));
      if (stays) {
        out.append((char) c);
      } else {
        escape(c);
      }
    }
  }

  private static boolean isEscape(String text, int at) {
    return at + 2 < text.length() && Character.digit(text.charAt(at + 1), 16) >= 0
        && Character.digit(text.charAt(at + 2), 16) >= 0;
  }

  private void escape(int c) {
    for (byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8)) {
      out.append('%').append(Character.toUpperCase(Character.forDigit(b >> 4 & 15, 16)))
          .append(Character.toUpperCase(Character.forDigit(b & 15, 16)));
    }
  }

  /** Returns the URL. */
  URI url() throws CallFailure {
    String text = out.toString();
    int end = path < 0 ? text.length() : path;
    if (!PLACE.matcher(text.substring(host, end)).matches()) {
      throw refused("it has no host");
    }
    if (DOTS.matcher(text.substring(end, query < 0 ? text.length() : query)).find()) {
      throw refused("its path holds a dot segment");
    }
    return Urls.parse(text).orElseThrow(() -> refused("it is not a URL"));
  }

  private static CallFailure refused(String why) {
    return new CallFailure.InvalidRequest("failed to render URL for the endpoint: " + why);
  }
}
