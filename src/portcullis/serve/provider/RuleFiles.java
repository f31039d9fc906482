package portcullis.serve.provider;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import portcullis.lang.source.SourceFile;

/** The rule files of a folder, or a single file. Subfolders and what {@link RuleFileNames} names are ignored. */
record RuleFiles(Path src) {
  /** Returns the files with their stamps, by name. */
  SequencedMap<Path, FileStamp> stamps() throws IOException {
    if (Files.isDirectory(src)) {
      return inFolder();
    }
    SequencedMap<Path, FileStamp> out = new TreeMap<>();
    FileStamp.of(src).ifPresent(s -> out.put(src, s));
    return out;
  }

  /** Returns the files of the folder; fails if it is none. */
  SequencedMap<Path, FileStamp> inFolder() throws IOException {
    SequencedMap<Path, FileStamp> out = new TreeMap<>();
    try (Stream<Path> entries = Files.list(src)) {
      for (Path entry : entries.filter(RuleFileNames::isRead).toList()) {
        FileStamp.of(entry).ifPresent(s -> out.put(entry, s));
      }
    }
    return out;
  }

  /** Returns the links whose target does not exist. */
  List<Path> dangling() throws IOException {
    return entries(entry -> RuleFileNames.isRead(entry) && Files.isSymbolicLink(entry) && !Files.exists(entry));
  }

  /** Returns the subfolders, which are not read. */
  List<Path> folders() throws IOException {
    return entries(entry -> RuleFileNames.isRead(entry) && Files.isDirectory(entry));
  }

  /** Returns the files that are not read as they have the names of copies or of disabled files. */
  List<Path> copies() throws IOException {
    return entries(entry -> RuleFileNames.isCopy(entry) && !Files.isDirectory(entry));
  }

  private List<Path> entries(Predicate<Path> which) throws IOException {
    if (!Files.isDirectory(src)) {
      return List.of();
    }
    try (Stream<Path> all = Files.list(src)) {
      return all.filter(which).sorted().toList();
    }
  }

  /** Reads a file, which must be UTF-8. */
  static SourceFile read(Path file) throws IOException {
    try {
      return new SourceFile(file.toString(), Files.readString(file));
    } catch (CharacterCodingException _) {
      throw new FileSystemException(file.toString(), null, "it is not UTF-8 text");
    }
  }

  /** Returns the name of the rule set of a file. */
  static String source(Path file) {
    return FileSystem.KIND + file.toAbsolutePath().normalize();
  }
}
