package portcullis.demo;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import portcullis.lang.source.FileFailure;

/**
 * The configuration and the rules of the demonstration: those of the working folder if it has both, as the project's
 * has, else a copy in {@value #FOLDER}, which is made once and then used as it is.
 *
 * @param temporary where the copy is if the working folder cannot be written; removed at the end
 * @param note on where they are; empty if that is as usual
 */
public record DemoFiles(Path config, Path rules, Optional<PrivateFolder> temporary, String note)
    implements AutoCloseable {
  static final String FOLDER = "portcullis-demo";
  private static final Path CONFIG = Path.of("config", "demo.yaml");
  private static final Path RULES = Path.of("rules", "demo.yaml");

  /**
   * Finds or copies them.
   *
   * @param config a file that is used instead
   * @param rules a file that is used instead
   * @param here the working folder
   * @param share the folder of the originals
   * @throws IOException if a file is missing, or there is nowhere to copy them to
   */
  public static DemoFiles of(Optional<Path> config, Optional<Path> rules, Path here, Path share) throws IOException {
    for (Path named : Stream.of(config, rules).flatMap(Optional::stream).toList()) {
      if (!Files.exists(named)) {
        throw new NoSuchFileException(named.toString());
      }
    }
    if (config.isPresent() && rules.isPresent()) {
      return new DemoFiles(config.get(), rules.get(), Optional.empty(), "");
    }
    DemoFiles found = found(here, share);
    return new DemoFiles(config.orElse(found.config), rules.orElse(found.rules), found.temporary, found.note);
  }

  private static DemoFiles found(Path here, Path share) throws IOException {
    if (isComplete(here)) {
      return in(here, "");
    }
    Path folder = here.resolve(FOLDER);
    if (isComplete(folder)) {
      return in(folder, "");
    }
    try {
      copy(share.resolve(CONFIG), folder.resolve(CONFIG));
      copy(share.resolve(RULES), folder.resolve(RULES));
      return in(folder, "");
    } catch (IOException e) {
      return inTemporary(share, FileFailure.reason(e));
    }
  }

  private static DemoFiles inTemporary(Path share, String reason) throws IOException {
    PrivateFolder folder = PrivateFolder.make();
    try {
      Path config = folder.write("config.yaml", Files.readString(share.resolve(CONFIG)));
      Path rules = folder.write("rules.yaml", Files.readString(share.resolve(RULES)));
      return new DemoFiles(config, rules, Optional.of(folder), "Changes are lost at the end, as the files are in a "
          + "temporary folder: " + reason);
    } catch (IOException e) {
      folder.close();
      throw e;
    }
  }

  private static boolean isComplete(Path folder) {
    return Files.isRegularFile(folder.resolve(CONFIG)) && Files.isRegularFile(folder.resolve(RULES));
  }

  private static DemoFiles in(Path folder, String note) {
    return new DemoFiles(folder.resolve(CONFIG), folder.resolve(RULES), Optional.empty(), note);
  }

  private static void copy(Path from, Path to) throws IOException {
    if (!Files.exists(to)) {
      Files.createDirectories(to.getParent());
      Files.write(to, Files.readAllBytes(from));
    }
  }

  @Override
  public void close() {
    removeTemporary();
  }

  /** Removes the temporary copy, if there is one; may be called more than once. */
  public void removeTemporary() {
    temporary.ifPresent(PrivateFolder::close);
  }
}
