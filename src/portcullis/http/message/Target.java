package portcullis.http.message;

import java.util.Locale;
import java.util.Optional;

/** The target of a request (RFC 9112, 3.2): a resource by path and query, or the server as a whole. */
public sealed interface Target {
  /** @param path as it was sent; @param query without its question mark, empty for none */
  record Resource(String path, String query) implements Target {
    /** Returns the decoded path, for logs. */
    public String text() {
      return Escapes.text(path, "");
    }
  }

  /** {@code asterisk-form = "*"}, of OPTIONS alone. */
  record Server() implements Target {}

  /**
   * Parses the target of a request line. An absolute one must name the same host as {@code Host}; its scheme does not
   * matter, as the connection decides it.
   *
   * @param host empty if there is no valid one
   * @throws ResponseStatusException if it has another form, a fragment, a blank or a control character
   */
  static Target read(String raw, String method, Optional<Authority> host) throws ResponseStatusException {
    if (raw.equals("*") && method.equals("OPTIONS")) {
      return new Server();
    }
    check(raw);
    if (raw.startsWith("/")) {
      return resource(raw);
    }
    Absolute absolute = absolute(raw);
    String named = absolute.host.comparable(absolute.scheme);
    if (host.isEmpty() || !host.get().comparable(absolute.scheme).equals(named)) {
      throw ResponseStatusException.badRequest("the target names another host than the field Host");
    }
    return absolute.resource;
  }

  /**
   * Parses the original target that a trusted proxy reports: a path with a query, or a URL, of which path and query are
   * used.
   *
   * @throws ResponseStatusException as above, and if it begins with two slashes
   */
  static Resource readForwarded(String raw) throws ResponseStatusException {
    check(raw);
    if (raw.startsWith("//")) {
      throw ResponseStatusException.badRequest("the forwarded URI begins with two slashes");
    }
    return raw.startsWith("/") ? resource(raw) : absolute(raw).resource;
  }

  /**
   * Parses {@code origin-form = absolute-path [ "?" query ]} and nothing else.
   *
   * @throws ResponseStatusException as above, and if it begins with two slashes: some applications read a host behind
   *     them
   */
  static Resource readOrigin(String raw) throws ResponseStatusException {
    check(raw);
    if (!raw.startsWith("/") || raw.startsWith("//")) {
      throw ResponseStatusException.badRequest("the target does not begin with exactly one slash");
    }
    return resource(raw);
  }

  private static void check(String raw) throws ResponseStatusException {
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c <= ' ' || c >= 0x7f || c == '#') {
        throw ResponseStatusException.badRequest(c == '#' ? "the target has a fragment"
            : "the target has a blank, a control or an 8-bit character");
      }
    }
  }

  private static Resource resource(String raw) {
    int mark = raw.indexOf('?');
    return mark < 0 ? new Resource(raw, "") : new Resource(raw.substring(0, mark), raw.substring(mark + 1));
  }

  /** {@code absolute-form = scheme "://" authority path-abempty [ "?" query ]}. */
  record Absolute(String scheme, Authority host, Resource resource) {}

  private static Absolute absolute(String raw) throws ResponseStatusException {
    int colon = raw.indexOf("://");
    String scheme = colon < 0 ? "" : raw.substring(0, colon).toLowerCase(Locale.ROOT);
    if (!scheme.equals("http") && !scheme.equals("https")) {
      throw ResponseStatusException.badRequest("the target is neither an absolute path nor a URL");
    }
    String rest = raw.substring(colon + 3);
    int end = 0;
    while (end < rest.length() && rest.charAt(end) != '/' && rest.charAt(end) != '?') {
      end++;
    }
    Authority host = Authority.parse(rest.substring(0, end))
        .orElseThrow(() -> ResponseStatusException.badRequest("the host of the target is invalid"));
    String path = rest.substring(end);
    return new Absolute(scheme, host, resource(path.startsWith("/") ? path : "/" + path));
  }
}
