package portcullis.serve.redis;

import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.crypto.keys.ClientTls;
import portcullis.crypto.keys.ClientTlsSettings;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.KeyRings;
import portcullis.crypto.keys.TlsVersion;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;

/**
 * The TLS of connections to Redis.
 *
 * @param tls empty if TLS is disabled
 */
record RedisTls(Optional<ClientTls> tls) {
  /** The section {@code tls}. */
  record Settings(boolean disabled, ClientTlsSettings tls) {
    static final Settings DEFAULT = new Settings(false, ClientTlsSettings.defaults(TlsVersion.TLS1_3));

    static Decoder<Settings> decoder() {
      Key<Boolean> disabled = Key.withDefault("disabled", Decoders.flag(), false, "whether TLS is disabled");
      Decoder<Settings> section = ClientTlsSettings.decoder(TlsVersion.TLS1_3, List.of(disabled),
          (tls, p) -> new Settings(p.get(disabled), tls));
      return section.then((settings, node, problems) -> {
        if (settings.disabled && !settings.equals(new Settings(true, DEFAULT.tls))) {
          problems.warning(node.at(), node.path(), "its other keys have no effect here, as `disabled` is true", "");
        }
        return Optional.of(settings);
      });
    }

    /** Reads the files; empty exactly if a problem was added. */
    Optional<RedisTls> redisTls(KeyRings keys, Origin at, Problems problems) {
      return disabled ? Optional.of(new RedisTls(Optional.empty()))
          : tls.read(keys, problems).flatMap(read -> redisTls(read, at, problems));
    }

    private Optional<RedisTls> redisTls(ClientTlsSettings.Read read, Origin at, Problems problems) {
      try {
        Optional<KeyEntry> key = read.ring().isPresent() ? Optional.of(tls.key(read.ring().get().get()))
            : Optional.empty();
        return Optional.of(new RedisTls(Optional.of(tls.tls(read.trust(), key))));
      } catch (KeyMaterialException e) {
        problems.error(at, "", e.getMessage(), "");
        return Optional.empty();
      }
    }
  }
}
