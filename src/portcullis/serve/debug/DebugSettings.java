package portcullis.serve.debug;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
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
 * The settings of debug tokens.
 *
 * @param keyFile the file of the key that signs them
 * @param keep how long explanations can be read
 * @param most how many are kept
 * @param mostBytes how much memory they take in all
 */
public record DebugSettings(LocatedText keyFile, Duration keep, int most, long mostBytes) {
  private static final Duration LONGEST = Duration.ofHours(24);
  private static final long SMALLEST = 64 << 10;
  private static final long LARGEST = 1L << 30;

  public static Decoder<DebugSettings> decoder() {
    Key<LocatedText> key = Key.required("key_file",
        Decoders.file(),
        "a file with 64 hexadecimal digits: who has this key may have requests explained, by "
            + "`portcullis debug-token`");
    Key<Duration> keep = Key.withDefault("keep", Decoders.plainDuration().then((time, node, problems) -> {
      if (time.isPositive() && time.compareTo(LONGEST) <= 0) {
        return Optional.of(time);
      }
      problems.error(node.at(), node.path(), "explanations cannot be kept for this time", "1s to 24h is right");
      return Optional.empty();
    }), Duration.ofMinutes(15), "how long explanations can be read");
    Key<Integer> most = Key.withDefault("max_count", Decoders.number(1, 100_000), 1000,
        "how many explanations are kept; the oldest ones go first");
    Key<Long> size = Key.withDefault("max_size", Decoders.byteSize().then((bytes, node, problems) -> {
      if (bytes >= SMALLEST && bytes <= LARGEST) {
        return Optional.of(bytes);
      }
      problems.error(node.at(), node.path(), "explanations cannot have this size", "64KB to 1GB is right");
      return Optional.empty();
    }), 8L << 20, "how much memory explanations take in all");
    return Decoders.object("debug tokens", List.of(key, keep, most, size),
        p -> new DebugSettings(p.get(key), p.get(keep), p.get(most), p.get(size)));
  }

  /** Returns the key; adds a problem where it cannot be read. */
  public Optional<SymmetricKey> key(Problems problems) {
    try {
      return Optional.of(SymmetricKey.read(Path.of(keyFile.text())));
    } catch (KeyMaterialException | InvalidPathException e) {
      KeyMaterialException.report(e, keyFile, problems);
      return Optional.empty();
    }
  }
}
