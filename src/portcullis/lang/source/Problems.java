package portcullis.lang.source;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.Set;

/** Collects the distinct problems of one configuration; for one thread. */
public final class Problems {
  private final SequencedSet<Problem> found = new LinkedHashSet<>();
  private final Set<String> explained = new HashSet<>();
  private long errors;

  public void add(Problem problem) {
    boolean isNew = explained.contains(problem.path()) || found.add(problem);
    errors += isNew && problem.isError() ? 1 : 0;
  }

  /** Adds an error that causes all others of its path, which count but are not reported. */
  public void onlyError(Origin at, String path, String message, String hint) {
    error(at, path, message, hint);
    if (!path.isEmpty()) {
      explained.add(Problem.error(at, path, message, hint).path());
    }
  }

  public void error(Origin at, String path, String message, String hint) {
    add(Problem.error(at, path, message, hint));
  }

  public void warning(Origin at, String path, String message, String hint) {
    add(Problem.warning(at, path, message, hint));
  }

  /** Adds all problems of the other collection. */
  public void addAll(Problems other) {
    other.found.forEach(this::add);
    explained.addAll(other.explained);
  }

  /** Returns how they count on a host other than that of the services. */
  public Problems elsewhere() {
    Problems out = new Problems();
    found.forEach(problem -> out.add(problem.elsewhere()));
    return out;
  }

  public boolean hasErrors() {
    return errors > 0;
  }

  public boolean isEmpty() {
    return found.isEmpty();
  }

  /** Returns the number of errors, which callers compare to find out whether something failed in between. */
  public long errors() {
    return errors;
  }

  /** Returns the problems by file, line and column, those outside of files first. */
  public List<Problem> sorted() {
    List<Problem> out = new ArrayList<>(found);
    out.sort(Problems::compare);
    return List.copyOf(out);
  }

  /** Written out, as comparators that the JDK combines may be serialized, and are not in the AOT cache for that. */
  private static int compare(Problem one, Problem other) {
    int file = fileOf(one).compareTo(fileOf(other));
    int line = file != 0 ? file : Integer.compare(lineOf(one), lineOf(other));
    return line != 0 ? line : Integer.compare(columnOf(one), columnOf(other));
  }

  private static String fileOf(Problem problem) {
    return problem.at() instanceof Origin.InFile place ? place.file().name() : "";
  }

  private static int lineOf(Problem problem) {
    return problem.at() instanceof Origin.InFile place ? place.line() : 0;
  }

  private static int columnOf(Problem problem) {
    return problem.at() instanceof Origin.InFile place ? place.column() : 0;
  }
}
