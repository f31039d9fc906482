package portcullis.crypto.keys;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.lang.source.LocatedText;

/**
 * The configured key store of a TLS connection; immutable.
 *
 * @param certificates empty if the certificates are in the file of the key
 * @param password empty where the key is not encrypted
 */
public record KeyStoreSettings(LocatedText path, Optional<LocatedText> certificates, String password) {
  /** Returns the decoder of {@code key_store}. */
  public static Decoder<KeyStoreSettings> decoder() {
    Key<LocatedText> path = Key.required("path", Decoders.located(), "the PEM file");
    Decoder<LocatedText> file = Decoders.nonEmpty().then((_, node, _) -> Optional.of((LocatedText) node));
    Key<Optional<LocatedText>> certificates = Key.optional("certificates", file,
        "a PEM file with the certificates of the key, if they are not in `path`, as of an X.509 SVID");
    Key<String> password = Key.withDefault("password", Decoders.text(), "", "the password of an encrypted key");
    return Decoders.object("a key store", List.of(path, certificates, password),
        p -> new KeyStoreSettings(p.get(path), p.get(certificates), p.get(password)));
  }

  /** Returns the files. @throws java.nio.file.InvalidPathException if one is not a path */
  public KeyStoreFiles files() {
    return new KeyStoreFiles(Path.of(path.text()), certificates.map(file -> Path.of(file.text())));
  }

  /** Returns a description without the password. */
  @Override
  public String toString() {
    return path.text();
  }
}
