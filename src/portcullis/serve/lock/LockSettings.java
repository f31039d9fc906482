package portcullis.serve.lock;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/**
 * The settings of locks.
 *
 * @param stateFile the file that keeps them over a restart; empty for none
 * @param keyFile the file of the key that permits changes; empty where no one may change them
 */
public record LockSettings(Optional<LocatedText> stateFile, Optional<LocatedText> keyFile) {
  public static final LockSettings DEFAULT = new LockSettings(Optional.empty(), Optional.empty());

  public static Decoder<LockSettings> decoder() {
    Key<Optional<LocatedText>> state = Key.optional("state_file", Decoders.file(),
        "the file that keeps locks over a restart; by default they end with the process").restricting();
    Key<Optional<LocatedText>> key = Key.optional("key_file", Decoders.file(),
        "a file with 64 hexadecimal digits: who has this key may lock and unlock through the management service; by "
            + "default nobody may");
    return Decoders.object("locks", List.of(state, key), p -> new LockSettings(p.get(state), p.get(key)));
  }

  /** Returns the key, if there is one; adds a problem where it cannot be read. */
  public Optional<SymmetricKey> key(Problems problems) {
    return keyFile.flatMap(file -> {
      try {
        return Optional.of(SymmetricKey.read(Path.of(file.text())));
      } catch (KeyMaterialException | InvalidPathException e) {
        KeyMaterialException.report(e, file, problems);
        return Optional.empty();
      }
    });
  }
}
