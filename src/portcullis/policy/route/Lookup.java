package portcullis.policy.route;

/**
 * A request as far as the choice of its rule goes.
 *
 * @param scheme {@code http} or {@code https}
 * @param host letter case and a trailing dot make no difference
 * @param port 0 where the request names none
 * @param path normalised and still percent-encoded, without query
 */
public record Lookup(String scheme, String method, String host, int port, String path) {
  /** @param authority with its port where it has one */
  public static Lookup of(String scheme, String method, String authority, String path) {
    HostName host = HostName.of(authority);
    return new Lookup(scheme, method, host.name(), host.port(), path);
  }
}
