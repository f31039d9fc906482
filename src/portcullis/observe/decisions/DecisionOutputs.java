package portcullis.observe.decisions;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import portcullis.crypto.keys.ClientTls;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.lang.source.FileFailure;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.observe.telemetry.LineLog;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogWriter;

/** Opens the outputs of a decision log. For one use. */
final class DecisionOutputs {
  private static final String NAME = "decision log";
  private static final long ANCHOR_BYTES = 100L << 20;
  private static final Duration ANCHOR_AGE = Duration.ofDays(365);
  private static final int ANCHOR_FILES = 1000;

  private final DecisionLogSettings settings;
  private final Log log;
  private final InstantSource clock;
  private final Function<String, OutputStream> collector;
  private final List<DecisionLog.Output> outputs = new ArrayList<>();
  private final AuditAnchors anchors = new AuditAnchors();
  private Optional<RecordedEvents> events = Optional.empty();

  /** @param collector returns an output of lines to an OpenTelemetry collector, by the name of their events */
  DecisionOutputs(DecisionLogSettings settings, Log log, InstantSource clock,
      Function<String, OutputStream> collector) {
    this.collector = collector;
    this.settings = settings;
    this.log = log;
    this.clock = clock;
  }

  /** Opens them all; empty exactly if a problem was added. */
  Optional<DecisionLog> open(Problems problems) {
    long before = problems.errors();
    Optional<KeyedHash> hash = settings.hash(problems);
    Optional<SymmetricKey> sealKey = settings.seal(problems);
    Optional<ClientTls> tls = settings.syslog().flatMap(target -> target.tls(problems));
    Optional<KeyEntry> signer = settings.audit().flatMap(audit -> audit.key(problems));
    if (problems.errors() == before) {
      settings.audit().flatMap(AuditSettings::anchor).ifPresent(anchor -> anchors(anchor, problems));
    }
    if (problems.errors() == before) {
      settings.file().ifPresent(file -> file(file, signer, hash, problems));
    }
    if (problems.errors() > before) {
      outputs.forEach(output -> close(output.to()));
      anchors.close();
      return Optional.empty();
    }
    settings.syslog().ifPresent(target -> {
      SyslogOutput syslog = new SyslogOutput(target, tls, "decision", clock);
      outputs.add(new DecisionLog.Output(syslog, lines(NAME + " by syslog", syslog), false));
    });
    if (settings.otlp()) {
      OutputStream otlp = collector.apply("portcullis.decision");
      outputs.add(new DecisionLog.Output(otlp, lines(NAME + " by OTLP", otlp), false));
    }
    return Optional.of(new DecisionLog(settings, hash, sealKey, outputs, events, anchors));
  }

  private void file(DecisionLogSettings.FileOutput file, Optional<KeyEntry> signer, Optional<KeyedHash> hash,
      Problems problems) {
    try {
      Path path = Path.of(file.path().text());
      if (signer.isEmpty()) {
        OutputStream plain = opened(file, path, false, _ -> {});
        outputs.add(new DecisionLog.Output(plain, lines(NAME, plain), false));
        return;
      }
      AuditSettings audit = settings.audit().orElseThrow();
      AuditChain chain = new AuditChain(path, changes -> opened(file, path, true, changes), signer.get(),
          new CheckpointPace(audit.every(), audit.interval()), clock, anchors);
      chain.replaced().ifPresent(other -> log.error(
          "The decision log does not end with a line of an audit chain, so it was set aside, and a new chain begins",
          "_file", other));
      chain.added()
          .ifPresent(now -> log.problem("file " + path, "The file of a log was changed", "_file", path, "_error",
              "what followed its last line was not of the audit chain, and is in `" + now + "`"));
      chain.missing().ifPresent(line -> shortened(path, line));
      anchors.readable().filter(_ -> chain.isUnknownToAnchor()).ifPresent(anchor -> log.notice(
          "The anchor has no checkpoint of the audit chain: whether the newest lines were removed is not known",
          "_file",
          path, "_anchor", anchor));
      LineLog lines = lines(NAME, chain);
      outputs.add(new DecisionLog.Output(chain, lines, true));
      events = Optional.of(new RecordedEvents(chain, audit,
          secret -> hash.map(key -> key.of(secret)).orElse(DecisionLog.MASK), this::unchained, lines::lost, clock,
          log));
    } catch (IOException | InvalidPathException e) {
      refused(file.path(), e, problems);
    }
  }

  private RotatingFile opened(DecisionLogSettings.FileOutput file, Path path, boolean exclusive,
      Consumer<RotatingFile.Change> changes) throws IOException {
    return new RotatingFile(path, file.maxBytes(), file.maxAge(), file.keep(), exclusive, clock,
        changes.andThen(change -> changed(path, change)));
  }

  /** Reports what another program has done to a file, until the file is renamed in its time. */
  private void changed(Path path, RotatingFile.Change change) {
    if (change == RotatingFile.Change.RENAMED) {
      log.resolved("file " + path, "The changed file of a log was renamed", "_file", path);
    } else {
      log.problem("file " + path, "The file of a log was changed", "_file", path, "_error", change.text());
    }
  }

  private void shortened(Path path, ChainLine missing) {
    log.problem("file " + path, "The file of a log was changed", "_file", path, "_error",
        "its newest lines, or all of it, were removed while the service was stopped: the anchor has line "
            + missing.number() + " of the chain " + missing.chain());
  }

  /** Sends the line of an event to the outputs that are not chained. */
  private void unchained(String line) {
    outputs.stream().filter(output -> !output.chained()).forEach(output -> output.lines().offer(line));
  }

  private void anchors(AuditSettings.Anchor anchor, Problems problems) {
    anchor.file().ifPresent(path -> {
      try {
        Path place = Path.of(path.text());
        RotatingFile file = new RotatingFile(place, ANCHOR_BYTES, ANCHOR_AGE, ANCHOR_FILES, false, clock,
            change -> changed(place, change));
        anchors.add(place, file, lines("audit anchor", file));
      } catch (IOException | InvalidPathException e) {
        refused(path, e, problems);
      }
    });
    if (anchor.otlp()) {
      OutputStream otlp = collector.apply("portcullis.checkpoint");
      anchors.add(otlp, lines("audit anchor by OTLP", otlp));
    }
    anchor.syslog().ifPresent(target -> {
      long before = problems.errors();
      Optional<ClientTls> tls = target.tls(problems);
      if (problems.errors() == before) {
        SyslogOutput syslog = new SyslogOutput(target, tls, "audit", clock);
        anchors.add(syslog, lines("audit anchor by syslog", syslog));
      }
    });
  }

  private static void refused(LocatedText path, Exception error, Problems problems) {
    String reason = error instanceof IOException e ? "cannot write: " + FileFailure.reason(e)
        : "is not a path: " + error.getMessage();
    problems.error(path.at(0, path.text().length()), path.path(), reason, "");
  }

  private static void close(OutputStream output) {
    try {
      output.close();
    } catch (IOException _) {
      // nothing was written to it
    }
  }

  private LineLog lines(String name, OutputStream to) {
    return new LineLog(name, to, LogWriter.maxBytes(),
        (count, reason) -> lost(clock.instant(), count, reason), log, clock);
  }

  private static String lost(Instant now, long count, String reason) {
    return new JsonLine().add("time", now.toString()).add("lost", count).add("reason", reason).text();
  }
}
