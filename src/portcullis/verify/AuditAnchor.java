package portcullis.verify;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import portcullis.lang.source.UnreadableFile;
import portcullis.observe.decisions.Checkpoint;

/**
 * The checkpoints that were sent elsewhere: a file with one in a line, whatever stands before and after it, as a syslog
 * server writes them; or within a JSON string, as an OpenTelemetry collector does.
 */
final class AuditAnchor {
  private static final Pattern LINE = Pattern.compile("\\{\"chain\":\"[^{}]*\"event\":\"checkpoint\"[^{}]*}");
  private static final Pattern ESCAPED = Pattern
      .compile("\\{\\\\\"chain\\\\\":\\\\\"[^{}]*\\\\\"event\\\\\":\\\\\"checkpoint\\\\\"[^{}]*}");

  private final Map<String, NavigableMap<Long, String>> hashes = new LinkedHashMap<>();
  private Optional<Checkpoint> newest = Optional.empty();
  private long ignored;

  private AuditAnchor() {}

  static AuditAnchor read(Path file, AuditKeys keys) throws IOException {
    AuditAnchor out = new AuditAnchor();
    try (BufferedReader lines = new BufferedReader(
        new InputStreamReader(AuditFile.opened(file), StandardCharsets.ISO_8859_1))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        boolean escaped = line.contains("{\\\"chain\\\"");
        Matcher matcher = (escaped ? ESCAPED : LINE).matcher(line);
        while (matcher.find()) {
          out.add(escaped ? matcher.group().replace("\\\"", "\"") : matcher.group(), keys);
        }
      }
    } catch (IOException e) {
      throw new IOException(UnreadableFile.message(file, e), e);
    }
    return out;
  }

  private void add(String text, AuditKeys keys) {
    Optional<Checkpoint> checkpoint = Checkpoint.of(text.getBytes(StandardCharsets.ISO_8859_1)).filter(keys::accept);
    if (checkpoint.isEmpty()) {
      ignored++;
      return;
    }
    hashes.computeIfAbsent(checkpoint.get().line().chain(), _ -> new TreeMap<>())
        .put(checkpoint.get().line().number(), checkpoint.get().line().hash());
    newest = checkpoint;
  }

  /** Returns the hashes by number; empty if nothing is known of the chain. */
  NavigableMap<Long, String> of(String chain) {
    return hashes.getOrDefault(chain, new TreeMap<>());
  }

  /** Returns the chains that it has checkpoints of, the earlier ones first. */
  List<String> chains() {
    return List.copyOf(hashes.keySet());
  }

  /** Returns the checkpoint that came last. */
  Optional<Checkpoint> newest() {
    return newest;
  }

  /** Returns how many checkpoints do not count, damaged ones and those of other keys. */
  long ignored() {
    return ignored;
  }
}
