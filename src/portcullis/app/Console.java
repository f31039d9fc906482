package portcullis.app;

import java.io.PrintStream;
import java.util.List;
import portcullis.source.Problem;
import portcullis.source.Problems;

/** What commands say to their caller. */
final class Console {
  private final PrintStream out;
  private final PrintStream err;

  Console(PrintStream out, PrintStream err) {
    this.out = out;
    this.err = err;
  }

  /** A line of what was asked for. */
  void say(String line) {
    out.println(line);
  }

  /** A line beside what was asked for. */
  void note(String line) {
    err.println(line);
  }

  /** A line on what went wrong. */
  void complain(String line) {
    err.println("portcullis: " + line);
  }

  /** All problems, each with the line that it is about, and how many errors there are. */
  void show(Problems problems) {
    List<Problem> sorted = problems.sorted();
    for (Problem problem : sorted) {
      err.println(problem.text());
      problem.excerpt().lines().forEach(line -> err.println("    " + line));
    }
    if (problems.hasErrors()) {
      err.println(problems.errors() + (problems.errors() == 1 ? " error" : " errors"));
    }
  }
}
