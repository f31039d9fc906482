package portcullis.crypto.keys;

import java.nio.file.Path;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.PastedKey;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;

/**
 * A file, key or certificate that cannot be used. The message is fit for a configuration problem, as
 * {@code key store `x.pem`: entry 2 (line 14, `EC PRIVATE KEY`): …}, and never holds a secret. An outcome, so without
 * stack trace.
 */
public final class KeyMaterialException extends Exception {
  private static final long serialVersionUID = 1;

  private final boolean inaccessible;

  public KeyMaterialException(String message) {
    this(message, false);
  }

  private KeyMaterialException(String message, boolean inaccessible) {
    super(message, null, false, false);
    this.inaccessible = inaccessible;
  }

  /** Returns the error of a file that does not exist or may not be read, which may be otherwise on another host. */
  static KeyMaterialException inaccessible(String message) {
    return new KeyMaterialException(message, true);
  }

  /** Adds the problem that a file with that path in a configuration has. */
  public static void report(Exception cause, LocatedText path, Problems problems) {
    report(cause, path, "", problems);
  }

  /** Adds the problem that a file has, and names the file if the error does not. */
  public static void reportFile(Exception cause, LocatedText path, Problems problems) {
    boolean isNamed = cause.getMessage().contains(path.text());
    report(
        isNamed || !(cause instanceof KeyMaterialException error) ? cause
            : error.in(PastedKey.shown(Path.of(path.text()))),
        path,
        problems);
  }

  /** Adds the problem that a file has. @param remedy what would be right; may be empty */
  public static void report(Exception cause, LocatedText path, String remedy, Problems problems) {
    Origin at = path.at(0, path.text().length());
    if (cause instanceof KeyMaterialException error && error.inaccessible) {
      problems.add(new Problem(Problem.Severity.ERROR_ON_HOST, at, path.path(), error.getMessage(),
          "services do not start without it" + (remedy.isEmpty() ? "" : ", " + remedy)));
    } else {
      problems.error(at, path.path(), cause.getMessage(), remedy);
    }
  }

  /** Returns the same error with its place. */
  KeyMaterialException in(String place) {
    return new KeyMaterialException(place + ": " + getMessage(), inaccessible);
  }
}
