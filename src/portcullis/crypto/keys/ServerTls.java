package portcullis.crypto.keys;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.StandardConstants;
import javax.net.ssl.TrustManager;

/**
 * TLS for a listener. {@link #use} replaces its keys and certificates for new connections, {@link #trust} the issuers
 * of client certificates. A client that names a host gets the first key that covers it, others get the first one. Both
 * {@link #context} and {@link #parameters} have to be applied to each socket. Safe for all threads.
 */
public final class ServerTls {
  /** Those of heimdall that the JDK has. Others, as FFDHE with 8192 bits, are work that strangers could ask for. */
  private static final List<String> GROUPS = List.of("x25519", "secp256r1", "secp384r1", "secp521r1");

  private final EntryKeyManager keys;
  private final TlsVersion lowest;
  private final List<CipherSuite> suites;
  private final boolean required;
  private volatile Guard guard;

  /** The trusted issuers of clients and the context with them; sessions of an earlier context are not resumed. */
  private record Guard(Optional<TrustStore> trust, SSLContext context) {
    static Guard of(EntryKeyManager keys, Optional<TrustStore> trust) {
      return Jca.required(() -> {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(new KeyManager[] {keys}, trust.isPresent() ? ClientTls.trustManagers(trust) : new TrustManager[0],
            null);
        return new Guard(trust, context);
      });
    }
  }

  /**
   * The clients that are accepted by their certificate.
   *
   * @param trust issuers of their certificates; empty if none is requested
   * @param required whether a client without certificate is refused
   */
  public record Clients(Optional<TrustStore> trust, boolean required) {
    public static final Clients ANY = new Clients(Optional.empty(), false);
  }

  private ServerTls(EntryKeyManager keys, TlsVersion lowest, List<CipherSuite> suites, Clients clients) {
    this.keys = keys;
    this.lowest = lowest;
    this.suites = List.copyOf(suites);
    this.required = clients.required;
    this.guard = Guard.of(keys, clients.trust);
  }

  /** @param suites of TLS 1.2, the preferred ones first; without effect where the lowest version is TLS 1.3 */
  public static ServerTls of(List<KeyEntry> entries, TlsVersion lowest, List<CipherSuite> suites, Clients clients)
      throws KeyMaterialException {
    requireForTls(entries);
    return new ServerTls(new EntryKeyManager(entries), lowest, suites, clients);
  }

  /** Fails unless each of these keys has a certificate that TLS can use. */
  public static void requireForTls(List<KeyEntry> entries) throws KeyMaterialException {
    for (KeyEntry entry : entries) {
      entry.requireForTls();
    }
  }

  /** Replaces the keys for new handshakes; existing connections are kept. On an error nothing changes. */
  public void use(List<KeyEntry> entries) throws KeyMaterialException {
    requireForTls(entries);
    keys.use(entries);
  }

  /** Replaces the trusted issuers of clients for new handshakes, if client certificates are requested at all. */
  public void trust(TrustStore issuers) {
    Guard now = guard;
    if (now.trust.isPresent() && !now.trust.get().equals(issuers)) {
      guard = Guard.of(keys, Optional.of(issuers));
    }
  }

  /** Returns the keys in use; the first is for clients that name no host. */
  public List<KeyEntry> keys() {
    return keys.current();
  }

  public SSLContext context() {
    return guard.context;
  }

  /**
   * Versions, cipher suites, groups, signature schemes, and that a handshake for a name that the certificate does not
   * cover is refused. New each time. The JDK checks each scheme and group that it may use in each handshake: there are
   * no more than the keys need, unless clients have certificates, too, which may be signed by any.
   */
  public SSLParameters parameters() {
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(lowest.protocols().toArray(String[]::new));
    parameters.setCipherSuites(CipherSuite.names(lowest, suites));
    parameters.setUseCipherSuitesOrder(true);
    parameters.setNamedGroups(GROUPS.toArray(String[]::new));
    List<String> schemes = keys.signatureSchemes();
    if (guard.trust.isEmpty() && !schemes.isEmpty()) {
      parameters.setSignatureSchemes(schemes.toArray(String[]::new));
    }
    parameters.setSNIMatchers(List.of(new Covered(keys)));
    if (required) {
      parameters.setNeedClientAuth(true);
    } else if (guard.trust.isPresent()) {
      parameters.setWantClientAuth(true);
    }
    return parameters;
  }

  /** Called only if the client names a host. */
  private static final class Covered extends SNIMatcher {
    private final EntryKeyManager keys;

    Covered(EntryKeyManager keys) {
      super(StandardConstants.SNI_HOST_NAME);
      this.keys = keys;
    }

    @Override
    public boolean matches(SNIServerName name) {
      String host = new String(name.getEncoded(), StandardCharsets.US_ASCII);
      return keys.cover(host);
    }
  }
}
