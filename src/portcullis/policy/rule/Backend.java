package portcullis.policy.rule;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.http.message.Authority;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;

/** The upstream to which allowed requests are forwarded; immutable. */
public final class Backend {
  private final Authority host;
  private final boolean keepsHost;
  private final Rewrite rewrite;
  private volatile Optional<URI> lastOrigin = Optional.empty();

  /**
   * The changes of the URL of a forwarded request.
   *
   * @param scheme {@code https}, {@code http}, or {@code h2c} for HTTP/2 on clear text; empty for the request's own
   * @param cut a prefix that the path loses, put one that it gets then
   * @param strip names of query parameters that go
   */
  public record Rewrite(Optional<String> scheme, String cut, String put, List<String> strip) {
    public static final Rewrite NONE = new Rewrite(Optional.empty(), "", "", List.of());
  }

  private Backend(Authority host, boolean keepsHost, Rewrite rewrite) {
    this.host = host;
    this.keepsHost = keepsHost;
    this.rewrite = rewrite;
  }

  public Authority host() {
    return host;
  }

  /** Returns whether the upstream gets the host of the client's request. */
  public boolean keepsHost() {
    return keepsHost;
  }

  public Rewrite rewrite() {
    return rewrite;
  }

  /** {@code scheme://host}, which is mostly the same for all requests. */
  public URI origin(String scheme) {
    Optional<URI> last = lastOrigin;
    if (last.isPresent() && last.get().getScheme().equals(scheme)) {
      return last.get();
    }
    URI origin = URI.create(scheme + "://" + host);
    lastOrigin = Optional.of(origin);
    return origin;
  }

  /** @param tlsOnly whether a rewrite to clear text is refused */
  static Decoder<Backend> decoder(boolean tlsOnly) {
    Key<LocatedText> host = Key.required("host", Decoders.located(), "host and port of the upstream");
    Key<Boolean> keeps = Key.withDefault("forward_host_header", Decoders.flag(), true,
        "whether the upstream receives the `Host` of the client");
    Key<Rewrite> rewrite = Key.withDefault("rewrite", rewrite(tlsOnly), Rewrite.NONE, "changes of the URL");
    return Decoders.checked("an upstream", List.of(host, keeps, rewrite), (parts, problems) -> {
      Optional<Authority> authority = Authority.parse(parts.get(host).text());
      if (authority.isEmpty()) {
        invalid(parts.get(host).text(), parts.at(host), parts.get(host).path(), problems);
      }
      return authority.map(a -> new Backend(a, parts.get(keeps), parts.get(rewrite)));
    });
  }

  private static void invalid(String host, Origin at, String path, Problems problems) {
    String port = host.substring(host.lastIndexOf(':') + 1);
    if (port.matches("[0-9]{1,20}")
        && Authority.parse(host.substring(0, host.lastIndexOf(':') + 1) + "1").isPresent()) {
      problems.error(at, path, "invalid port `" + port + "`", "it is a number from 1 to 65535");
    } else {
      problems.error(at, path, "invalid host `" + Decoders.shortened(host) + "`",
          "as `app.local` or `127.0.0.1:8080`, without scheme and path");
    }
  }

  private static Decoder<Rewrite> rewrite(boolean tlsOnly) {
    SequencedMap<String, String> schemes = new LinkedHashMap<>();
    schemes.put("https", "https");
    schemes.put("http", "http");
    schemes.put("h2c", "h2c");
    Key<Optional<String>> scheme = Key.optional("scheme", Decoders.choice(schemes),
        "the scheme of the upstream; without it that of the request");
    Key<String> cut = Key.withDefault("strip_path_prefix", Decoders.text(), "",
        "a prefix that is removed from the path");
    Key<String> put = Key.withDefault("add_path_prefix", Decoders.text(), "", "a prefix that is added to the path");
    Key<List<String>> strip = Key.withDefault("strip_query_parameters", Decoders.list(Decoders.text()), List.of(),
        "query parameters that are removed");
    return Decoders.checked("a rewrite", List.of(scheme, cut, put, strip), (parts, problems) -> {
      if (tlsOnly && parts.get(scheme).filter(s -> !s.equals("https")).isPresent()) {
        problems.error(parts.at(scheme), parts.node().path() + ".scheme", "the scheme of an upstream must be https",
            "or allow http to upstreams by `--insecure-skip-upstream-tls-enforcement`");
        return Optional.empty();
      }
      return Optional.of(new Rewrite(parts.get(scheme), parts.get(cut), parts.get(put), parts.get(strip)));
    });
  }
}
