package portcullis.cli;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import portcullis.serve.provider.RuleFileNames;

/**
 * Replaces a folder of rules by a shadow folder. The new folder is written beside the live one. Where {@code src} is a
 * symbolic link, another link is renamed over it, at once. Otherwise the live folder is renamed and then the new one to
 * its name; in between there is none, which {@link #recover} mends after a crash. The folder of before is kept, and the
 * shadow files are removed at last.
 */
record RuleFolderSwap(Path src, Path shadow) implements RuleSwap {
  private static final String TIME_REGEX = "\\.[0-9]{8}T[0-9]{6}\\.[0-9]{3}Z~";

  @Override
  public Optional<String> obstacle() {
    if (!Files.isDirectory(src) || !Files.isDirectory(shadow)) {
      return Optional.of("`src` and `shadow` have to be both files or both folders: "
          + (Files.isDirectory(src) ? shadow : src) + " is not a folder");
    }
    try {
      Optional<Path> other = entries(src).stream().filter(entry -> !isRuleFile(entry) && !isBackup(entry)).findFirst();
      if (other.isPresent()) {
        return Optional.of("services do not read " + other.get() + ", and it would not be in the new folder: move it"
            + " away");
      }
      return entries(shadow).stream().anyMatch(RuleFolderSwap::isRuleFile) ? Optional.empty()
          : Optional.of("there are no rule files in " + shadow);
    } catch (IOException _) {
      return Optional.of("cannot read " + src + " and " + shadow);
    }
  }

  @Override
  public SequencedMap<String, String> texts(Path of) throws IOException {
    SequencedMap<String, String> out = new TreeMap<>();
    for (Path file : entries(of)) {
      if (isRuleFile(file)) {
        out.put(file.getFileName().toString(), RuleSwap.read(file));
      }
    }
    return out;
  }

  private static List<Path> entries(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.sorted().toList();
    }
  }

  private static boolean isRuleFile(Path file) {
    return Files.isRegularFile(file) && RuleFileNames.isRead(file);
  }

  private static boolean isBackup(Path file) {
    return file.getFileName().toString().endsWith("~");
  }

  /** Restores the live folder where a promotion was killed between its two renames; empty if there is none to do. */
  static Optional<Path> recover(Path src) throws IOException {
    Path live = src.toAbsolutePath().normalize();
    if (Files.exists(live, LinkOption.NOFOLLOW_LINKS) || !Files.isDirectory(next(live))) {
      return Optional.empty();
    }
    Optional<Path> old = entries(live.getParent()).stream()
        .filter(entry -> Files.isDirectory(entry) && entry.getFileName().toString().startsWith(live.getFileName() + ".")
            && entry.getFileName().toString().substring(live.getFileName().toString().length()).matches(TIME_REGEX))
        .max(Comparator.naturalOrder());
    if (old.isPresent()) {
      Files.move(old.get(), live, StandardCopyOption.ATOMIC_MOVE);
      delete(next(live));
      force(live.getParent());
    }
    return old;
  }

  private static Path next(Path live) {
    return live.resolveSibling("." + live.getFileName() + ".next");
  }

  @Override
  public Path run(SequencedMap<String, String> texts, Instant now) throws IOException {
    Path live = src.toRealPath();
    Path next = next(live);
    delete(next);
    Path old;
    try {
      fill(live, next, texts);
      old = Files.isSymbolicLink(src) ? linked(live, next, now) : renamed(live, next, now);
    } catch (IOException e) {
      delete(next);
      throw e;
    }
    for (Map.Entry<String, String> file : texts.entrySet()) {
      Path promoted = shadow.resolve(file.getKey());
      if (Files.isRegularFile(promoted) && Files.readString(promoted).equals(file.getValue())) {
        Files.delete(promoted); // unless it has been changed meanwhile
      }
    }
    try {
      Files.delete(shadow);
    } catch (DirectoryNotEmptyException _) {
      // it has what is not read, or was changed
    }
    return old;
  }

  /** Writes the new folder: with the permissions of the live one, of each file with those of the file of its name. */
  private void fill(Path live, Path next, SequencedMap<String, String> texts) throws IOException {
    Files.copy(live, next, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS); // without its files
    for (Map.Entry<String, String> file : texts.entrySet()) {
      Path like = live.resolve(file.getKey());
      Path to = next.resolve(file.getKey());
      Files.copy(Files.isRegularFile(like) ? like : shadow.resolve(file.getKey()), to,
          StandardCopyOption.COPY_ATTRIBUTES);
      RuleSwap.write(to, file.getValue());
    }
    force(next);
  }

  private static Path renamed(Path live, Path next, Instant now) throws IOException {
    Path old = live.resolveSibling(live.getFileName() + "." + RuleSwap.name(now) + "~");
    Files.move(live, old, StandardCopyOption.ATOMIC_MOVE);
    try {
      Files.move(next, live, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.move(old, live, StandardCopyOption.ATOMIC_MOVE);
      throw e;
    }
    force(live.getParent());
    return old;
  }

  private Path linked(Path live, Path next, Instant now) throws IOException {
    Path link = src.toAbsolutePath().normalize();
    Path home = live.resolveSibling(link.getFileName() + "." + RuleSwap.name(now));
    Path fresh = link.resolveSibling("." + link.getFileName() + ".link");
    Files.move(next, home, StandardCopyOption.ATOMIC_MOVE);
    try {
      Files.deleteIfExists(fresh);
      Files.createSymbolicLink(fresh, home);
      Files.move(fresh, link, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.deleteIfExists(fresh);
      delete(home);
      throw e;
    }
    force(link.getParent());
    return live;
  }

  private static void delete(Path folder) throws IOException {
    if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
      for (Path file : entries(folder)) {
        Files.delete(file);
      }
      Files.delete(folder);
    }
  }

  /** Waits until the device has the names in a folder. */
  private static void force(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  @Override
  public String undo(Path old) {
    return Files.isSymbolicLink(src) ? "ln -sfn " + old + " " + src
        : "mv " + src + " " + src + ".undone~ && mv " + old + " " + src;
  }
}
