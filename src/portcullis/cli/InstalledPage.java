package portcullis.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import portcullis.lang.source.FileFailure;
import portcullis.reference.TerminalText;

/** Prints a reference page that comes with the program as a file, since it is generated from the whole source. */
final class InstalledPage {
  private static final Path FOLDER = Path.of("config/docs/reference");

  private final Console console;
  private final Path file;

  /** @param share the folder of the files that come with the program */
  InstalledPage(Console console, Path share, String topic) {
    this.console = console;
    this.file = share.resolve(FOLDER).resolve(topic + ".md");
  }

  int run(Arguments arguments) {
    try {
      console.say(TerminalText.of(Files.readString(file)).stripTrailing());
      return 0;
    } catch (IOException e) {
      console.complain("the page of this topic is missing: " + FileFailure.reason(e));
      return 1;
    }
  }
}
