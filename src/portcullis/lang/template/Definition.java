package portcullis.lang.template;

import java.util.List;

/**
 * The body of a template.
 *
 * @param slots how many variables it has; the first one is {@code $}
 */
record Definition(List<Statement> statements, int slots) {
  /** Whether it is nothing but blanks; such a one gives way to another of its name. */
  boolean isEmpty() {
    return statements.stream().allMatch(s -> s instanceof Statement.Text(String text) && text.isBlank());
  }

  /** Whether it has no actions. */
  boolean isText() {
    return statements.stream().allMatch(s -> s instanceof Statement.Text);
  }

  /** About how long its text will be, where each action adds so many characters. */
  int expectedLength(int ofAnAction) {
    return statements.stream().mapToInt(s -> s instanceof Statement.Text(String text) ? text.length() : ofAnAction)
        .sum();
  }

  /** Its text, where it has no actions. */
  String text() {
    StringBuilder out = new StringBuilder();
    for (Statement statement : statements) {
      if (statement instanceof Statement.Text(String text)) {
        out.append(text);
      }
    }
    return out.toString();
  }
}
