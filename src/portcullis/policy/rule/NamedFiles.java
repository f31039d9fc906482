package portcullis.policy.rule;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import portcullis.config.Node;
import portcullis.crypto.keys.Jca;

/**
 * The contents of files that a configuration names: of keys, users, trusted certificates. Each is read once, until its
 * size, its time or the file itself is another one. Thread safe.
 */
public final class NamedFiles {
  /** Of a longer file its beginning and its size count. */
  private static final int LONGEST = 1 << 20;
  private static final int LONGEST_NAME = 4096;
  private static final int DIGITS = 32;

  private final Map<Path, Version> known = new ConcurrentHashMap<>();

  /** A file as it was read. */
  private record Version(long size, long time, String key, String digest) {
    boolean isOf(BasicFileAttributes file) {
      return size == file.size() && time == time(file) && key.equals(key(file));
    }

    static long time(BasicFileAttributes file) {
      return file.lastModifiedTime().to(TimeUnit.NANOSECONDS);
    }

    static String key(BasicFileAttributes file) {
      return Objects.toString(file.fileKey());
    }
  }

  /** Returns the regular files that values in the node name. */
  static List<Path> in(Node node) {
    List<Path> out = new ArrayList<>();
    node.scalars().forEach(scalar -> add(scalar.text(), out));
    return out;
  }

  private static void add(String name, List<Path> out) {
    try {
      if (!name.isEmpty() && name.length() <= LONGEST_NAME && Files.isRegularFile(Path.of(name))) {
        out.add(Path.of(name));
      }
    } catch (InvalidPathException _) {
      // it is something else
    }
  }

  /** Returns the digest of the contents that files have now. */
  public String digest(List<Path> files) {
    StringBuilder out = new StringBuilder();
    files.forEach(file -> out.append(digest(file)));
    return RuleOrigin.digest(out.toString()).substring(0, DIGITS);
  }

  private String digest(Path file) {
    try {
      BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
      Version version = known.get(file);
      if (version == null || !version.isOf(now)) {
        version = new Version(now.size(), Version.time(now), Version.key(now), read(file, now.size()));
        known.put(file, version);
      }
      return version.digest;
    } catch (IOException _) {
      return "unreadable ";
    }
  }

  private static String read(Path file, long size) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = Jca.sha256();
      digest.update(in.readNBytes(LONGEST));
      return HexFormat.of().formatHex(digest.digest()) + " " + size + " ";
    }
  }
}
