package portcullis.policy.route;

import java.util.ArrayList;
import java.util.List;

/**
 * A route as it is written, for people.
 *
 * @param hosts names, {@code *.name} for those below one, patterns, or {@code *} for all
 * @param methods in alphabetical order; none for all
 * @param scheme empty for both
 */
public record ListedRoute<V>(List<String> hosts, String path, List<String> methods, String scheme, V value) {
  public ListedRoute {
    hosts = List.copyOf(hosts);
    methods = List.copyOf(methods);
  }

  static <V> ListedRoute<V> of(IndexedRoute<V> route) {
    RouteShape.Terms terms = route.form().terms();
    List<String> hosts = new ArrayList<>(route.hosts());
    if (!terms.hostTexts().isEmpty()) {
      hosts.remove(HostKeys.ANY);
      terms.hostTexts().forEach(pattern -> hosts.add(switch (pattern) {
        case StringPattern.Exact(String value) -> value;
        case StringPattern.Globbed(Glob glob) -> glob.toString();
        case StringPattern.Found found -> "/" + found.regex() + "/";
      }));
    }
    String scheme = switch (terms.scheme()) {
      case HTTP -> "http";
      case HTTPS -> "https";
      case ANY -> "";
    };
    return new ListedRoute<>(hosts, route.written().text(),
        terms.methods().isAny() ? List.of() : terms.methods().names().stream().sorted().toList(), scheme,
        route.value());
  }
}
