package portcullis.policy.errorhandler;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.http.message.Authority;
import portcullis.policy.endpoint.Urls;
import portcullis.policy.mechanism.Values;

/**
 * The hosts that a redirect may lead to, with their ports, in lower case. Immutable.
 *
 * @param names {@code *.} in front stands for any number of labels
 * @param own whether the host of the request is one of them
 */
record RedirectHosts(Set<String> names, boolean own) {
  private static final String ANY = "*.";

  /** Returns the hosts that the URL, the values and the list name. */
  static RedirectHosts of(String url, Values values, Set<String> allowed) {
    String host = Urls.isRelative(url) ? "" : Urls.authority(url);
    int end = host.indexOf("{{");
    String begun = end < 0 ? host : host.substring(0, end);
    Set<String> written = begun.endsWith(".") || begun.endsWith("-") ? Set.of() : known(Stream.of(begun));
    boolean open = url.startsWith("{{") && !url.contains("://") || end >= 0 && written.isEmpty();
    Stream<String> named = end >= 0 || url.startsWith("{{")
        ? values.templates().values().stream().flatMap(v -> v.literal().stream())
        : Stream.of();
    Set<String> all = Stream.of(written, known(named.map(RedirectHosts::host)), allowed).flatMap(Set::stream)
        .collect(Collectors.toUnmodifiableSet());
    return new RedirectHosts(all, open && (url.contains(".Request") || !isLiteral(values)));
  }

  /** Decodes an entry of {@code allowed_hosts}. */
  static Decoder<String> decoder() {
    return Decoders.nonEmpty().then((text, node, problems) -> {
      String host = text.startsWith(ANY) ? text.substring(ANY.length()) : text;
      if (Authority.parse(host).isEmpty()) {
        problems.error(node.at(), node.path(), "invalid host `" + Decoders.shortened(text) + "`",
            "as in `login.example`, `login.example:8443` or `*.example`");
        return Optional.empty();
      }
      return Optional.of(text.toLowerCase(Locale.ROOT));
    });
  }

  private static boolean isLiteral(Values values) {
    return values.templates().values().stream().allMatch(value -> value.literal().isPresent());
  }

  /** Returns the host of a value that is a URL; else the value, which may be a host. */
  private static String host(String value) {
    return value.contains("://") ? Urls.authority(value) : value;
  }

  private static Set<String> known(Stream<String> hosts) {
    return hosts.filter(text -> Authority.parse(text).isPresent()).map(text -> text.toLowerCase(Locale.ROOT))
        .collect(Collectors.toUnmodifiableSet());
  }

  /** Returns whether there is none at all. */
  boolean isEmpty() {
    return names.isEmpty() && !own;
  }

  /** Returns whether the host is one of them, for that request. */
  boolean allow(String written, Authority request) {
    String host = written.toLowerCase(Locale.ROOT);
    if (names.contains(host) || own && (host.equals(request.toString()) || host.equals(request.host()))) {
      return true;
    }
    return names.stream().anyMatch(name -> name.startsWith(ANY) && host.endsWith(name.substring(1)))
        && Authority.parse(host).isPresent();
  }
}
