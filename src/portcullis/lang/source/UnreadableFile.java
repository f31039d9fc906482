package portcullis.lang.source;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Says why a file cannot be read, and where it is. */
public final class UnreadableFile {
  private UnreadableFile() {}

  /** Returns the path in backticks; behind a relative one the folder that it is relative to. */
  public static String shown(Path path) {
    return "`" + path + "`" + (path.isAbsolute() ? "" : " in `" + Path.of("").toAbsolutePath() + "`");
  }

  /** Returns the path and the reason: {@code `x.yaml` in `/etc`: permission denied}. */
  public static String message(Path path, IOException cause) {
    return shown(path) + ": " + reason(path, cause);
  }

  private static String reason(Path path, IOException cause) {
    return switch (cause) {
      case NoSuchFileException _ -> "there is no such file";
      case AccessDeniedException denied -> "permission denied"
          + (denied.getFile() == null || denied.getFile().equals(path.toString()) ? ""
              : " to `" + denied.getFile() + "`");
      case CharacterCodingException _ -> "it is not UTF-8 text";
      case FileSystemException error when error.getReason() != null && !Files.isDirectory(path) -> error.getReason();
      default -> Files.isDirectory(path) ? "it is a folder, not a file"
          : cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
    };
  }
}
