package portcullis.lang.source;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.junit.jupiter.api.Test;

class FileFailureTest {
  @Test
  void reasonsAreWordsNotClasses() {
    assertEquals("it is not UTF-8 text", FileFailure.reason(new MalformedInputException(1)));
    assertEquals("a: no such file or folder", FileFailure.reason(new NoSuchFileException("a")));
    assertEquals("a: permission denied",
        FileFailure.reason(new UncheckedIOException(new AccessDeniedException("a"))));
    assertEquals("a: the file system does not allow it", FileFailure.reason(new FileSystemException("a")));
    assertEquals("a: Is a directory", FileFailure.reason(new FileSystemException("a", null, "Is a directory")));
    assertEquals("it failed", FileFailure.reason(new IOException()));
  }
}
