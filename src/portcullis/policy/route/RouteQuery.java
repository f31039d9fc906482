package portcullis.policy.route;

import java.util.ArrayList;
import java.util.List;

/** A request while its rule is looked for, taken apart once. */
record RouteQuery(Lookup lookup, SplitPath path, HostName host) {
  static RouteQuery of(Lookup lookup, Comparison how) {
    String path = how.anyCase() ? CaseFolding.folded(lookup.path()) : lookup.path();
    return new RouteQuery(lookup, new SplitPath(path), HostName.of(lookup.host(), how.anyPort() ? 0 : lookup.port()));
  }

  /** Whether one of the patterns fits one of the spellings of the host, or there is none. */
  boolean hostFits(List<StringPattern> patterns) {
    if (patterns.isEmpty()) {
      return true;
    }
    List<String> spellings = spellings();
    return patterns.stream().anyMatch(pattern -> spellings.stream().anyMatch(pattern::matches));
  }

  /** As it came, and without the port where that is left out of account. */
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
