package portcullis.provider;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import portcullis.source.SourceFile;

/**
 * The rule files of a folder, or one file. Folders below it, hidden files and backups that editors leave ({@code name~}) do
 * not count; links are followed.
 */
record RuleFiles(Path src) {
  /** What tells whether a file has changed: an identity that renaming over it changes, its size and its time. */
  record Stamp(Object identity, long size, long modified) {}

  /** The files with their stamps, by name. */
  SequencedMap<Path, Stamp> stamps() throws IOException {
    SequencedMap<Path, Stamp> out = new TreeMap<>();
    if (Files.isDirectory(src)) {
      try (Stream<Path> entries = Files.list(src)) {
        for (Path entry : entries.filter(RuleFiles::counts).toList()) {
          stamp(entry).ifPresent(s -> out.put(entry, s));
        }
      }
    } else {
      stamp(src).ifPresent(s -> out.put(src, s));
    }
    return out;
  }

  /** Folders within the folder, which are not read. */
  List<Path> folders() throws IOException {
    if (!Files.isDirectory(src)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(src)) {
      return entries.filter(e -> counts(e) && Files.isDirectory(e)).sorted().toList();
    }
  }

  private static boolean counts(Path file) {
    String name = file.getFileName().toString();
    return !name.startsWith(".") && !name.endsWith("~");
  }

  private static Optional<Stamp> stamp(Path file) throws IOException {
    try {
      BasicFileAttributes a = Files.readAttributes(file, BasicFileAttributes.class);
      return a.isRegularFile() ? Optional.of(new Stamp(a.fileKey(), a.size(), a.lastModifiedTime().toMillis())) : Optional.empty();
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  /** The text of a file, which is UTF-8. */
  static SourceFile read(Path file) throws IOException {
    try {
      return new SourceFile(file.toString(), Files.readString(file));
    } catch (CharacterCodingException e) {
      throw new IOException("it is no UTF-8 text", e);
    }
  }

  /** By what a file's rule set is known. */
  static String source(Path file) {
    return "file_system:" + file.toAbsolutePath().normalize();
  }
}
