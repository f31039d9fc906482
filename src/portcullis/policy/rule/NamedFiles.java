package portcullis.policy.rule;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Optional;
import portcullis.config.Node;
import portcullis.crypto.keys.Jca;

/** The contents of the files that a part of a configuration names: of keys, certificates, secrets. */
final class NamedFiles {
  /** Of a longer file its beginning and its size count. */
  private static final int LONGEST = 1 << 20;
  private static final int LONGEST_NAME = 4096;

  private NamedFiles() {}

  /** Returns the digests of all regular files that values in the node name; empty if there are none. */
  static String digests(Node node) {
    StringBuilder out = new StringBuilder();
    add(node, out);
    return out.toString();
  }

  private static void add(Node node, StringBuilder out) {
    switch (node) {
      case Node.Mapping mapping -> mapping.members().values().forEach(member -> add(member.value(), out));
      case Node.Sequence list -> list.items().forEach(item -> add(item, out));
      case Node.Scalar scalar -> file(scalar.text()).map(NamedFiles::digest).ifPresent(out::append);
    }
  }

  private static Optional<Path> file(String name) {
    try {
      return Optional.of(name).filter(text -> !text.isEmpty() && text.length() <= LONGEST_NAME).map(Path::of)
          .filter(Files::isRegularFile);
    } catch (InvalidPathException _) {
      return Optional.empty();
    }
  }

  private static String digest(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      MessageDigest digest = Jca.sha256();
      digest.update(in.readNBytes(LONGEST));
      return " " + HexFormat.of().formatHex(digest.digest()) + " " + Files.size(file);
    } catch (IOException _) {
      return " unreadable";
    }
  }
}
