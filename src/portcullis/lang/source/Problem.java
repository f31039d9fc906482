package portcullis.lang.source;

/**
 * An error or warning about the configuration: where, what is wrong, and what would be right.
 *
 * @param path the place in the document, as {@code rules[0].execute[1]}; empty for the whole document
 * @param message one line, lower case, no final period, the user's words in backticks
 * @param hint what would be right; may be empty
 */
public record Problem(Severity severity, Origin at, String path, String message, String hint) {
  private static final String HIDDEN = "***";
  private static final int LONGEST_EXCERPT = 300;

  /** Whether the configuration can be used. */
  public enum Severity {
    ERROR,
    /** An error for services, but a warning where a configuration is checked on another host: a key file is missing. */
    ERROR_ON_HOST, WARNING
  }

  /** Quoted input may have several lines, control characters and secrets, which are replaced. */
  public Problem {
    boolean key = WithheldText.isKey(at);
    if (key || WithheldText.isNoMapping(at, path)) {
      message = WithheldText.ofMessage(message, key);
      hint = WithheldText.isHarmless(hint) ? hint : "";
      path = key ? WithheldText.ofPath(path) : path;
    }
    boolean secret = Redaction.isSecretPath(path) || MisplacedSecrets.isPassword(message, hint)
        || message.contains("` is a string,") && Redaction.isHolderPath(path);
    path = Redaction.ofPath(MisplacedSecrets.ofPath(TerminalText.of(path)));
    String name = name(at, path);
    message = Redaction.ofMessage(MisplacedSecrets.ofMessage(TerminalText.of(message), name), secret);
    hint = Redaction.ofMessage(MisplacedSecrets.ofMessage(TerminalText.of(hint), name), secret);
  }

  /** Returns the path, or where there is none the option of the command that the text is of. */
  private static String name(Origin at, String path) {
    return path.isEmpty() && at instanceof Origin.InFile place ? place.file().name() : path;
  }

  public static Problem error(Origin at, String path, String message, String hint) {
    return new Problem(Severity.ERROR, at, path, message, hint);
  }

  public static Problem warning(Origin at, String path, String message, String hint) {
    return new Problem(Severity.WARNING, at, path, message, hint);
  }

  public boolean isError() {
    return severity != Severity.WARNING;
  }

  /** Returns how it counts on a host other than that of the services. */
  public Problem elsewhere() {
    return severity == Severity.ERROR_ON_HOST ? new Problem(Severity.WARNING, at, path, message, hint) : this;
  }

  /** Returns where it is, {@code file:line:column: path: }. */
  public String place() {
    return at.text() + ": " + (path.isEmpty() ? "" : path + ": ");
  }

  /** Returns one line: {@code file:line:column: path: what is wrong, what would be right}. */
  public String text() {
    StringBuilder out = new StringBuilder();
    for (String part : new String[] {at.text(), isError() ? "" : "warning", path}) {
      if (!part.isEmpty()) {
        out.append(part).append(": ");
      }
    }
    out.append(message);
    return hint.isEmpty() ? out.toString() : out.append(", ").append(hint).toString();
  }

  /** Returns the line of the file without secrets, and carets under the range; empty outside of files. */
  public String excerpt() {
    if (!(at instanceof Origin.InFile place)) {
      return "";
    }
    String line = place.file().line(place.line());
    if (line.isBlank()) {
      return "";
    }
    boolean key = WithheldText.isKey(at);
    if (key || WithheldText.isNoMapping(at, path)) {
      return WithheldText.note(key);
    }
    boolean secret = Redaction.isWithinSecret(place.file(), place.line());
    String shown = secret ? line.substring(0, Redaction.indent(line)) + HIDDEN
        : shown(line, place);
    int column = Math.min(secret ? place.column() : shownColumn(line, place), shown.length() + 1);
    int carets = Math.clamp(place.length(), 1, Math.max(1, shown.length() + 1 - column));
    StringBuilder under = new StringBuilder();
    shown.chars().limit(column - 1L).forEach(c -> under.append(c == '\t' ? '\t' : ' '));
    return cut(TerminalText.except('\t', shown), under + "^".repeat(carets), column - 1);
  }

  private String shown(String line, Origin.InFile place) {
    return MisplacedSecrets.ofLine(Redaction.ofLine(line, Redaction.isOfCall(place.file(), place.line())),
        name(at, path));
  }

  /** Returns the column at which the place is shown: within a value that is hidden, the begin of what hides it. */
  private int shownColumn(String line, Origin.InFile place) {
    String before = line.substring(0, Math.min(place.column() - 1, line.length()));
    String shown = shown(before, place);
    return shown.equals(before) ? place.column()
        : shown.endsWith(HIDDEN) && !before.endsWith(HIDDEN) ? shown.length() - HIDDEN.length() + 1
            : shown.length() + 1;
  }

  /** Returns both lines around that index, if the first is long. */
  private static String cut(String line, String under, int at) {
    if (line.length() <= LONGEST_EXCERPT) {
      return line + "\n" + under;
    }
    int from = Math.clamp(at - LONGEST_EXCERPT / 2, 0, line.length() - LONGEST_EXCERPT);
    int to = from + LONGEST_EXCERPT;
    String begin = from > 0 ? "…" : "";
    return begin + line.substring(from, to) + (to < line.length() ? "…" : "") + "\n"
        + " ".repeat(begin.length()) + under.substring(Math.min(from, under.length()), Math.min(to, under.length()));
  }
}
