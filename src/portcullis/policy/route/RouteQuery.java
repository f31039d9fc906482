package portcullis.policy.route;

import java.util.ArrayList;
import java.util.List;

/** A request split up for the lookup of its rule. */
record RouteQuery(Lookup lookup, SplitPath path, HostName host) {
  static RouteQuery of(Lookup lookup, Comparison how) {
    String path = how.anyCase() ? CaseFolding.folded(lookup.path()) : lookup.path();
    return new RouteQuery(lookup, new SplitPath(path), HostName.of(lookup.host(), how.anyPort() ? 0 : lookup.port()));
  }

  /** Returns whether one of the patterns fits one of the spellings of the host, or there is none. */
  boolean hostFits(List<StringPattern> patterns) {
    if (patterns.isEmpty()) {
      return true;
    }
    List<String> spellings = spellings();
    return patterns.stream().anyMatch(pattern -> spellings.stream().anyMatch(pattern::matches));
  }

  /** The host as received, and without the port if ports are ignored. */
  private List<String> spellings() {
    List<String> own = host.spellings(lookup.scheme());
    if (host.port() == lookup.port()) {
      return own;
    }
    List<String> all = new ArrayList<>(own);
    all.addAll(new HostName(host.name(), lookup.port()).spellings(lookup.scheme()));
    return all;
  }
}
