package portcullis.lang.source;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Explains why a file could not be read or written. */
public final class FileFailure {
  private FileFailure() {}

  /** Returns the reason in a few words, without the names of classes, and with the file where it is known. */
  public static String reason(Exception failure) {
    Throwable cause = failure instanceof UncheckedIOException ? failure.getCause() : failure;
    return switch (cause) {
      case CharacterCodingException _ -> "it is not UTF-8 text";
      case NoSuchFileException e -> e.getFile() + ": no such file or folder";
      case AccessDeniedException e -> e.getFile() + ": permission denied";
      case FileSystemException e when e.getReason() == null -> e.getFile() + ": the file system does not allow it";
      case IOException e when e.getMessage() == null -> "it failed";
      default -> cause.getMessage();
    };
  }
}
