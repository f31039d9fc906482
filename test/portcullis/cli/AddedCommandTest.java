package portcullis.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import portcullis.fixture.ChangedProgram;

/** A new command is one file, and one line in the list of commands: here one is added to the program. */
final class AddedCommandTest {
  private static final String FILE = """
      package portcullis.cli;

      import java.util.List;

      /** Runs {@code greet}. */
      final class Greet {
        static final List<Arguments.Option> OPTIONS = List.of(
            new Arguments.Option("--tone", "-t", "plain|loud", "how it sounds"));

        private final Console console;

        Greet(Console console) {
          this.console = console;
        }

        int run(Arguments arguments) {
          boolean loud = arguments.value("--tone").filter("loud"::equals).isPresent();
          console.say("hello " + String.join(" ", arguments.rest()) + (loud ? "!" : ""));
          return 0;
        }
      }
      """;
  private static final String LAST = "        new Command(\"version\"";
  private static final String LINE = "        new Command(\"greet\", \"NAME\", \"Greets.\", Greet.OPTIONS, "
      + "new Greet(console)::run),\n";

  @TempDir
  private Path folder;

  @Test
  void aCommandIsOneFileAndOneLine() throws Exception {
    ChangedProgram program = new ChangedProgram(folder).add("cli/Greet.java", FILE)
        .edit("cli/Commands.java", LAST, LINE + LAST).compile();
    assertEquals(new ChangedProgram.Run(0, "hello Ann!\n"), program.run("greet", "-t", "loud", "Ann"));
    ChangedProgram.Run wrong = program.run("greet", "--tone", "shrill", "Ann");
    assertEquals(2, wrong.status(), wrong.output());
    assertTrue(program.run("help").output().contains("portcullis greet"));
    assertTrue(program.run("help", "greet").output().contains("how it sounds"));
    assertEquals(new ChangedProgram.Run(0, "plain\nloud\n"), program.run("__complete", "greet", "--tone", ""));
  }
}
