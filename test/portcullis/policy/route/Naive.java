package portcullis.policy.route;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The meaning of rules said a second time, on their texts, by looking at every rule: slow, and plain enough to trust.
 */
final class Naive {
  /** A rule with one path; empty texts are conditions that were left out. */
  record Rule(String id, String host, String path, String scheme, List<String> methods, String parameter, String value,
      EncodedSlashes slashes) {
    RuleText text() {
      RuleText text = RuleText.rule(id).slashes(slashes).methods(methods.toArray(String[]::new))
          .scheme(scheme.isEmpty() ? Scheme.ANY : Scheme.valueOf(scheme.toUpperCase(java.util.Locale.ROOT)));
      if (!host.isEmpty()) {
        text.host(host);
      }
      if (!parameter.isEmpty()) {
        text.where(parameter, PathParameter.Type.EXACT, value);
      }
      return text.path(path);
    }
  }

  private Naive() {}

  /** The id of the rule for a request and its captures as the rule shows them, or {@code -}. */
  static String found(List<Rule> rules, Lookup request) {
    Optional<Rule> best = rules.stream().filter(rule -> fits(rule, request))
        .min(Comparator.comparing((Rule rule) -> -specificity(rule.host())).thenComparing(rule -> kinds(rule.path())));
    return best.map(rule -> rule.id() + shown(rule, captures(parts(rule.path()), parts(request.path()),
        new TreeMap<>()).orElseThrow())).orElse("-");
  }

  static boolean fits(Rule rule, Lookup request) {
    Optional<TreeMap<String, String>> captures = captures(parts(rule.path()), parts(request.path()), new TreeMap<>());
    return hostFits(rule.host(), request.port() == 0 ? request.host() : request.host() + ":" + request.port(),
        request.scheme()) && captures.isPresent()
        && (rule.scheme().isEmpty() || rule.scheme().equals(request.scheme()))
        && (rule.methods().isEmpty() || rule.methods().contains(request.method()))
        && (rule.parameter().isEmpty() || valueFits(rule, captures.get().get(rule.parameter()), request.path()));
  }

  private static TreeMap<String, String> shown(Rule rule, TreeMap<String, String> captures) {
    captures.replaceAll((name, text) -> rule.slashes() == EncodedSlashes.ON ? text.replace("%2F", "/") : text);
    return captures;
  }

  private static boolean valueFits(Rule rule, String capture, String path) {
    return switch (rule.slashes()) {
      case OFF -> !path.contains("%2F") && capture.equals(rule.value());
      case ON -> capture.replace("%2F", "/").equals(rule.value());
      case NO_DECODE -> capture.equals(rule.value());
    };
  }

  private static boolean hostFits(String pattern, String host, String scheme) {
    String defaultPort = scheme.equals("https") ? ":443" : ":80";
    String whole = host.contains(":") ? host : host + defaultPort;
    if (pattern.isEmpty() || pattern.equals("*")) {
      return true;
    }
    String wanted = pattern.contains(":") ? pattern : pattern + defaultPort;
    return wanted.startsWith("*") ? whole.endsWith(wanted.substring(1)) && whole.length() > wanted.length() - 1
        : whole.equals(wanted);
  }

  /** Exact before wildcards, longer wildcards before shorter ones, a written port before none. */
  private static int specificity(String host) {
    if (host.isEmpty() || host.equals("*")) {
      return 0;
    }
    int port = host.contains(":") ? 1 : 0;
    return port + (host.startsWith("*") ? 2 * host.replaceAll(":.*", "").length() : 1000);
  }

  /** Of two paths that fit, the one that comes first in this order is the more specific. */
  private static String kinds(String path) {
    StringBuilder out = new StringBuilder();
    parts(path).forEach(part -> out.append(part.startsWith("*") ? 'c' : part.startsWith(":") ? 'b' : 'a'));
    return out.toString();
  }

  private static List<String> parts(String path) {
    return List.of(path.substring(1).split("/", -1));
  }

  private static Optional<TreeMap<String, String>> captures(List<String> pattern, List<String> path,
      TreeMap<String, String> found) {
    if (pattern.isEmpty() || path.isEmpty()) {
      return pattern.isEmpty() && path.isEmpty() ? Optional.of(found) : Optional.empty();
    }
    String part = pattern.getFirst();
    boolean rest = part.startsWith("*");
    String taken = rest ? String.join("/", path) : path.getFirst();
    boolean wild = rest || part.startsWith(":");
    if (wild ? taken.isEmpty() : !part.equals(taken)) {
      return Optional.empty();
    }
    if (wild && !part.substring(1).equals("*")) {
      found.put(part.substring(1), taken);
    }
    return rest ? Optional.of(found)
        : captures(pattern.subList(1, pattern.size()), path.subList(1, path.size()), found);
  }

  /** Whether the rules claim the same requests, as rules of two sources must not. */
  static boolean areInConflict(Rule one, Rule two) {
    return (hostCovers(one.host(), two.host()) || hostCovers(two.host(), one.host()))
        && (pathCovers(parts(one.path()), parts(two.path())) || pathCovers(parts(two.path()), parts(one.path())));
  }

  private static boolean hostCovers(String wide, String narrow) {
    if (wide.isEmpty() || wide.equals("*")) {
      return true;
    }
    String portless = narrow.replaceAll(":(80|443)$", "");
    return wide.equals(narrow) || wide.equals(portless)
        || wide.startsWith("*.") && List.of(narrow, portless).stream().anyMatch(n -> n.endsWith(wide.substring(1))
            && !n.equals(wide.substring(2)));
  }

  private static boolean pathCovers(List<String> wide, List<String> narrow) {
    if (wide.isEmpty() || narrow.isEmpty()) {
      return wide.isEmpty() && narrow.isEmpty();
    }
    String one = wide.getFirst();
    String two = narrow.getFirst();
    if (one.startsWith("*")) {
      return narrow.size() > 1 || !two.isEmpty();
    }
    boolean covers = one.startsWith(":") ? !two.isEmpty() && !two.startsWith("*") : one.equals(two);
    return covers && pathCovers(wide.subList(1, wide.size()), narrow.subList(1, narrow.size()));
  }
}
