package portcullis.serve.service;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.crypto.keys.CipherSuite;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.KeyRing;
import portcullis.crypto.keys.KeyStoreSettings;
import portcullis.crypto.keys.ServerTls;
import portcullis.crypto.keys.TlsVersion;
import portcullis.crypto.keys.TrustStore;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/** The TLS settings of a listener; immutable. */
public record TlsSettings(KeyStoreSettings keyStore, Optional<String> keyId, TlsVersion lowest,
    List<CipherSuite> suites,
    Optional<ClientAuth> clientAuth) {
  /** Reads keys and certificates; empty exactly if a problem was added. */
  public Optional<ServerTls> load(Instant now, Problems problems) {
    try {
      List<KeyEntry> keys = keys(now);
      Optional<ServerTls.Clients> clients = clientAuth.map(auth -> auth.load(problems))
          .orElse(Optional.of(ServerTls.Clients.ANY));
      return clients.isPresent() ? Optional.of(ServerTls.of(keys, lowest, suites, clients.get())) : Optional.empty();
    } catch (KeyMaterialException | InvalidPathException e) {
      KeyMaterialException.report(e, keyStore.path(), problems);
      return Optional.empty();
    }
  }

  /** Returns the keys that the file contains now: the named one, or the first and all that have a certificate. */
  public List<KeyEntry> keys(Instant now) throws KeyMaterialException {
    KeyRing ring = KeyRing.read(keyStore.files(), keyStore.password(), now);
    if (keyId.isPresent()) {
      return List.of(ring.entry(keyId.get()));
    }
    return ring.entries().stream().filter(entry -> entry.equals(ring.first()) || !entry.chain().isEmpty()).toList();
  }

  /** The settings for client certificates, which are requested from clients. */
  public record ClientAuth(LocatedText trustStore, boolean required) {
    private Optional<ServerTls.Clients> load(Problems problems) {
      try {
        return Optional.of(new ServerTls.Clients(Optional.of(TrustStore.read(Path.of(trustStore.text()))), required));
      } catch (KeyMaterialException | InvalidPathException e) {
        KeyMaterialException.report(e, trustStore, problems);
        return Optional.empty();
      }
    }
  }

  /** Returns the decoder of {@code tls}. */
  static Decoder<TlsSettings> decoder() {
    Key<KeyStoreSettings> keyStore = Key.required("key_store", KeyStoreSettings.decoder(), "the file with the key");
    Key<Optional<String>> id = Key.optional("key_id", Decoders.nonEmpty(), "the id of the key; by default the first");
    Key<TlsVersion> lowest = Key.withDefault("min_version", Decoders.choice(versionsByName()), TlsVersion.values()[1],
        "the lowest TLS version");
    Key<List<CipherSuite>> suites = Key.withDefault("cipher_suites", Decoders.list(Decoders.choice(suitesByName())),
        CipherSuite.DEFAULTS,
        "the cipher suites of TLS 1.2");
    Key<LocatedText> trust = Key.required("trust_store", Decoders.located(), "the PEM file of their trusted issuers");
    Key<Boolean> required = Key.withDefault("required", Decoders.flag(), true,
        "whether a client without one is refused");
    Key<Optional<ClientAuth>> clients = Key.optional("client_auth", Decoders.object("certificates of clients",
        List.of(trust, required), p -> new ClientAuth(p.get(trust), p.get(required))), "the certificates of clients")
        .restricting();
    return Decoders.object("tls", List.of(keyStore, id, lowest, suites, clients),
        p -> new TlsSettings(p.get(keyStore), p.get(id), p.get(lowest), p.get(suites), p.get(clients)));
  }

  private static SequencedMap<String, TlsVersion> versionsByName() {
    SequencedMap<String, TlsVersion> out = new LinkedHashMap<>();
    for (TlsVersion version : TlsVersion.values()) {
      out.put(version.text(), version);
    }
    return out;
  }

  private static SequencedMap<String, CipherSuite> suitesByName() {
    SequencedMap<String, CipherSuite> out = new LinkedHashMap<>();
    for (CipherSuite suite : CipherSuite.values()) {
      out.put(suite.name(), suite);
    }
    return out;
  }
}
