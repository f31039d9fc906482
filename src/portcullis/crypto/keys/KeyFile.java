package portcullis.crypto.keys;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import portcullis.lang.source.PastedKey;

/** A file of keys or certificates, read whole and at most 2 MiB long. */
public final class KeyFile {
  /** What is wrong with a file that every user may write. */
  public static final String WRITABLE = "everybody may write it, as `chmod 600` prevents";

  private static final int LARGEST_BYTES = 2 << 20;
  /** Bits of a mode (POSIX.1-2024, sys/stat.h); the latter keeps others from removing files. */
  private static final int OTHERS_WRITE = 0002;
  private static final int STICKY = 01000;

  private KeyFile() {}

  /** Returns its bytes as Latin-1: what counts in PEM is ASCII. */
  public static String text(Path file) throws KeyMaterialException {
    if (Files.isDirectory(file)) {
      throw new KeyMaterialException("it is a folder, not a file");
    }
    if (PastedKey.isLike(file) && !Files.exists(file)) {
      throw new KeyMaterialException(
          "a key seems to be in the place of the path of its file: write it to a file, and name that");
    }
    try (InputStream in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(LARGEST_BYTES + 1);
      if (bytes.length > LARGEST_BYTES) {
        throw new KeyMaterialException("it is larger than " + LARGEST_BYTES + " bytes");
      }
      return new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (NoSuchFileException _) {
      throw missing(file);
    } catch (AccessDeniedException _) {
      throw KeyMaterialException.inaccessible("it cannot be read: permission denied");
    } catch (IOException e) {
      throw new KeyMaterialException("it cannot be read: " + e.getMessage());
    }
  }

  /** Returns the same, but refuses a file that every user may write: any of them could give themselves access. */
  public static String guarded(Path file) throws KeyMaterialException {
    if (isWritableByAll(file)) {
      throw new KeyMaterialException(WRITABLE);
    }
    return text(file);
  }

  /** Returns whether every user may write it. */
  public static boolean isWritableByAll(Path file) {
    try {
      return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_WRITE);
    } catch (IOException | UnsupportedOperationException _) {
      return false;
    }
  }

  /** Returns whether every user may remove and replace the files of a folder: they may write it, and not only add. */
  public static boolean isFolderOfAll(Path folder) {
    try {
      int mode = (Integer) Files.getAttribute(folder, "unix:mode");
      return (mode & OTHERS_WRITE) != 0 && (mode & STICKY) == 0;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
      return false;
    }
  }

  /** A file that its folder lacks is an error on any host; without the folder, another host may have both. */
  private static KeyMaterialException missing(Path file) {
    String message = "there is no such file" + (file.isAbsolute() ? "" : " in `" + Path.of("").toAbsolutePath() + "`");
    Path folder = file.toAbsolutePath().getParent();
    return folder != null && Files.isDirectory(folder)
        ? new KeyMaterialException(message)
        : KeyMaterialException.inaccessible(message);
  }
}
