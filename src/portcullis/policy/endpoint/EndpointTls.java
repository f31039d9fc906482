package portcullis.policy.endpoint;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import portcullis.config.Key;
import portcullis.crypto.keys.ClientTls;
import portcullis.crypto.keys.ClientTlsSettings;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.KeyRings;
import portcullis.crypto.keys.TlsVersion;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.policy.cache.CacheKey;

/**
 * TLS for calls of endpoints with TLS settings, read from the files; a renewed key is used from the next call on.
 * Thread safe.
 */
final class EndpointTls {
  static final Key<Optional<ClientTlsSettings>> KEY = Key.optional("tls",
      ClientTlsSettings.decoder(TlsVersion.TLS1_2, List.of(), (tls, _) -> tls),
      "trusted issuers and the client certificate")
      .restricting();

  private final ClientTlsSettings settings;
  private final ClientTlsSettings.Read read;
  private volatile Optional<Current> current = Optional.empty();

  /**
   * The state of the files.
   *
   * @param identity the same for the same settings, trust and key
   */
  record Current(Optional<KeyEntry> key, ClientTls tls, String identity) {}

  private EndpointTls(ClientTlsSettings settings, ClientTlsSettings.Read read) {
    this.settings = settings;
    this.read = read;
  }

  /** Reads the files. */
  static EndpointTls of(ClientTlsSettings settings, KeyRings keys) throws KeyMaterialException {
    Problems problems = new Problems();
    Optional<ClientTlsSettings.Read> read = settings.read(keys, problems);
    return new EndpointTls(settings,
        read.orElseThrow(
            () -> new KeyMaterialException(problems.sorted().stream().map(Problem::message).findFirst().orElse(""))));
  }

  Current current() throws KeyMaterialException {
    Optional<KeyEntry> key = read.ring().isPresent() ? Optional.of(settings.key(read.ring().get().get()))
        : Optional.empty();
    Optional<Current> known = current.filter(c -> c.key.equals(key));
    if (known.isPresent()) {
      return known.get();
    }
    Current made = new Current(key, settings.tls(read.trust(), key), identity(key));
    current = Optional.of(made);
    return made;
  }

  private String identity(Optional<KeyEntry> key) throws KeyMaterialException {
    List<String> parts = new ArrayList<>(List.of(identity(settings)));
    List<X509Certificate> shown = key.map(KeyEntry::chain).orElse(List.of());
    for (List<X509Certificate> certificates : List.of(shown,
        read.trust().map(t -> t.certificates()).orElse(List.of()))) {
      parts.add(String.valueOf(certificates.size()));
      for (X509Certificate certificate : certificates) {
        parts.add(text(certificate));
      }
    }
    return CacheKey.of("tls", parts).hash();
  }

  private static String text(X509Certificate certificate) throws KeyMaterialException {
    try {
      return HexFormat.of().formatHex(certificate.getEncoded());
    } catch (GeneralSecurityException _) {
      throw new KeyMaterialException("a certificate cannot be encoded");
    }
  }

  /** Returns a hash of the settings, whatever the files contain. */
  static String identity(ClientTlsSettings settings) {
    List<String> parts = new ArrayList<>(List.of(settings.keyStore().map(s -> s.path().text()).orElse(""),
        settings.keyStore().flatMap(s -> s.certificates()).map(file -> file.text()).orElse(""),
        settings.keyStore().map(s -> s.password()).orElse(""), settings.keyId().orElse(""),
        settings.trust().map(t -> t.text()).orElse(""), settings.lowest().text()));
    settings.suites().forEach(suite -> parts.add(suite.name()));
    return CacheKey.of("tls settings", parts).hash();
  }
}
