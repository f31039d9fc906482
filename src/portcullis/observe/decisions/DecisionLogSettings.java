package portcullis.observe.decisions;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Shape;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.SymmetricKey;
import portcullis.http.message.Grammar;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.PastedKey;
import portcullis.lang.source.Problems;

/**
 * The settings of the decision log; immutable.
 *
 * @param file and syslog the outputs, at least one or {@code otlp}
 * @param otlp whether lines are sent to the OpenTelemetry collector
 * @param hashKey the file of the key of hashes; empty if nothing is hashed
 * @param sealKey the file of the key that whole requests are encrypted with; empty if they are not logged
 * @param headers the names of request header fields whose values are logged
 * @param masked names of header fields whose values are never logged, in lower case, besides {@link SecretNames}
 * @param audit of the file; empty if its lines are not chained
 * @param sampleAllowed the share of allowed decisions that is logged, from 0 to 1
 */
public record DecisionLogSettings(Optional<FileOutput> file, Optional<SyslogTarget> syslog,
    boolean otlp, Optional<LocatedText> hashKey, Optional<LocatedText> sealKey, List<String> headers,
    Set<String> masked,
    double sampleAllowed, Optional<AuditSettings> audit) {
  private static final long LEAST_BYTES = 1 << 10;

  /** A file that is rotated. @param keep the number of rotated files that are kept */
  public record FileOutput(LocatedText path, long maxBytes, Duration maxAge, int keep) {}

  /** Returns the decoder of {@code decision_log}. */
  public static Decoder<DecisionLogSettings> decoder() {
    Key<Optional<FileOutput>> file = Key.optional("file", fileDecoder(), "the file that decisions are written to");
    Key<Optional<SyslogTarget>> syslog = Key.optional("syslog", SyslogTarget.decoder(),
        "the syslog server that decisions are sent to");
    Key<Boolean> otlp = Key.withDefault("otlp", Decoders.flag(), false,
        "whether decisions are sent to the OpenTelemetry collector, as log records");
    Key<Optional<LocatedText>> hashKey = Key.optional("hash_key", Decoders.file(),
        "a file with a key of 64 hexadecimal digits, for hashes of subjects, credentials and masked header fields")
        .restricting();
    Key<Optional<LocatedText>> sealKey = Key.optional("seal_key", Decoders.file(),
        "a file with a key of 64 hexadecimal digits, with which whole requests are encrypted for `portcullis replay`")
        .restricting();
    Key<List<String>> headers = Key.withDefault("headers", Decoders.list(name()), List.of(),
        "the request header fields that are logged");
    Key<List<String>> mask = Key.withDefault("mask", Decoders.list(name()), List.of(),
        "header fields of which a hash or `***` is logged, besides those whose names suggest a secret").restricting();
    Key<Double> sample = Key.withDefault("sample_allowed", share(), 1.0,
        "the share of allowed requests that is logged, from 0 to 1, by default all; denied ones always are");
    Key<Optional<AuditSettings>> audit = Key.optional("audit", AuditSettings.decoder(),
        "makes the file a signed chain, with starts, reloads and other events between the decisions");
    return Decoders.checked("the decision log", List.of(file, syslog, otlp, hashKey, sealKey, headers, mask, sample,
        audit),
        (p, problems) -> {
          if (!p.has(file) && !p.has(syslog) && !p.get(otlp)) {
            problems.error(p.node().at(), p.node().path(), "the decision log has no output",
                "add `file`, `syslog` or `otlp: true`");
            return Optional.empty();
          }
          if (p.has(audit) && !p.has(file)) {
            problems.error(p.node().at(), p.node().path() + ".audit", "the audit chain is a file, and there is none",
                "add `file`");
            return Optional.empty();
          }
          return Optional
              .of(new DecisionLogSettings(p.get(file), p.get(syslog), p.get(otlp), p.get(hashKey), p.get(sealKey),
                  p.get(headers),
                  p.get(mask).stream()
                      .map(name -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toUnmodifiableSet()),
                  p.get(sample), p.get(audit)));
        });
  }

  private static Decoder<FileOutput> fileDecoder() {
    Key<LocatedText> path = Key.required("path", Decoders.file(), "the file");
    Key<Long> size = Key.withDefault("max_size",
        Decoders.byteSize("as `64KB`, `100MB`, `1GB`").then((bytes, node, problems) -> {
          if (bytes < LEAST_BYTES) {
            problems.error(node.at(), node.path(), "is too small", "1KB or more is right");
            return Optional.empty();
          }
          return Optional.of(bytes);
        }), 100L << 20, "the file is renamed before it grows beyond this, where it has any line");
    Key<Duration> age = Key.withDefault("max_age", Decoders.duration(), Duration.ofHours(24),
        "the file is renamed when it is older");
    Key<Integer> keep = Key.withDefault("keep", Decoders.number(0, 100_000), 30, "how many renamed files are kept");
    return Decoders.object("a file", List.of(path, size, age, keep),
        p -> new FileOutput(p.get(path), p.get(size), p.get(age), p.get(keep)));
  }

  private static Decoder<String> name() {
    return Decoders.nonEmpty().then((name, node, problems) -> {
      if (!Grammar.isToken(name)) {
        problems.error(node.at(), node.path(), "`" + Decoders.shortened(name) + "` is not the name of a header field",
            "as `User-Agent`");
        return Optional.empty();
      }
      return Optional.of(name);
    });
  }

  private static Decoder<Double> share() {
    return Decoders.anyScalar().then((text, node, problems) -> {
      if (!text.matches("0|1|1\\.0+|0?\\.[0-9]{1,9}")) {
        problems.error(node.at(), node.path(), "`" + Decoders.shortened(text) + "` is not a number from 0 to 1",
            "write it as `0.1`");
        return Optional.<Double>empty();
      }
      return Optional.of(Double.parseDouble(text));
    }).described(new Shape.Single());
  }

  /** Returns the hash, if there is one; adds a problem where its key cannot be read. */
  public Optional<KeyedHash> hash(Problems problems) {
    return hashKey.flatMap(path -> key(path, problems)).map(KeyedHash::new);
  }

  /** Returns the key of sealed requests, if there is one; adds a problem where it cannot be read. */
  public Optional<SymmetricKey> seal(Problems problems) {
    return sealKey.flatMap(path -> key(path, problems));
  }

  /** Returns whether anything is sent to the OpenTelemetry collector. */
  public boolean usesOtlp() {
    return otlp || audit.flatMap(AuditSettings::anchor).filter(AuditSettings.Anchor::otlp).isPresent();
  }

  /** Reads every key, so that a problem is added for each that cannot be read. */
  public void checkKeys(Problems problems) {
    hash(problems);
    seal(problems);
    syslog.ifPresent(target -> target.tls(problems));
    audit.ifPresent(chained -> {
      chained.key(problems);
      chained.anchor().flatMap(AuditSettings.Anchor::syslog).ifPresent(target -> target.tls(problems));
    });
  }

  private static Optional<SymmetricKey> key(LocatedText path, Problems problems) {
    try {
      Path file = Path.of(path.text());
      try {
        return Optional.of(SymmetricKey.read(file));
      } catch (KeyMaterialException e) {
        KeyMaterialException.report(e, path, Files.exists(file) || PastedKey.isLike(path.text()) ? ""
            : "make one by `openssl rand -hex 32 >" + file
                + "`",
            problems);
        return Optional.empty();
      }
    } catch (InvalidPathException e) {
      KeyMaterialException.report(e, path, problems);
      return Optional.empty();
    }
  }
}
