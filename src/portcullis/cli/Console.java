package portcullis.cli;

import java.io.PrintStream;
import java.util.List;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.Redaction;
import portcullis.lang.source.TerminalText;

/** The output of commands. */
final class Console {
  private static final String STRONG = "1";
  private static final String RED = "1;31";
  private static final String YELLOW = "1;33";

  private final PrintStream out;
  private final PrintStream err;
  private final boolean colours;

  Console(PrintStream out, PrintStream err) {
    this(out, err, false);
  }

  /** @param colours whether problems are shown in colours */
  Console(PrintStream out, PrintStream err, boolean colours) {
    this.out = out;
    this.err = err;
    this.colours = colours;
  }

  /** A line of the result. */
  void say(String line) {
    out.println(line);
  }

  /** Returns whether the result is still read: not where a pipe ends, as that to {@code head} does. */
  boolean isRead() {
    return !out.checkError();
  }

  /** The result of a command that found nothing but problems. @param json whether it is for programs, who get them */
  void say(boolean json, Problems problems) {
    if (json) {
      say(ProblemsJson.of(problems));
    }
  }

  /** A line beside the result. */
  void note(String line) {
    err.println(line);
  }

  /** A line on what went wrong. */
  void complain(String line) {
    err.println(painted(RED, "portcullis:") + " " + TerminalText.of(Redaction.withoutUserinfo(line)));
  }

  /** Prints all problems, each with the line that it is about, and the number of errors. */
  void show(Problems problems) {
    List<Problem> sorted = problems.sorted();
    for (Problem problem : sorted) {
      String place = problem.at().text();
      err.println(painted(STRONG, place) + problem.text().substring(place.length()));
      String colour = problem.isError() ? RED : YELLOW;
      List<String> excerpt = problem.excerpt().lines().toList();
      for (int i = 0; i < excerpt.size(); i++) {
        err.println("    " + (i == 0 ? excerpt.get(i) : painted(colour, excerpt.get(i))));
      }
    }
    if (problems.hasErrors()) {
      err.println(painted(RED, problems.errors() + (problems.errors() == 1 ? " error" : " errors")));
    }
  }

  /** Select Graphic Rendition (ECMA-48, 8.3.117). */
  private String painted(String colour, String text) {
    return colours && !text.isEmpty() ? "\u001b[" + colour + "m" + text + "\u001b[0m" : text;
  }
}
