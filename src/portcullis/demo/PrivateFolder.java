package portcullis.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;

/** A new temporary folder that only this user can read; {@link #close} removes it with its files. */
record PrivateFolder(Path path) implements AutoCloseable {
  static PrivateFolder make() throws IOException {
    return new PrivateFolder(Files.createTempDirectory("portcullis-demo-", only("rwx------")));
  }

  /** Writes a new file. */
  Path write(String name, String text) throws IOException {
    Path file = Files.createFile(path.resolve(name), only("rw-------"));
    return Files.write(file, text.getBytes(StandardCharsets.UTF_8));
  }

  private static FileAttribute<?>[] only(String permissions) {
    boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
    return posix
        ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))}
        : new FileAttribute<?>[0];
  }

  @Override
  public void close() {
    try {
      for (Path file : files()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(path);
    } catch (IOException _) {
      // another thread has removed it at the same time; or it stays, readable only by this user
    }
  }

  private List<Path> files() throws IOException {
    if (!Files.isDirectory(path)) {
      return List.of();
    }
    try (Stream<Path> inside = Files.list(path)) {
      return inside.toList();
    }
  }
}
