package portcullis.mutation;

import java.nio.file.Path;

/**
 * One change of a source file: the characters from start to end become the replacement.
 *
 * @param file relative to the folder of the sources
 * @param line where it starts, counted from 1
 * @param what what was changed, for the reader of the report
 */
record Mutation(Path file, int line, int start, int end, String replacement, String what) {
  String applied(String source) {
    return source.substring(0, start) + replacement + source.substring(end);
  }

  /** The line as it was. */
  String original(String source) {
    return source.lines().skip(line - 1L).findFirst().orElse("").strip();
  }

  /** The line where what is changed ends. */
  int lastLine(String source) {
    return line + (int) source.substring(start, end).chars().filter(c -> c == '\n').count();
  }

  @Override
  public String toString() {
    return file + ":" + line + ": " + what;
  }
}
