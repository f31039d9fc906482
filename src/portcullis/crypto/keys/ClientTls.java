package portcullis.crypto.keys;

import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * TLS for outgoing connections; immutable. Making one costs some 50 ms where the system's certificates are trusted:
 * keep it.
 */
public final class ClientTls {
  private final SSLContext context;
  private final TlsVersion lowest;
  private final List<CipherSuite> suites;

  private ClientTls(SSLContext context, TlsVersion lowest, List<CipherSuite> suites) {
    this.context = context;
    this.lowest = lowest;
    this.suites = suites;
  }

  /** Creates TLS settings for TLS 1.2 and newer. */
  public static ClientTls of(Optional<TrustStore> trust, Optional<KeyEntry> key) throws KeyMaterialException {
    return of(trust, key, TlsVersion.TLS1_2, CipherSuite.DEFAULTS);
  }

  /**
   * Creates TLS settings.
   *
   * @param trust trusted certificates; empty for those that the host trusts
   * @param key shown to servers that request a certificate
   * @param suites of TLS 1.2; without effect if the lowest version is TLS 1.3
   */
  public static ClientTls of(Optional<TrustStore> trust, Optional<KeyEntry> key, TlsVersion lowest,
      List<CipherSuite> suites)
      throws KeyMaterialException {
    if (key.isPresent()) {
      key.get().requireForTls();
    }
    KeyManager[] keys = key.stream().map(k -> new EntryKeyManager(k)).toArray(KeyManager[]::new);
    return Jca.required(() -> {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trustManagers(trust), null);
      return new ClientTls(context, lowest, List.copyOf(suites));
    });
  }

  /** Returns those of the trust store, else of the host. */
  static TrustManager[] trustManagers(Optional<TrustStore> trust) {
    return trust.isPresent() ? trusting(trust.get(), "the certificates of its `trust_store`")
        : systemTrustManagers(System.getenv());
  }

  /** Returns those of the host; where what the environment names cannot be read, no certificate is trusted. */
  static TrustManager[] systemTrustManagers(Map<String, String> environment) {
    try {
      SystemTrust system = SystemTrust.read(environment);
      return trusting(system.store(), "the system's trusted certificates in " + system.source()
          + "; where the connection can have a `trust_store`, name a file with it there");
    } catch (KeyMaterialException e) {
      return new TrustManager[] {new NoTrust("the system's trusted certificates cannot be read: " + e.getMessage())};
    }
  }

  private static TrustManager[] trusting(TrustStore trust, String where) {
    TrustManagerFactory factory = Jca.required(() -> {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      for (X509Certificate certificate : trust.certificates()) {
        store.setCertificateEntry(Integer.toString(store.size()), certificate);
      }
      TrustManagerFactory out = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      out.init(store);
      return out;
    });
    return Arrays.stream(factory.getTrustManagers())
        .map(one -> one instanceof X509ExtendedTrustManager x509 ? new ExplainingTrust(x509, where) : one)
        .toArray(TrustManager[]::new);
  }

  public SSLContext context() {
    return context;
  }

  /** Returns the versions and cipher suites, and the server's certificate has to name the host; new at each call. */
  public SSLParameters parameters() {
    SSLParameters parameters = new SSLParameters();
    parameters.setProtocols(lowest.protocols().toArray(String[]::new));
    parameters.setCipherSuites(CipherSuite.names(lowest, suites));
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    return parameters;
  }
}
