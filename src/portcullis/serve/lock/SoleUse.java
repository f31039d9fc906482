package portcullis.serve.lock;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;

/**
 * The use of a file by one process only: a lock of the system, which ends with the process however it ends. It is on a
 * file beside it that stays, as the file itself is replaced again and again.
 */
final class SoleUse implements AutoCloseable {
  /** Empty where there are no such locks. */
  private final Optional<FileChannel> channel;

  private SoleUse(Optional<FileChannel> channel) {
    this.channel = channel;
  }

  /** @throws IOException if another process uses the file, or that cannot be found out */
  static SoleUse of(Path file) throws IOException {
    Path beside = file.resolveSibling(file.getFileName() + ".lock");
    if (Files.exists(beside, LinkOption.NOFOLLOW_LINKS) && !Files.isRegularFile(beside, LinkOption.NOFOLLOW_LINKS)) {
      throw new IOException("`" + beside + "` is not a regular file: remove it");
    }
    FileChannel channel;
    try {
      channel = FileChannel.open(beside,
          Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (IOException _) {
      if (Files.exists(beside, LinkOption.NOFOLLOW_LINKS)) {
        throw new IOException("`" + beside + "` cannot be opened for writing: it must belong to the user that the "
            + "service runs as; `chown` or remove it");
      }
      return new SoleUse(Optional.empty()); // what is wrong with the folder shows at the first change
    }
    SoleUse out = new SoleUse(Optional.of(channel));
    if (!isLocked(channel)) {
      out.close();
      throw new IOException("another process keeps its locks there, perhaps a second Portcullis: each service needs a "
          + "file of its own");
    }
    return out;
  }

  private static boolean isLocked(FileChannel channel) {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException _) {
      return false;
    } catch (IOException _) {
      return true; // a file system without locks
    }
  }

  @Override
  public void close() {
    channel.ifPresent(open -> {
      try {
        open.close();
      } catch (IOException _) {
        // the process ends soon
      }
    });
  }
}
