package portcullis.route;

import java.util.List;

/** A request while its rule is looked for, taken apart once. */
record Asked(Lookup lookup, SplitPath path, HostName host) {
  static Asked of(Lookup lookup) {
    return new Asked(lookup, new SplitPath(lookup.path()), HostName.of(lookup.host()));
  }

  List<String> hostKeys() {
    return HostKeys.taking(host, lookup.scheme());
  }

  boolean hostFits(List<TextPattern> patterns) {
    List<String> spellings = patterns.isEmpty() ? List.of() : host.spellings(lookup.scheme());
    return patterns.isEmpty() || patterns.stream().anyMatch(p -> spellings.stream().anyMatch(p::matches));
  }
}
