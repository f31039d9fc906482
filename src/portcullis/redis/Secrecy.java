package portcullis.redis;

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
import portcullis.keys.ClientTls;
import portcullis.keys.KeyEntry;
import portcullis.keys.KeyFault;
import portcullis.keys.KeyRing;
import portcullis.keys.TlsVersion;
import portcullis.keys.TrustStore;
import portcullis.source.LocatedText;
import portcullis.source.Problems;

/**
 * How connections to Redis are kept from others.
 *
 * @param tls empty where it is switched off
 */
record Secrecy(Optional<ClientTls> tls) {
  /** The key that we show; empty password where it is not encrypted. */
  record Store(LocatedText path, String password) {
    static Decoder<Store> decoder() {
      Key<LocatedText> path = Key.required("path", Decoders.located(), "the PEM file");
      Key<String> password = Key.standard("password", Decoders.text(), "", "of an encrypted key");
      return Decoders.object("a key store", List.of(path, password), p -> new Store(p.get(path), p.get(password)));
    }

    /** Without the password. */
    @Override
    public String toString() {
      return path.text();
    }
  }

  /** The section {@code tls}. */
  record Settings(boolean disabled, Optional<Store> keyStore, Optional<String> keyId, Optional<LocatedText> trust, TlsVersion lowest) {
    static final Settings STANDARD = new Settings(false, Optional.empty(), Optional.empty(), Optional.empty(), TlsVersion.TLS1_3);

    static Decoder<Settings> decoder() {
      SequencedMap<String, TlsVersion> versions = new LinkedHashMap<>();
      for (TlsVersion version : TlsVersion.values()) {
        versions.put(version.text(), version);
      }
      Key<Boolean> disabled = Key.standard("disabled", Decoders.flag(), false, "whether there is none");
      Key<Optional<Store>> store = Key.optional("key_store", Store.decoder(), "the key and certificate that we show");
      Key<Optional<String>> id = Key.optional("key_id", Decoders.nonEmpty(), "which key of it");
      Key<Optional<LocatedText>> trust = Key.optional("trust_store", Decoders.located(), "a PEM file of whom to trust instead of the system's");
      Key<TlsVersion> lowest = Key.standard("min_version", Decoders.choice(versions), STANDARD.lowest, "the lowest version");
      return Decoders.object("tls", List.of(disabled, store, id, trust, lowest),
          p -> new Settings(p.get(disabled), p.get(store), p.get(id), p.get(trust), p.get(lowest)));
    }

    /** Empty exactly if a problem was added. */
    Optional<Secrecy> secrecy(Instant now, Problems problems) {
      if (disabled) {
        return Optional.of(new Secrecy(Optional.empty()));
      }
      long before = problems.errors();
      Optional<TrustStore> trusted = trust.flatMap(path -> read(path, TrustStore::read, problems));
      Optional<KeyEntry> key = keyStore.flatMap(store -> read(store.path, file -> {
        KeyRing ring = KeyRing.read(file, store.password, now);
        return keyId.isPresent() ? ring.entry(keyId.get()) : ring.first();
      }, problems));
      if (problems.errors() > before) {
        return Optional.empty();
      }
      try {
        return Optional.of(new Secrecy(Optional.of(ClientTls.of(trusted, key, lowest))));
      } catch (KeyFault e) {
        LocatedText path = keyStore.orElseThrow().path;
        problems.error(path.at(0, path.text().length()), path.path(), e.getMessage(), "");
        return Optional.empty();
      }
    }

    private interface Reading<T> {
      T read(Path file) throws KeyFault;
    }

    private static <T> Optional<T> read(LocatedText path, Reading<T> reading, Problems problems) {
      try {
        return Optional.of(reading.read(Path.of(path.text())));
      } catch (KeyFault | InvalidPathException e) {
        problems.error(path.at(0, path.text().length()), path.path(), e.getMessage(), "");
        return Optional.empty();
      }
    }
  }
}
