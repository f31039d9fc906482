package portcullis.route;

/**
 * A request as far as the choice of its rule goes.
 *
 * @param scheme {@code http} or {@code https}
 * @param host the authority, with its port where it has one; letter case and a trailing dot make no difference
 * @param path normalised and still percent-encoded, without query
 */
public record Lookup(String scheme, String method, String host, String path) {}
