package portcullis.observe.decisions;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.PublicKey;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The newest checkpoints in a file. */
final class AnchorTail {
  /** Some thousand checkpoints. */
  private static final int BYTES = 1 << 20;

  private AnchorTail() {}

  /** Returns the newest checkpoint of a key that is wanted, among those of the last megabyte. */
  static Optional<ChainLine> newest(Path file, PublicKey key, Predicate<ChainLine> wanted) throws IOException {
    List<String> lines = end(file).lines().toList();
    return lines.reversed().stream()
        .flatMap(line -> Checkpoint.of(line.getBytes(StandardCharsets.ISO_8859_1)).stream())
        .filter(checkpoint -> wanted.test(checkpoint.line()) && checkpoint.isSignedBy(key)).map(Checkpoint::line)
        .findFirst();
  }

  private static String end(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      ByteBuffer out = ByteBuffer.allocate((int) Math.min(BYTES, channel.size()));
      channel.position(channel.size() - out.capacity());
      while (out.hasRemaining() && channel.read(out) > 0) {
        // more of it follows
      }
      return StandardCharsets.ISO_8859_1.decode(out.flip()).toString();
    }
  }
}
