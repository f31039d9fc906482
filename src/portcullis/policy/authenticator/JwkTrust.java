package portcullis.policy.authenticator;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.crypto.keys.Jwk;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.TrustStore;
import portcullis.lang.source.LocatedText;

/** Checks the certificates of published keys; keys without certificates are trusted. Thread safe. */
final class JwkTrust {
  private final boolean checked;
  private volatile Optional<TrustStore> store;

  /** @param store empty for the default trust store of the system, which is read when it is first needed */
  JwkTrust(boolean checked, Optional<TrustStore> store) {
    this.checked = checked;
    this.store = store;
  }

  /** Returns a trust store in a PEM file. */
  static Decoder<TrustStore> storeDecoder() {
    Decoder<LocatedText> path = Decoders.nonEmpty().then((_, node, _) -> Optional.of((LocatedText) node));
    return path.then((file, node, problems) -> {
      try {
        return Optional.of(TrustStore.read(Path.of(file.text())));
      } catch (KeyMaterialException e) {
        KeyMaterialException.report(e, file, problems);
      } catch (InvalidPathException _) {
        problems.error(node.at(), node.path(), "invalid path `" + Decoders.shortened(file.text()) + "`", "");
      }
      return Optional.empty();
    });
  }

  /**
   * Checks the certificates of a key.
   *
   * @throws KeyMaterialException if they are not trusted
   */
  void check(Jwk key, Instant now) throws KeyMaterialException {
    if (checked && !key.chain().isEmpty()) {
      anchors().check(key.chain(), now);
    }
  }

  private TrustStore anchors() throws KeyMaterialException {
    if (store.isEmpty()) {
      store = Optional.of(TrustStore.ofSystem());
    }
    return store.get();
  }

  /** Returns when the first of the certificates of the key expires. */
  static Instant end(Jwk key) {
    return key.chain().stream().map(X509Certificate::getNotAfter).min(Comparator.naturalOrder())
        .map(date -> date.toInstant())
        .orElse(Instant.MAX);
  }
}
