package portcullis.bench;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.BitSet;

/**
 * The log of a soak, read while it grows. What has been read is given back to the disk where fallocate can do that. For
 * one thread.
 */
final class SoakLog implements AutoCloseable {
  private static final String FINISHED = "\"TX finished\"";
  private static final int BLOCK = 1 << 20;

  private final Path path;
  private final String prefix;
  private final RandomAccessFile file;
  private final BitSet numbers = new BitSet();
  private final byte[] bytes = new byte[BLOCK];
  private int held;
  private long read;
  private long lines;

  /** @param prefix of the paths asked for, before their numbers */
  SoakLog(Path path, String prefix) throws IOException {
    this.path = path;
    this.prefix = prefix;
    this.file = new RandomAccessFile(path.toFile(), "r");
  }

  /** How many requests it tells the end of so far. */
  long lines() {
    return lines;
  }

  /** How many different ones. */
  long different() {
    return numbers.cardinality();
  }

  /** The greatest number that it tells of, and one; 0 where it tells of none. */
  long bound() {
    return numbers.length();
  }

  long megabytes() {
    return read >> 20;
  }

  /** Reads what is new. */
  void read() throws IOException {
    for (int n = file.read(bytes, held, BLOCK - held); n > 0; n = file.read(bytes, held, BLOCK - held)) {
      read += n;
      held += n;
      int begin = 0;
      for (int i = held - n; i < held; i++) {
        if (bytes[i] == '\n') {
          line(new String(bytes, begin, i - begin, StandardCharsets.ISO_8859_1));
          begin = i + 1;
        }
      }
      held -= begin;
      System.arraycopy(bytes, begin, bytes, 0, held);
    }
  }

  private void line(String line) {
    int at = line.contains(FINISHED) ? line.indexOf(prefix) : -1;
    if (at < 0) {
      return;
    }
    int begin = at + prefix.length();
    int end = begin;
    while (end < line.length() && Character.digit(line.charAt(end), 10) >= 0) {
      end++;
    }
    lines++;
    numbers.set(Integer.parseInt(line, begin, end, 10));
  }

  /** Leaves a hole where it has been read. */
  void free() throws InterruptedException {
    try {
      new ProcessBuilder("fallocate", "--punch-hole", "--offset", "0", "--length", Long.toString(Math.max(read, 1)),
          path.toString())
          .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start().waitFor();
    } catch (IOException _) {
      // there is no such program: the file takes its place until the end
    }
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
