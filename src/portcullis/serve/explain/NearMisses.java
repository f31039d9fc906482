package portcullis.serve.explain;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import portcullis.http.message.Request;
import portcullis.lang.source.Nearest;
import portcullis.policy.route.Comparison;
import portcullis.policy.route.HostPattern;
import portcullis.policy.route.Lookup;
import portcullis.policy.route.Match;
import portcullis.policy.route.RouteIndex;
import portcullis.policy.rule.Rule;

/** Finds rules that would match if a request had another method, host, scheme or path. */
public final class NearMisses {
  private static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");
  private static final int MOST = 3;
  private static final int MOST_PATHS = 10_000;

  private final RouteIndex<Rule> rules;
  private final Lookup lookup;

  public NearMisses(RouteIndex<Rule> rules, Request request) {
    this.rules = rules;
    this.lookup = new Lookup(request.url().scheme(), request.method(), request.url().host().host(),
        request.url().host().port(), request.path().canonical());
  }

  /** Returns clauses like {@code `my page` would for GET and HEAD}, at most three of each kind. */
  public List<String> found() {
    List<String> out = new ArrayList<>();
    if (rules.values().isEmpty()) {
      out.add("there are no rules");
      return out;
    }
    methods().forEach((rule, methods) -> out.add(rule + " would for " + listed(methods)));
    String scheme = lookup.scheme().equals("http") ? "https" : "http";
    find(new Lookup(scheme, lookup.method(), lookup.host(), lookup.port(), lookup.path()))
        .ifPresent(rule -> out.add(rule + " would for the scheme " + scheme));
    hosts().forEach((rule, hosts) -> out.add(rule + " would for the host " + listed(hosts)));
    if (out.isEmpty()) {
      path().ifPresent(out::add);
    }
    return out;
  }

  private Map<String, Set<String>> methods() {
    Map<String, Set<String>> out = new LinkedHashMap<>();
    for (String method : METHODS) {
      find(new Lookup(lookup.scheme(), method, lookup.host(), lookup.port(), lookup.path()))
          .filter(rule -> out.containsKey(rule) || out.size() < MOST)
          .ifPresent(rule -> out.computeIfAbsent(rule, _ -> new LinkedHashSet<>()).add(method));
    }
    return out;
  }

  private Map<String, Set<String>> hosts() {
    Map<String, Set<String>> out = new LinkedHashMap<>();
    for (Rule rule : rules.values()) {
      for (HostPattern host : rule.hosts()) {
        String name = "";
        int port = lookup.port();
        if (host instanceof HostPattern.Exact exact) {
          name = exact.name();
          port = exact.port();
        } else if (host instanceof HostPattern.Subdomains below) {
          name = "www." + below.suffix();
          port = below.port();
        }
        if (!name.isEmpty() && out.size() < MOST) {
          String shown = name + (port == 0 ? "" : ":" + port);
          rules.find(new Lookup(lookup.scheme(), lookup.method(), name, port, lookup.path())).map(Match::value)
              .filter(found -> found.is(rule))
              .ifPresent(_ -> out.computeIfAbsent("`" + rule.id() + "`", _ -> new TreeSet<>()).add(shown));
        }
      }
    }
    return out;
  }

  private Optional<String> path() {
    String path = lookup.path();
    Optional<Match<Rule>> otherCase = rules.find(lookup, new Comparison(true, false));
    if (otherCase.isPresent()) {
      return Optional.of("`" + otherCase.get().value().id() + "` would if letter case made no difference: its path is `"
          + otherCase.get().path().text() + "`");
    }
    Optional<String> slash = path.equals("/") ? Optional.empty()
        : Optional.of(path.endsWith("/") ? path.substring(0, path.length() - 1) : path + "/");
    Set<String> others = new TreeSet<>();
    rules.paths().stream().limit(MOST_PATHS).map(pattern -> filled(pattern, path))
        .filter(other -> !other.contains("//")).forEach(others::add);
    return slash.flatMap(this::with).or(() -> Nearest.of(path, others).flatMap(this::with));
  }

  private Optional<String> with(String path) {
    return find(new Lookup(lookup.scheme(), lookup.method(), lookup.host(), lookup.port(), path))
        .map(rule -> rule + " would for the path `" + path + "`");
  }

  /** Returns a path that has the literals of the pattern, and the segments of the request in place of its wildcards. */
  private static String filled(String pattern, String path) {
    String[] wanted = pattern.split("/", -1);
    String[] given = path.split("/", -1);
    List<String> out = new ArrayList<>();
    for (int i = 0; i < wanted.length; i++) {
      boolean rest = wanted[i].startsWith("**") && i < given.length && !given[i].isEmpty();
      if (rest) {
        out.addAll(List.of(given).subList(i, given.length));
      } else if (wanted[i].startsWith(":") || wanted[i].startsWith("*")) {
        out.add(i < given.length && !given[i].isEmpty() ? given[i] : "x");
      } else {
        out.add(wanted[i]);
      }
    }
    return String.join("/", out);
  }

  private Optional<String> find(Lookup other) {
    return rules.find(other).map(match -> "`" + match.value().id() + "`");
  }

  private static String listed(Collection<String> words) {
    List<String> all = words.stream().limit(METHODS.size()).toList();
    return all.size() == 1 ? all.getFirst()
        : all.subList(0, all.size() - 1).stream().collect(Collectors.joining(", ")) + " and " + all.getLast();
  }
}
