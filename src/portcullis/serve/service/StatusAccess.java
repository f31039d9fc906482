package portcullis.serve.service;

import java.util.List;
import java.util.Optional;
import portcullis.http.message.Authority;
import portcullis.http.message.Incoming;

/**
 * Who may ask how the program is: by the name under which it is asked, so that a name that was made to lead here does
 * not do, and by the origin of the page that asks, if one does.
 */
final class StatusAccess {
  private StatusAccess() {}

  /** @param hosts names in small letters, without ports */
  static boolean isAllowed(Incoming incoming, List<String> hosts) {
    return isListed(incoming.host(), hosts) && incoming.fields().all("Origin").stream()
        .allMatch(origin -> host(origin).filter(host -> isListed(host, hosts)).isPresent());
  }

  /** Of {@code serialized-origin = scheme "://" host [ ":" port ]} (RFC 6454, 6.1). */
  private static Optional<Authority> host(String origin) {
    int colon = origin.indexOf("://");
    return colon < 0 ? Optional.empty() : Authority.parse(origin.substring(colon + 3));
  }

  private static boolean isListed(Authority host, List<String> hosts) {
    return hosts.contains(host.lower().host());
  }
}
