package portcullis.crypto.keys;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files of a key store; immutable. Two files cannot be replaced in one step, so reading them fails as long as they
 * do not belong together.
 *
 * @param certificates empty if the certificates are in the file of the keys
 */
public record KeyStoreFiles(Path keys, Optional<Path> certificates) {
  public KeyStoreFiles {
    keys = keys.toAbsolutePath().normalize();
    certificates = certificates.map(file -> file.toAbsolutePath().normalize());
  }

  /** Returns a key store with keys and certificates in one file. */
  static KeyStoreFiles one(Path file) {
    return new KeyStoreFiles(file, Optional.empty());
  }

  /** Returns all files. */
  public List<Path> all() {
    return Stream.concat(Stream.of(keys), certificates.stream()).toList();
  }
}
