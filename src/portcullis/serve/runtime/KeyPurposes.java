package portcullis.serve.runtime;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.config.Node;
import portcullis.crypto.keys.KeyFile;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.source.Problems;

/** Finds keys that have several purposes: who has such a key for one of them could do the others. */
final class KeyPurposes {
  /** Paths of the files of keys; the group is the purpose. */
  private static final Pattern KEY = Pattern.compile("(decision_log\\.(?:hash_key|seal_key|audit\\.key)"
      + "|management\\.(?:locks|debug)\\.key_file)|.*\\.(session\\.keys|nonce_key|key_store\\.path)");
  private static final int SHORTEST = 32;

  private KeyPurposes() {}

  /** A file of keys. */
  private record Use(Node.Scalar file, String purpose) {}

  /** Adds an error for each file with a key that is in a file of another purpose too. */
  static void check(Node.Mapping configuration, Problems problems) {
    Map<String, Use> known = new HashMap<>();
    for (Node.Scalar file : configuration.scalars()) {
      Matcher key = KEY.matcher(file.path());
      if (key.matches()) {
        Use use = new Use(file, Optional.ofNullable(key.group(1)).orElse(key.group(2)));
        keys(file.text()).stream().flatMap(line -> Optional.ofNullable(known.putIfAbsent(line, use)).stream())
            .filter(earlier -> !earlier.purpose.equals(use.purpose)).findFirst()
            .ifPresent(earlier -> problems.error(file.at(), file.path(),
                "this key is that of `" + earlier.file.path() + "` (" + earlier.file.at().text() + ") too",
                "make a key of its own for each purpose"));
      }
    }
  }

  /** Returns the lines that are keys or parts of them; a file that cannot be read is reported where it is used. */
  private static List<String> keys(String file) {
    try {
      return KeyFile.text(Path.of(file)).lines().map(line -> line.strip().toLowerCase(Locale.ROOT))
          .filter(line -> line.length() >= SHORTEST && !line.startsWith("#") && !line.startsWith("-----")).toList();
    } catch (KeyMaterialException | InvalidPathException _) {
      return List.of();
    }
  }
}
