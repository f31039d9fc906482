package portcullis.policy.route;

import java.util.Optional;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/** A host, or hosts, that a rule is for; letter case and a trailing dot make no difference; immutable. */
public sealed interface HostPattern {
  /** The types a rule file names. */
  enum Type {
    EXACT, WILDCARD, GLOB, REGEX
  }

  /** One host; port 0 is the scheme's own. */
  record Exact(String name, int port) implements HostPattern {}

  /** Every host, at any depth, below {@code suffix}, not the suffix itself; port 0 is the scheme's own. */
  record Subdomains(String suffix, int port) implements HostPattern {}

  /** Every host on every port. */
  record Any() implements HostPattern {}

  /** Hosts whose text fits, with the port unless it is the scheme's own. */
  record Matching(StringPattern pattern) implements HostPattern {}

  /** Returns how narrowly it names a host of any port: most for the host itself, 0 where it does not name it. */
  default int narrowness(String host) {
    String name = HostName.of(host, 0).name();
    return switch (this) {
      case Exact exact -> exact.name().equals(name) ? Integer.MAX_VALUE : 0;
      case Subdomains below -> name.endsWith("." + below.suffix()) ? below.suffix().length() : 0;
      case Any _, Matching _ -> 0;
    };
  }

  /** Reads a host of a rule; empty exactly if a problem was added. */
  static Optional<HostPattern> compile(Type type, LocatedText text, Problems problems) {
    return switch (type) {
      case EXACT, WILDCARD -> new HostReader(type, text, problems).read();
      case GLOB ->
        Glob.compile(new LowerCase(text), '.', problems).map(g -> new Matching(new StringPattern.Globbed(g)));
      case REGEX -> StringPattern.Found.compile(text, problems).map(found -> new Matching(found.ignoringCase()));
    };
  }
}
