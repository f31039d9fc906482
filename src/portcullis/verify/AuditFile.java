package portcullis.verify;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import portcullis.lang.source.UnreadableFile;
import portcullis.observe.decisions.ChainLine;

/** A file of an audit chain, read line by line. */
record AuditFile(Path path) {
  private static final int BUFFER = 1 << 16;
  /** Longer lines are not written. */
  private static final int LONGEST = 64 << 20;
  private static final int PROBES = 64;

  /** Gets lines in order; returns whether it wants more. */
  interface Reader {
    boolean line(AuditLine line);
  }

  /** Which chain a file is of, and about where in it. */
  record Position(String chain, long number) {}

  /** Passes the lines until the reader has enough; returns whether it wants more. */
  boolean read(Reader reader) throws IOException {
    try (InputStream in = new BufferedInputStream(opened(path), BUFFER)) {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      long number = 1;
      for (int octet = in.read(); octet >= 0; octet = in.read()) {
        if (octet == '\n') {
          if (!reader.line(line(number, line.toByteArray(), false))) {
            return false;
          }
          number++;
          line.reset();
        } else if (line.size() < LONGEST) {
          line.write(octet);
        }
      }
      return line.size() == 0 || reader.line(line(number, line.toByteArray(), true));
    } catch (IOException e) {
      throw new IOException(UnreadableFile.message(path, e), e);
    }
  }

  /** Opens a file, but no pipe at its path, which may never be written; one of the shell, as {@code <(…)}, ends. */
  static InputStream opened(Path path) throws IOException {
    if (Files.exists(path) && !Files.isRegularFile(path) && !Files.isDirectory(path) && !path.startsWith("/dev")
        && !path.startsWith("/proc")) {
      throw new FileSystemException(path.toString(), null, "it is not a regular file");
    }
    return Files.newInputStream(path);
  }

  /** Returns why there is something else at the path, as another program has put it there; empty if it is a file. */
  Optional<String> otherKind() {
    return !Files.exists(path, LinkOption.NOFOLLOW_LINKS) || Files.isRegularFile(path) || path.startsWith("/dev")
        || path.startsWith("/proc") ? Optional.empty()
            : Optional.of(Files.isDirectory(path) ? "it is a folder"
                : Files.exists(path) ? "it is not a regular file" : "it is a link to a file that does not exist");
  }

  /** Returns whether more is in it than the beginning of a line, which a killed process leaves. */
  boolean hasWholeLine() throws IOException {
    List<AuditLine> first = new ArrayList<>();
    read(line -> first.add(line) && false);
    return !first.isEmpty() && !first.getFirst().torn();
  }

  private AuditLine line(long number, byte[] bytes, boolean torn) {
    return AuditLine.of(path + ":" + number, bytes, torn);
  }

  /**
   * Returns the chain of most of the first lines, and the middle one of their first numbers, as some of them may have
   * been moved or added; empty if no line is of a chain.
   */
  Optional<Position> position() throws IOException {
    List<ChainLine> first = new ArrayList<>();
    read(line -> {
      line.place().or(() -> Optional.of(line).filter(AuditLine::isConverted)
          .flatMap(one -> ChainLine.of(Arrays.copyOf(one.bytes(), one.bytes().length - 1)))).ifPresent(first::add);
      return first.size() < PROBES;
    });
    Map<String, Long> counts = first.stream()
        .collect(Collectors.groupingBy(ChainLine::chain, LinkedHashMap::new, Collectors.counting()));
    return counts.entrySet().stream().max(Map.Entry.comparingByValue()).map(most -> {
      long[] numbers = first.stream().filter(line -> line.chain().equals(most.getKey())).limit(3)
          .mapToLong(ChainLine::number).sorted().toArray();
      return new Position(most.getKey(), numbers[numbers.length / 2]);
    });
  }

  /** Returns whether a line without its end is a whole line with something added. */
  static boolean isWholeWithMore(byte[] torn) {
    return torn.length > 0 && ChainLine.of(Arrays.copyOf(torn, torn.length - 1)).isPresent();
  }
}
