package portcullis.keys;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIMatcher;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.StandardConstants;
import javax.net.ssl.TrustManager;

/**
 * TLS for a listener with one key and its certificates, which {@link #use} exchanges for the connections to come. Clients are
 * not asked for certificates. Both {@link #context} and {@link #parameters} have to be applied to a socket. Safe for all
 * threads.
 */
public final class ServerTls {
  private final EntryKeyManager keys;
  private final SSLContext context;
  private final TlsVersion lowest;
  private final List<CipherSuite> suites;

  private ServerTls(EntryKeyManager keys, SSLContext context, TlsVersion lowest, List<CipherSuite> suites) {
    this.keys = keys;
    this.context = context;
    this.lowest = lowest;
    this.suites = List.copyOf(suites);
  }

  /** @param suites of TLS 1.2, the preferred ones first; without effect where the lowest version is TLS 1.3 */
  public static ServerTls of(KeyEntry key, TlsVersion lowest, List<CipherSuite> suites) throws KeyFault {
    key.requireForTls();
    EntryKeyManager keys = new EntryKeyManager(key);
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(new KeyManager[] {keys}, new TrustManager[0], null);
      return new ServerTls(keys, context, lowest, suites);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** From now on handshakes get this key; what is connected stays connected. On a fault all stays as it was. */
  public void use(KeyEntry key) throws KeyFault {
    key.requireForTls();
    keys.use(key);
  }

  /** The key in use. */
  public KeyEntry key() {
    return keys.current();
  }

  public SSLContext context() {
    return context;
  }

  /** Versions, cipher suites, and that a handshake for a name that the certificate does not cover is refused. New each time. */
  public SSLParameters parameters() {
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(lowest.protocols().toArray(String[]::new));
    Stream<String> older = lowest == TlsVersion.TLS1_2 ? suites.stream().map(CipherSuite::name) : Stream.empty();
    parameters.setCipherSuites(Stream.concat(CipherSuite.OF_TLS_1_3.stream(), older).toArray(String[]::new));
    parameters.setUseCipherSuitesOrder(true);
    parameters.setSNIMatchers(List.of(new Covered(keys)));
    return parameters;
  }

  /** Asked only when the client names a host. */
  private static final class Covered extends SNIMatcher {
    private final EntryKeyManager keys;

    Covered(EntryKeyManager keys) {
      super(StandardConstants.SNI_HOST_NAME);
      this.keys = keys;
    }

    @Override
    public boolean matches(SNIServerName name) {
      String host = new String(name.getEncoded(), StandardCharsets.US_ASCII);
      return CoveredHosts.of(keys.current().chain().getFirst()).cover(host);
    }
  }
}
