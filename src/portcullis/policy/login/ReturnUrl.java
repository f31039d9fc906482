package portcullis.policy.login;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import portcullis.http.message.Authority;
import portcullis.http.message.Request;

/** Decides where a login or logout may return to: a path of the requested host, or a URL of an allowed host. */
final class ReturnUrl {
  static final String HOME = "/";
  private static final int LONGEST = 2000;

  private ReturnUrl() {}

  /** Returns the URL that was requested, as a path of its host; the home page if it is too long to come back to. */
  static String of(Request request) {
    String query = request.url().query();
    String path = request.path().spelling() + (query.isEmpty() ? "" : "?" + query);
    return allowed(path, request, Set.of()).orElse(HOME);
  }

  /** Returns the URL if it may be returned to; empty for all that could lead to another site. */
  static Optional<String> allowed(String url, Request request, Set<String> hosts) {
    boolean isPlain = url.length() <= LONGEST && url.chars().allMatch(c -> c > ' ' && c < 0x7f && c != '\\');
    if (!isPlain) {
      return Optional.empty();
    }
    if (url.startsWith("/")) {
      return url.startsWith("//") || url.startsWith(LoginEndpoints.PREFIX) ? Optional.empty() : Optional.of(url);
    }
    String scheme = request.url().scheme() + "://";
    if (!url.startsWith(scheme)) {
      return Optional.empty();
    }
    int end = scheme.length();
    while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
      end++;
    }
    String host = url.substring(scheme.length(), end).toLowerCase(Locale.ROOT);
    boolean known = hosts.contains(host) || host.equals(request.url().host().toString());
    return known && Authority.parse(host).isPresent() ? Optional.of(url) : Optional.empty();
  }
}
