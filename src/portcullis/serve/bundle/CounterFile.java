package portcullis.serve.bundle;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.crypto.keys.KeyFile;
import portcullis.lang.source.FileFailure;

/** The file that holds the counter of the bundle that was applied last, with the digest of its content. */
record CounterFile(Path path) {
  private static final int LARGEST = 200;
  private static final String WRITABLE = "can be written by every user of the machine, who could bring back an older "
      + "bundle; `chmod o-w` it, and make sure that the counter is right";
  private static final Pattern FORMAT = Pattern.compile("([1-9][0-9]{0,17}) ([0-9a-f]{64})\n");

  /** A bundle that was applied. */
  record Entry(long counter, String digest) {}

  /** Returns the last entry; empty before the first bundle. */
  Optional<Entry> read() throws BundleException {
    if (KeyFile.isWritableByAll(path)) {
      throw new BundleException("the state file `" + path + "` " + WRITABLE);
    }
    Path folder = path.toAbsolutePath().getParent();
    if (KeyFile.isFolderOfAll(folder)) {
      throw new BundleException("`" + folder + "`, the folder of the state file, " + WRITABLE);
    }
    try (InputStream in = Files.newInputStream(path)) {
      Matcher matcher = FORMAT.matcher(new String(in.readNBytes(LARGEST), StandardCharsets.ISO_8859_1));
      if (!matcher.matches()) {
        throw new BundleException("the state file `" + path + "` is damaged: it is not a counter and a digest; "
            + "restore it, or remove it and start again: the next bundle with valid signatures sets it, whatever its "
            + "counter, so compare that first with the newest one (`portcullis bundle show`)");
      }
      return Optional.of(new Entry(Long.parseLong(matcher.group(1)), matcher.group(2)));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException e) {
      throw new BundleException("the state file `" + path + "` cannot be read: " + FileFailure.reason(e));
    }
  }

  /** Replaces the entry at once. */
  void write(Entry entry) throws IOException {
    Path whole = path.toAbsolutePath();
    Path next = whole.resolveSibling(whole.getFileName() + ".new");
    Files.writeString(next, entry.counter() + " " + entry.digest() + "\n");
    Files.move(next, whole, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
