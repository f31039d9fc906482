package portcullis.verify;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import portcullis.config.Yaml;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.observe.decisions.AuditEvent;
import portcullis.observe.decisions.DecisionLog;
import portcullis.observe.decisions.DecisionLogSettings;
import portcullis.observe.telemetry.Level;
import portcullis.observe.telemetry.Log;
import portcullis.observe.telemetry.LogFormat;
import portcullis.observe.telemetry.LogWriter;

/** An audit chain that the program has written, with several files and an anchor, and its lines. */
public final class AuditLog {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  /** So that files that are renamed have names in order, and lines are as near to each other as those of requests. */
  private static final int STEP_NANOS = 100_000;

  private AuditLog() {}

  /** Writes the log of so many starts; returns the lines of each file, the oldest first. */
  public static List<List<String>> write(Path folder, Path key, int starts) throws Exception {
    return write(folder, key, starts, () -> {});
  }

  /** Does something to the files while the service runs. */
  interface Interference {
    void run() throws IOException;
  }

  /** The same with an interference behind the first lines of each start. */
  static List<List<String>> write(Path folder, Path key, int starts, Interference interference) throws Exception {
    AtomicLong calls = new AtomicLong();
    for (int i = 0; i < starts; i++) {
      start(folder, key, () -> NOW.plusNanos(calls.getAndIncrement() * STEP_NANOS), interference);
    }
    List<List<String>> out = new ArrayList<>();
    for (Path file : files(folder)) {
      out.add(Files.readAllLines(file));
    }
    return out;
  }

  private static void start(Path folder, Path key, InstantSource clock, Interference interference) throws Exception {
    try (LogWriter writer = new LogWriter(OutputStream.nullOutputStream())) {
      start(folder, key, clock, interference, new Log(Level.ERROR, LogFormat.TEXT, writer, clock, "h"));
    }
  }

  /** One start that logs there. */
  static void start(Path folder, Path key, Log log, Interference behind) throws Exception {
    start(folder, key, () -> NOW, behind, log);
  }

  private static void start(Path folder, Path key, InstantSource clock, Interference interference, Log own)
      throws Exception {
    Problems problems = new Problems();
    String settings = """
        file: {path: "%s", max_size: 16KB, max_age: 876000h, keep: 1000}
        audit: {key: "%s", checkpoint_lines: 7, anchor: {file: "%s"}}
        """.formatted(folder.resolve("log"), key, folder.resolve("anchor"));
    DecisionLogSettings read = Yaml.read(new SourceFile("c.yaml", settings), problems)
        .flatMap(node -> DecisionLogSettings.decoder().decode(node, problems))
        .orElseThrow(() -> new AssertionError(problems.sorted().toString()));
    try (DecisionLog log = DecisionLog.start(read, own, clock, problems)
        .orElseThrow(() -> new AssertionError(problems.sorted().toString()))) {
      log.audit().record(AuditEvent.of("reload", "signal").with("file", "c"));
      interference.run();
      for (int i = 0; i < 15; i++) {
        log.offer(log.line(NOW).add("decision", "denied").add("id", Integer.toString(i)));
      }
    }
  }

  /** Returns the files, the oldest first. */
  public static List<Path> files(Path folder) throws Exception {
    try (var all = Files.list(folder)) {
      List<Path> out = new ArrayList<>(
          all.filter(file -> file.getFileName().toString().startsWith("log.")).sorted().toList());
      out.add(folder.resolve("log"));
      return out;
    }
  }

  /** Returns a line with another end: its own hash fits again. */
  static String rehashed(String line) throws Exception {
    String content = line.substring(0, line.lastIndexOf(",\"hash\":\""));
    return content + ",\"hash\":\"" + HexFormat.of().formatHex(
        MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8))) + "\"}";
  }

  /** Returns a line that follows another one. */
  static String relinked(String line, String before) throws Exception {
    int hash = before.lastIndexOf("\"hash\":\"") + 8;
    return rehashed(line.replaceFirst("\"prev\":\"[0-9a-f]*\"", "\"prev\":\"" + before.substring(hash, hash + 64)
        + "\""));
  }
}
