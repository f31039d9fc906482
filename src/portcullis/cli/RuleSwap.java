package portcullis.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import portcullis.lang.source.SourceFile;
import portcullis.policy.rule.RuleOrigin;
import portcullis.policy.rule.RuleReader;
import portcullis.serve.provider.FileSystem;

/** Replaces live rules by shadow rules, a file by a file or a folder by a folder. */
sealed interface RuleSwap permits RuleFileSwap, RuleFolderSwap {
  /** Returns the swap of files, or of folders if either is one. */
  static RuleSwap of(Path src, Path shadow) {
    return Files.isDirectory(src) || Files.isDirectory(shadow) ? new RuleFolderSwap(src, shadow)
        : new RuleFileSwap(src, shadow);
  }

  /** Returns what is replaced. */
  Path src();

  /** Returns what replaces it. */
  Path shadow();

  /** Returns why that is not possible; empty if it is. */
  Optional<String> obstacle();

  /** Reads rules: the text of each file by its name in the folder, or of the file by an empty name. */
  SequencedMap<String, String> texts(Path of) throws IOException;

  /** Reads the shadow rules. */
  default SequencedMap<String, String> texts() throws IOException {
    return texts(shadow());
  }

  /** Returns the digests of the live rules as they are on the disk now; files without any have none. */
  default SequencedMap<String, String> live() throws IOException {
    SequencedMap<String, String> texts = texts(src());
    texts.values().removeIf(text -> text.lines().allMatch(line -> line.isBlank() || line.strip().startsWith("#")));
    return digests(src(), texts);
  }

  /**
   * Replaces the rules.
   *
   * @param texts of the shadow rules
   * @return where the rules of before are
   */
  Path run(SequencedMap<String, String> texts, Instant now) throws IOException;

  /** Returns the command that restores the rules of before. */
  String undo(Path old);

  /** Returns the digest of each rule set by its name, as a service reports them of this file or folder. */
  static SequencedMap<String, String> digests(Path of, SequencedMap<String, String> texts) {
    Path whole = of.toAbsolutePath().normalize();
    SequencedMap<String, String> out = new TreeMap<>();
    texts.forEach((name, text) -> {
      if (!RuleReader.isOther(new SourceFile(name, text))) {
        out.put(FileSystem.KIND + whole.resolve(name), RuleOrigin.digest(text));
      }
    });
    return out;
  }

  /** Reads a rule file, which must be UTF-8. */
  static String read(Path file) throws IOException {
    try {
      return Files.readString(file);
    } catch (CharacterCodingException _) {
      throw new FileSystemException(file.toString(), null, "it is not UTF-8 text");
    }
  }

  /** Returns a time as it is in names of files. */
  static String name(Instant time) {
    return DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss.SSS'Z'").withZone(ZoneOffset.UTC).format(time);
  }

  /** Overwrites a file and waits until the device has it. */
  static void write(Path file, String text) throws IOException {
    try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
      out.force(true);
    }
  }
}
