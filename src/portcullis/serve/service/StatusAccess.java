package portcullis.serve.service;

import java.util.List;
import java.util.Optional;
import portcullis.http.message.Authority;
import portcullis.http.message.ValidRequest;

/**
 * Decides who may read the status: requests under a listed host name, so that another name that resolves to this
 * address (DNS rebinding) does not suffice, and from browsers, only pages of a listed origin.
 */
final class StatusAccess {
  private StatusAccess() {}

  /** @param hosts names in lower case, without ports */
  static boolean isAllowed(ValidRequest incoming, List<String> hosts) {
    return isListed(incoming.host(), hosts) && incoming.fields().all("Origin").stream()
        .allMatch(origin -> host(origin).filter(host -> isListed(host, hosts)).isPresent());
  }

  /** Returns the host of {@code serialized-origin = scheme "://" host [ ":" port ]} (RFC 6454, 6.1). */
  private static Optional<Authority> host(String origin) {
    int colon = origin.indexOf("://");
    return colon < 0 ? Optional.empty() : Authority.parse(origin.substring(colon + 3));
  }

  private static boolean isListed(Authority host, List<String> hosts) {
    return hosts.contains(host.lower().host());
  }
}
