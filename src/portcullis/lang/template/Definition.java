package portcullis.lang.template;

import java.util.List;

/**
 * The body of a template.
 *
 * @param slots how many variables it has; the first one is {@code $}
 */
record Definition(List<Statement> statements, int slots) {
  /** Returns whether it is blank; another definition of the same name replaces it. */
  boolean isEmpty() {
    return statements.stream().allMatch(s -> s instanceof Statement.Text(String text) && text.isBlank());
  }

  /** Returns whether it has no actions. */
  boolean isText() {
    return statements.stream().allMatch(s -> s instanceof Statement.Text);
  }

  /** Estimates the length of its output, with so many characters for each action. */
  int expectedLength(int ofAnAction) {
    return statements.stream().mapToInt(s -> s instanceof Statement.Text(String text) ? text.length() : ofAnAction)
        .sum();
  }

  /** Returns the text between its actions. */
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
