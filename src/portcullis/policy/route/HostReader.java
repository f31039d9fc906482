package portcullis.policy.route;

import java.net.IDN;
import java.util.Locale;
import java.util.Optional;
import portcullis.http.message.Authority;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/** Reads an exact host or a wildcard: {@code ( "*" / [ "*." ] host [ ":" port ] )}; used once. */
final class HostReader {
  private final HostPattern.Type type;
  private final LocatedText source;
  private final String text;
  private final Problems problems;

  HostReader(HostPattern.Type type, LocatedText source, Problems problems) {
    this.type = type;
    this.source = source;
    this.text = source.text();
    this.problems = problems;
  }

  Optional<HostPattern> read() {
    if (text.isEmpty()) {
      return fail(0, 0, "the host is empty", "leave `hosts` out for every host");
    }
    int star = text.lastIndexOf('*');
    if (star >= 0 && type == HostPattern.Type.EXACT) {
      return fail(star, 1, "`*` is not allowed in a host", "for a wildcard, write `type: wildcard`");
    }
    if (text.equals("*")) {
      return Optional.of(new HostPattern.Any());
    }
    boolean below = text.startsWith("*.");
    if (star > 0 || star == 0 && !below) {
      return fail(star, 1, "in `" + text + "` the `*` is not the whole of the first label",
          "write `*.example.com` for all hosts below example.com, `*` for every host");
    }
    return host(below ? 2 : 0, below);
  }

  private Optional<HostPattern> host(int from, boolean below) {
    Optional<String> authority = ascii(text.substring(from).toLowerCase(Locale.ROOT));
    if (authority.isEmpty()) {
      return fail(from, text.length() - from, "`" + text + "` has no unique ASCII form", "write its `xn--` form");
    }
    if (Authority.parse(authority.get()).isEmpty()) {
      return fail(0, text.length(), "invalid host `" + text + "`",
          "write `example.com`, `example.com:8080` or `[::1]:8080`");
    }
    HostName host = HostName.of(authority.get());
    return Optional.of(below
        ? new HostPattern.Subdomains(host.name(), host.port())
        : new HostPattern.Exact(host.name(), host.port()));
  }

  /** Returns the host as requests contain it (RFC 5891); empty if the older and the newer mapping disagree. */
  private static Optional<String> ascii(String name) {
    if (name.chars().allMatch(c -> c < 128)) {
      return Optional.of(name);
    }
    try {
      String mapped = IDN.toASCII(name);
      return IDN.toUnicode(mapped).equals(name) ? Optional.of(mapped) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private Optional<HostPattern> fail(int from, int length, String message, String hint) {
    problems.error(source.at(from, length), source.path(), message, hint);
    return Optional.empty();
  }
}
