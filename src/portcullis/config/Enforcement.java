package portcullis.config;

/**
 * The secure settings that are enforced; a flag of the command line disables each.
 *
 * @param defaultRule the default rule does not begin with anonymous access
 * @param ingressTls listeners have TLS
 * @param egressTls remote services are called by TLS
 * @param upstreamTls upstreams are called by TLS where a rule names the scheme
 * @param trustedProxies no network of everybody is trusted
 * @param bundleCounter no signed bundle replaces one with a higher counter
 */
public record Enforcement(boolean defaultRule, boolean ingressTls, boolean egressTls, boolean upstreamTls,
    boolean trustedProxies, boolean bundleCounter) {
  public static final Enforcement ALL = new Enforcement(true, true, true, true, true, true);
  /** No enforcement, as with {@code --insecure}; rollbacks have an option of their own. */
  public static final Enforcement NONE = new Enforcement(false, false, false, false, false, true);
}
