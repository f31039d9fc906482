package portcullis.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * Replaces a rule file by a shadow rule file at once: it is written beside the live one, with owner and permissions,
 * and renamed over it, so that a service sees either the one or the other. A copy of the live one is kept under a name
 * that services ignore, and the shadow file is removed at last.
 */
record RuleFileSwap(Path src, Path shadow) {
  private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'")
      .withZone(ZoneOffset.UTC);

  /** Returns why that is not possible; empty if it is. */
  Optional<String> obstacle() {
    if (Files.isDirectory(src) || Files.isDirectory(shadow)) {
      return Optional.of("`src` and `shadow` have to be files: a folder cannot be replaced at once; a signed bundle"
          + " holds several files");
    }
    if (!Files.isRegularFile(shadow)) {
      return Optional.of("there is no file " + shadow);
    }
    return Files.isRegularFile(src) ? Optional.empty() : Optional.of("there is no file " + src);
  }

  /**
   * Replaces the file.
   *
   * @param text of the shadow file
   * @return the copy of the live file
   */
  Path run(String text, Instant now) throws IOException {
    Path live = src.toRealPath();
    Path old = live.resolveSibling(live.getFileName() + "." + TIME.format(now) + "~");
    Path next = live.resolveSibling("." + live.getFileName() + ".next");
    Files.copy(live, old, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
    try {
      Files.copy(live, next, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING,
          LinkOption.NOFOLLOW_LINKS);
      write(next, text);
      Files.move(next, live, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.deleteIfExists(next);
      Files.deleteIfExists(old);
      throw e;
    }
    if (Files.readString(shadow).equals(text)) { // unless it has been changed meanwhile
      Files.delete(shadow);
    }
    return old;
  }

  private static void write(Path file, String text) throws IOException {
    try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
  }
}
