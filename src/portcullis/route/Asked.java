package portcullis.route;

import java.util.List;

/** A request while its rule is looked for, taken apart once. */
record Asked(Lookup lookup, SplitPath path, HostName host) {
  static Asked of(Lookup lookup) {
    return new Asked(lookup, new SplitPath(lookup.path()), HostName.of(lookup.host(), lookup.port()));
  }

  /** Whether one of the patterns fits one of the spellings of the host, or there is none. */
  boolean hostFits(List<TextPattern> patterns) {
    if (patterns.isEmpty()) {
      return true;
    }
    List<String> spellings = host.spellings(lookup.scheme());
    return patterns.stream().anyMatch(pattern -> spellings.stream().anyMatch(pattern::matches));
  }
}
