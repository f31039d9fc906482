package portcullis.crypto.keys;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/**
 * The configured TLS settings of outgoing connections; immutable.
 *
 * @param keyStore shown to servers that request a certificate
 * @param keyId empty for the first key of the store
 * @param trust trusted certificates; empty for those that the host trusts
 * @param suites of TLS 1.2
 */
public record ClientTlsSettings(Optional<KeyStoreSettings> keyStore, Optional<String> keyId,
    Optional<LocatedText> trust,
    TlsVersion lowest,
    List<CipherSuite> suites) {
  public ClientTlsSettings {
    suites = List.copyOf(suites);
  }

  /** The content of the files when they were read; the key may be renewed. */
  public record Read(Optional<TrustStore> trust, Optional<Supplier<KeyRing>> ring) {}

  /** Returns the defaults. */
  public static ClientTlsSettings defaults(TlsVersion lowest) {
    return new ClientTlsSettings(Optional.empty(), Optional.empty(), Optional.empty(), lowest, CipherSuite.DEFAULTS);
  }

  /**
   * Reads a section {@code tls}, which may have more members.
   *
   * @param lowest the version where none is named
   */
  public static <T> Decoder<T> decoder(TlsVersion lowest, List<Key<?>> more,
      BiFunction<ClientTlsSettings, DecodedMembers, T> make) {
    Key<Optional<KeyStoreSettings>> store = Key.optional("key_store", KeyStoreSettings.decoder(),
        "the key and certificate to present");
    Key<Optional<String>> id = Key.optional("key_id", Decoders.nonEmpty(), "the id of the key; by default the first");
    Key<Optional<LocatedText>> trust = Key
        .optional("trust_store", Decoders.located(), "a PEM file of trusted issuers, instead of those of the system")
        .restricting();
    Key<TlsVersion> least = Key.withDefault("min_version", Decoders.choice(versions()), lowest,
        "the lowest TLS version");
    Key<Optional<List<CipherSuite>>> suites = Key.optional("cipher_suites",
        Decoders.list(Decoders.choice(suiteNames()), 1), "the cipher suites of TLS 1.2");
    List<Key<?>> keys = new ArrayList<>(List.of(store, id, trust, least, suites));
    keys.addAll(more);
    return Decoders.checked("tls", keys, (p, problems) -> {
      if (p.get(store).isEmpty()) {
        idle(p, id, "without `key_store`", problems);
      }
      if (p.get(least) == TlsVersion.TLS1_3) {
        idle(p, suites, "where `min_version` is `TLS1.3`, whose cipher suites cannot be configured", problems);
      }
      return Optional.of(make.apply(new ClientTlsSettings(p.get(store), p.get(id), p.get(trust), p.get(least),
          p.get(suites).orElse(CipherSuite.DEFAULTS)), p));
    });
  }

  private static void idle(DecodedMembers parts, Key<?> key, String where, Problems problems) {
    Optional<Node> node = parts.node().get(key.name());
    node.ifPresent(
        n -> problems.warning(parts.at(key), n.path(), "`" + key.name() + "` has no effect here, " + where, ""));
  }

  private static SequencedMap<String, TlsVersion> versions() {
    SequencedMap<String, TlsVersion> out = new LinkedHashMap<>();
    for (TlsVersion version : TlsVersion.values()) {
      out.put(version.text(), version);
    }
    return out;
  }

  private static SequencedMap<String, CipherSuite> suiteNames() {
    SequencedMap<String, CipherSuite> out = new LinkedHashMap<>();
    for (CipherSuite suite : CipherSuite.values()) {
      out.put(suite.name(), suite);
    }
    return out;
  }

  /** Reads the files; keys come from there and are renewed there. Empty exactly if a problem was added. */
  public Optional<Read> read(KeyRings rings, Problems problems) {
    long before = problems.errors();
    Optional<TrustStore> trusted = trust.flatMap(path -> read(path, TrustStore::read, problems));
    Optional<Supplier<KeyRing>> ring = keyStore.flatMap(store -> read(store.path(), _ -> {
      Supplier<KeyRing> live = rings.shown(store.files(), store.password(), keyId);
      key(live.get()).requireForTls();
      return live;
    }, problems));
    return problems.errors() > before ? Optional.empty() : Optional.of(new Read(trusted, ring));
  }

  private interface Reading<T> {
    T read(Path file) throws KeyMaterialException;
  }

  private static <T> Optional<T> read(LocatedText path, Reading<T> reading, Problems problems) {
    try {
      return Optional.of(reading.read(Path.of(path.text())));
    } catch (KeyMaterialException | InvalidPathException e) {
      KeyMaterialException.report(e, path, problems);
      return Optional.empty();
    }
  }

  /** Returns the key of the ring that is shown. */
  public KeyEntry key(KeyRing ring) throws KeyMaterialException {
    return keyId.isPresent() ? ring.entry(keyId.get()) : ring.first();
  }

  /** Returns TLS settings with these trusted certificates and this key. */
  public ClientTls tls(Optional<TrustStore> trusted, Optional<KeyEntry> key) throws KeyMaterialException {
    return ClientTls.of(trusted, key, lowest, suites);
  }
}
