package portcullis.serve.runtime;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import portcullis.config.Node;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.serve.provider.RuleFileNames;

/** Finds files that would be written and have another purpose too, which writing would destroy. */
final class SeparateFiles {
  /** Paths of what may be a folder of rules. */
  private static final List<String> FOLDERS = List.of("providers.file_system.src", "providers.file_system.shadow");
  /** How paths of files end; other values, as the id of a mechanism, may be the name of a file by chance. */
  private static final Set<String> NAMES = Set.of("path", "file", "key", "keys", "key_file", "hash_key", "seal_key",
      "state_file", "state", "src", "shadow", "trust_store", "certificates", "nonce_key", "users", "revocation_lists",
      "coverage_file");
  private static final Pattern INDEX = Pattern.compile("\\[\\d+]$");

  private SeparateFiles() {}

  /** Adds an error for each file that is written and is that of another purpose too. */
  static void check(Node.Mapping configuration, Problems problems) {
    List<Node.Scalar> files = configuration.scalars().stream().filter(SeparateFiles::isFile).toList();
    for (Node.Scalar output : files) {
      if (WrittenFiles.PATHS.contains(output.path()) && place(output).filter(SeparateFiles::isOrdinary).isPresent()) {
        Path place = place(output).get();
        files.stream().filter(other -> conflicts(output, place, other)).findFirst()
            .ifPresentOrElse(other -> report(output, "this file is that of `" + other.path() + "` ("
                + other.at().text() + ") too", problems),
                () -> besides(configuration, output, place, problems));
      }
    }
  }

  private static void besides(Node.Mapping configuration, Node.Scalar output, Path place, Problems problems) {
    if (configuration.at() instanceof Origin.InFile at && isSame(place, place(at.file().name()))) {
      report(output, "this file is the configuration", problems);
    }
    configuration.scalars().stream().filter(node -> FOLDERS.contains(node.path()))
        .filter(node -> place(node).filter(place::startsWith).isPresent() && RuleFileNames.isRead(place)).findFirst()
        .ifPresent(rules -> report(output, "this file is in the folder of rules `" + rules.path() + "` ("
            + rules.at().text() + "), where all files are read", problems));
  }

  private static void report(Node.Scalar output, String what, Problems problems) {
    problems.error(output.at(), output.path(), what, "name a file of its own, as it is written");
  }

  private static boolean isFile(Node.Scalar node) {
    String path = INDEX.matcher(node.path()).replaceFirst("");
    return NAMES.contains(path.substring(path.lastIndexOf('.') + 1));
  }

  /** Returns whether both are one file; of two that are written the later one is reported. */
  private static boolean conflicts(Node.Scalar output, Path place, Node.Scalar other) {
    int rank = WrittenFiles.PATHS.indexOf(other.path());
    return !other.path().equals(output.path()) && rank < WrittenFiles.PATHS.indexOf(output.path())
        && isSame(place, place(other));
  }

  /** Returns whether it is a file or may become one; a device is refused by itself. */
  private static boolean isOrdinary(Path place) {
    return Files.isRegularFile(place) || !Files.exists(place);
  }

  /** Returns where a file is, or would be; empty for what is not a path. */
  static Optional<Path> place(Node.Scalar node) {
    return place(node.text());
  }

  private static Optional<Path> place(String name) {
    try {
      return name.isBlank() ? Optional.empty() : Optional.of(real(Path.of(name).toAbsolutePath().normalize()));
    } catch (InvalidPathException _) {
      return Optional.empty();
    }
  }

  /** Follows links, also where the file itself does not exist yet. */
  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException _) {
      return path.getParent() == null ? path : real(path.getParent()).resolve(path.getFileName());
    }
  }

  private static boolean isSame(Path one, Optional<Path> other) {
    try {
      return other.isPresent() && (one.equals(other.get())
          || Files.exists(one) && Files.exists(other.get()) && Files.isSameFile(one, other.get()));
    } catch (IOException _) {
      return false;
    }
  }
}
