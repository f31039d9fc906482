package portcullis.observe.decisions;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import portcullis.crypto.keys.Jca;

/**
 * The end of a file of an audit chain.
 *
 * @param last the last complete line of a chain, without its end, where one is in the last megabyte; else the last one
 *        of all, empty if there is none
 * @param complete the size of the file up to the end of that line
 * @param torn what follows it, which a killed process or another program has left
 */
record ChainTail(Optional<byte[]> last, long complete, byte[] torn) {
  private static final int FIRST_STEP = 64 << 10;
  private static final int SEARCHED = 1 << 20;
  /** Longer lines are not written: a sealed request has 256 KB of body and as much of responses. */
  private static final int LONGEST = 16 << 20;

  /** Reads the end of a file; a torn line is kept as it is. */
  static ChainTail read(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return read(channel);
    }
  }

  static ChainTail read(FileChannel channel) throws IOException {
    ChainTail end = end(channel);
    return end.place().isPresent() || end.last.isEmpty() ? end : chained(channel).orElse(end);
  }

  /** Looks for a line of a chain before others. */
  private static Optional<ChainTail> chained(FileChannel channel) throws IOException {
    long from = Math.max(0, channel.size() - SEARCHED);
    byte[] bytes = read(channel, from, (int) (channel.size() - from));
    for (int end = lastLineEnd(bytes, bytes.length); end >= 0; end = lastLineEnd(bytes, end)) {
      byte[] line = Arrays.copyOfRange(bytes, lastLineEnd(bytes, end) + 1, end);
      if (ChainLine.of(line).isPresent()) {
        return Optional.of(new ChainTail(Optional.of(line), from + end + 1,
            Arrays.copyOfRange(bytes, end + 1, bytes.length)));
      }
    }
    return Optional.empty();
  }

  private static ChainTail end(FileChannel channel) throws IOException {
    long size = channel.size();
    for (int step = FIRST_STEP;; step *= 4) {
      long from = Math.max(0, size - step);
      byte[] bytes = read(channel, from, (int) (size - from));
      int end = lastLineEnd(bytes, bytes.length);
      int begin = end < 0 ? -1 : lastLineEnd(bytes, end);
      if (begin >= 0 || from == 0 || step >= LONGEST) {
        Optional<byte[]> line = end < 0 ? Optional.empty() : Optional.of(Arrays.copyOfRange(bytes, begin + 1, end));
        return new ChainTail(line, from + end + 1, Arrays.copyOfRange(bytes, end + 1, bytes.length));
      }
    }
  }

  private static byte[] read(FileChannel channel, long from, int length) throws IOException {
    ByteBuffer out = ByteBuffer.allocate(length);
    while (out.hasRemaining() && channel.read(out, from + out.position()) > 0) {
      // more of it follows
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  private static int lastLineEnd(byte[] bytes, int before) {
    for (int i = before - 1; i >= 0; i--) {
      if (bytes[i] == '\n') {
        return i;
      }
    }
    return -1;
  }

  /** Returns the place of the last line; empty if it is not a line of a chain. */
  Optional<ChainLine> place() {
    return last.flatMap(ChainLine::of);
  }

  /** Returns it with the last line, if nothing but the end of that is missing, among the complete ones. */
  ChainTail completed() {
    Optional<ChainLine> whole = ChainLine.of(torn);
    boolean isNext = whole.isPresent() && (last.isEmpty() || place().filter(whole.get()::follows).isPresent());
    return isNext ? new ChainTail(Optional.of(torn), complete + torn.length + 1, new byte[0]) : this;
  }

  /** Returns whether the log was closed. */
  boolean isClosed() {
    return (torn.length == 0 || isExtended()) && last.flatMap(Checkpoint::of).filter(Checkpoint::last).isPresent();
  }

  /** Returns whether another program has written what follows the last line, which is one of a chain. */
  boolean isExtended() {
    return torn.length > 0 && place().filter(line -> !line.mayPrecede(torn)).isPresent();
  }

  /** Returns the SHA-256 of the torn line. */
  String tornHash() {
    return HexFormat.of().formatHex(Jca.sha256().digest(torn));
  }

  /** Adds the line end that is missing. */
  static void endLine(Path file) throws IOException {
    Files.writeString(file, "\n", StandardOpenOption.APPEND);
  }

  /** Takes the torn line from the file. */
  void heal(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(complete);
      channel.force(true);
    }
  }
}
