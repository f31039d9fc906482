package portcullis.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import portcullis.lang.source.FileFailure;

/**
 * Lists or copies the files that come with the program: sample configurations, rules, documentation, unit, man page.
 */
final class FilesCommand {
  static final String OPERANDS = "[DIR]";
  private static final Path FIRST = Path.of("README.md");

  private final Console console;
  private final Path share;

  FilesCommand(Console console) {
    this(console, share());
  }

  FilesCommand(Console console, Path share) {
    this.console = console;
    this.share = share;
  }

  /** Returns the folder of the files that come with the program. */
  static Path share() {
    return Path.of(System.getProperty("java.home"), "share");
  }

  int run(Arguments arguments) throws Arguments.UsageException {
    if (arguments.rest().size() > 1) {
      throw new Arguments.UsageException("name one folder: `portcullis files DIR`");
    }
    if (arguments.rest().contains("")) {
      throw new Arguments.UsageException("an empty string is not the path of a folder; `.` is the current one");
    }
    if (!Files.isDirectory(share)) {
      console.complain("the files that come with the program are missing: there is no folder `" + share + "`");
      return 1;
    }
    try {
      if (arguments.rest().isEmpty()) {
        files().forEach(file -> console.say(file.toString()));
        return 0;
      }
      return copy(Path.of(arguments.rest().getFirst()));
    } catch (InvalidPathException e) {
      throw new Arguments.UsageException("`" + e.getInput() + "` is not the path of a folder");
    } catch (IOException | UncheckedIOException e) {
      console.complain("cannot copy: " + FileFailure.reason(e));
      return 1;
    }
  }

  /** Returns the files, relative to where they are. */
  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(share)) {
      return all.filter(Files::isRegularFile).map(share::relativize).sorted().toList();
    }
  }

  /** Existing files are never overwritten: where there is one, nothing is copied. */
  private int copy(Path folder) throws IOException {
    List<Path> files = files();
    List<Path> existing = new ArrayList<>();
    for (Path file : files) {
      if (Files.exists(folder.resolve(file))) {
        existing.add(folder.resolve(file));
      }
    }
    if (!existing.isEmpty()) {
      console.complain("nothing was copied, as `" + existing.getFirst() + "` exists"
          + (existing.size() == 1 ? "" : " and " + (existing.size() - 1) + " others do"));
      return 1;
    }
    for (Path file : files) {
      Path target = folder.resolve(file);
      Files.createDirectories(target.getParent());
      Files.write(target, Files.readAllBytes(share.resolve(file)));
    }
    console.say(files.size() + " files in " + folder
        + (files.contains(FIRST) ? ", begin with " + folder.resolve(FIRST) : ""));
    return 0;
  }
}
