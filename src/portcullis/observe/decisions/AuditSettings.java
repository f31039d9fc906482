package portcullis.observe.decisions;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.KeyRing;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/**
 * The settings of the audit chain; immutable.
 *
 * @param key the file of the private key that signs checkpoints
 * @param every and interval when a checkpoint is due: after so many lines, or after that time if there are any
 * @param blocks whether events that cannot be recorded must not happen
 */
public record AuditSettings(LocatedText key, int every, Duration interval, boolean blocks, Optional<Anchor> anchor) {
  private static final String BLOCK = "block";
  private static final Duration LONGEST = Duration.ofHours(24);

  /** Where checkpoints are sent besides; at least one. */
  public record Anchor(Optional<LocatedText> file, Optional<SyslogTarget> syslog, boolean otlp) {}

  static Decoder<AuditSettings> decoder() {
    Key<LocatedText> key = Key.required("key", Decoders.file(),
        "a PEM file with the private Ed25519 key that signs checkpoints");
    Key<Integer> every = Key.withDefault("checkpoint_lines", Decoders.number(1, 1_000_000), 10_000,
        "maximum lines between two checkpoints");
    Key<Duration> interval = Key.withDefault("checkpoint_interval",
        Decoders.duration().then((time, node, problems) -> {
          if (time.isZero() || time.isNegative() || time.compareTo(LONGEST) > 0) {
            problems.error(node.at(), node.path(), "is out of range", "from 1ms to 24h");
            return Optional.<Duration>empty();
          }
          return Optional.of(time);
        }), Duration.ofSeconds(10), "maximum time between two checkpoints, if there are new lines");
    Key<String> onFailure = Key.withDefault("on_failure", Decoders.oneOf(BLOCK, "drop"), BLOCK,
        "what happens to reloads and other events that cannot be recorded: `block` refuses them, `drop` counts them");
    Key<Optional<Anchor>> anchor = Key.optional("anchor", anchorDecoder(),
        "where checkpoints are sent too, so that missing newest lines are found");
    return Decoders.object("an audit chain", List.of(key, every, interval, onFailure, anchor),
        p -> new AuditSettings(p.get(key), p.get(every), p.get(interval), p.get(onFailure).equals(BLOCK),
            p.get(anchor)));
  }

  private static Decoder<Anchor> anchorDecoder() {
    Key<Optional<LocatedText>> file = Key.optional("file", Decoders.file(), "a file, on another mount");
    Key<Optional<SyslogTarget>> syslog = Key.optional("syslog", SyslogTarget.decoder(), "a syslog server");
    Key<Boolean> otlp = Key.withDefault("otlp", Decoders.flag(), false,
        "whether checkpoints are sent to the OpenTelemetry collector, as log records");
    return Decoders.checked("an anchor", List.of(file, syslog, otlp), (p, problems) -> {
      if (!p.has(file) && !p.has(syslog) && !p.get(otlp)) {
        problems.error(p.node().at(), p.node().path(), "the anchor has no output",
            "add `file`, `syslog` or `otlp: true`");
        return Optional.empty();
      }
      return Optional.of(new Anchor(p.get(file), p.get(syslog), p.get(otlp)));
    });
  }

  /** Reads the key; empty exactly if a problem was added. */
  public Optional<KeyEntry> key(Problems problems) {
    try {
      return Optional.of(KeyRing.ed25519(Path.of(key.text()), Optional.empty(), Instant.now()));
    } catch (KeyMaterialException | InvalidPathException e) {
      KeyMaterialException.report(e, key, problems);
      return Optional.empty();
    }
  }
}
