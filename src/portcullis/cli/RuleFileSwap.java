package portcullis.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.TreeMap;

/**
 * Replaces a rule file by a shadow rule file at once: it is written beside the live one, with owner and permissions,
 * and renamed over it, so that a service sees either the one or the other. A copy of the live one is kept under a name
 * that services ignore, and the shadow file is removed at last.
 */
record RuleFileSwap(Path src, Path shadow) implements RuleSwap {
  @Override
  public Optional<String> obstacle() {
    if (!Files.isRegularFile(shadow)) {
      return Optional.of("there is no file " + shadow);
    }
    return Files.isRegularFile(src) ? Optional.empty() : Optional.of("there is no file " + src);
  }

  @Override
  public SequencedMap<String, String> texts(Path of) throws IOException {
    return new TreeMap<>(Map.of("", RuleSwap.read(of)));
  }

  @Override
  public Path run(SequencedMap<String, String> texts, Instant now) throws IOException {
    Path live = src.toRealPath();
    Path old = live.resolveSibling(live.getFileName() + "." + RuleSwap.name(now) + "~");
    Path next = live.resolveSibling("." + live.getFileName() + ".next");
    Files.copy(live, old, StandardCopyOption.COPY_ATTRIBUTES, LinkOption.NOFOLLOW_LINKS);
    try {
      Files.copy(live, next, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING,
          LinkOption.NOFOLLOW_LINKS);
      RuleSwap.write(next, texts.get(""));
      Files.move(next, live, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      Files.deleteIfExists(next);
      Files.deleteIfExists(old);
      throw e;
    }
    if (Files.readString(shadow).equals(texts.get(""))) { // unless it has been changed meanwhile
      Files.delete(shadow);
    }
    return old;
  }

  @Override
  public String undo(Path old) {
    return "mv " + old + " " + src;
  }
}
