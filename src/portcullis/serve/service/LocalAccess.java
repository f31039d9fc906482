package portcullis.serve.service;

import java.util.List;
import java.util.Optional;
import portcullis.http.message.Authority;
import portcullis.http.message.ValidRequest;
import portcullis.lang.address.Address;

/**
 * Decides who may read profiling data: requests under an IP address, {@code localhost} or a listed name, as a page that
 * resolves its own name to this address (DNS rebinding) sends that name; and from browsers, only requests of pages of
 * the same host.
 */
final class LocalAccess {
  private LocalAccess() {}

  /** @param hosts names in lower case, without ports */
  static boolean isAllowed(ValidRequest incoming, List<String> hosts) {
    List<String> origins = incoming.fields().all("Origin");
    return isTrusted(incoming.host(), hosts) && origins.stream().allMatch(origin -> isOf(incoming, origin))
        && incoming.fields().all("Sec-Fetch-Site").stream()
            .noneMatch(site -> site.equals("cross-site") || site.equals("same-site"));
  }

  private static boolean isTrusted(Authority authority, List<String> hosts) {
    String host = authority.lower().host();
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    return host.equals("localhost") || hosts.contains(host) || Address.parse(bare).isPresent();
  }

  /**
   * Returns whether the origin is that of the request: {@code serialized-origin = scheme "://" host [ ":" port ]} (RFC
   * 6454, 6.1).
   */
  private static boolean isOf(ValidRequest incoming, String origin) {
    Optional<Authority> authority = Authority
        .parse(origin.substring(origin.indexOf("://") < 0 ? 0 : origin.indexOf("://") + 3));
    return origin.startsWith(incoming.scheme() + "://") && authority.isPresent()
        && authority.get().comparable(incoming.scheme()).equals(incoming.host().comparable(incoming.scheme()));
  }
}
