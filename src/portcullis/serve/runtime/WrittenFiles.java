package portcullis.serve.runtime;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import portcullis.config.Node;
import portcullis.lang.source.FileFailure;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.serve.lock.LockJournal;

/** Finds files that services could not write, before they start; creates and changes nothing. */
public final class WrittenFiles {
  private static final String LOCKS = "management.locks.state_file";
  /** Paths of the files that are written. */
  static final List<String> PATHS = List.of("decision_log.file.path", "decision_log.audit.anchor.file", LOCKS,
      "providers.file_system.require_signature.state", "providers.http_endpoint.require_signature.state");

  private WrittenFiles() {}

  /** Adds an error for each file because of which services would not start. */
  public static void check(Settings settings, Problems problems) {
    settings.written().scalars().stream().filter(output -> PATHS.contains(output.path()))
        .forEach(output -> SeparateFiles.place(output).ifPresent(place -> check(output, place, problems)));
  }

  private static void check(Node.Scalar output, Path place, Problems problems) {
    Path folder = place.getParent();
    if (Files.isDirectory(place)) {
      problems.error(output.at(), output.path(), "`" + output.text() + "` is a folder", "name a file in it");
    } else if (!output.path().equals(LOCKS) && Files.exists(place) && !Files.isRegularFile(place)) {
      problems.error(output.at(), output.path(), "`" + output.text() + "` is not a regular file", "name one");
    } else if (isAppendedTo(output) && Files.isSymbolicLink(place)) {
      report(output, "it is a link to a file that does not exist", "create that file, or name it", problems);
    } else if (!Files.isDirectory(folder)) {
      report(output, "there is no folder `" + folder + "`, so the file cannot be written",
          "create it for the user of the service", problems);
    } else if (!Files.isWritable(isAppendedTo(output) && Files.exists(place) ? place : folder)) {
      report(output, "the user of this command may not write it", "services do not start where theirs may not",
          problems);
    } else if (output.path().equals(LOCKS)) {
      locks(output, place, problems);
    } else if (isAppendedTo(output)) {
      log(output, place, problems);
    }
  }

  /** States are written to a new file that replaces the one before. */
  private static boolean isAppendedTo(Node.Scalar output) {
    return output.path().startsWith("decision_log.");
  }

  private static void log(Node.Scalar output, Path place, Problems problems) {
    if (Files.exists(place) && !Files.isReadable(place)) {
      report(output, "the user of this command may not read it", "services do not start where theirs may not",
          problems);
    } else if (!Files.isWritable(place.getParent())) {
      problems.warning(output.at(), output.path(), "the user of this command may not write its folder `"
          + place.getParent() + "`, so the file cannot be renamed when it is full",
          "let the user of the service write there, or nothing is recorded from then on");
    }
  }

  private static void locks(Node.Scalar output, Path place, Problems problems) {
    try {
      LockJournal.check(place);
    } catch (AccessDeniedException _) {
      report(output, "the user of this command may not read it", "services do not start where theirs may not",
          problems);
    } catch (IOException e) {
      problems.error(output.at(), output.path(), LockJournal.refusal(output.text(), e), "");
    }
  }

  private static void report(Node.Scalar output, String what, String remedy, Problems problems) {
    problems.add(new Problem(Problem.Severity.ERROR_ON_HOST, output.at(), output.path(), what, remedy));
  }
}
