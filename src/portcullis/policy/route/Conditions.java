package portcullis.policy.route;

import java.util.List;

/**
 * The conditions of a rule on a request besides its path; immutable.
 *
 * @param hosts none for every host. Of the exact ones and wildcards one must fit if there are any, and of the globs and
 *     regular expressions too
 */
public record Conditions(Scheme scheme, MethodSet methods, List<HostPattern> hosts, EncodedSlashes slashes) {
  public Conditions {
    hosts = List.copyOf(hosts);
  }

  /** Returns the hosts that are compared as strings. */
  List<StringPattern> hostTexts() {
    return hosts.isEmpty() ? List.of()
        : hosts.stream().filter(HostPattern.Matching.class::isInstance)
            .map(host -> ((HostPattern.Matching) host).pattern()).toList();
  }
}
