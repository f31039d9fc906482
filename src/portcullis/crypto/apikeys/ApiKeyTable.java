package portcullis.crypto.apikeys;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.regex.Pattern;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.PlainValues;
import portcullis.config.Yaml;
import portcullis.crypto.keys.Jca;
import portcullis.crypto.keys.KeyFile;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.address.Network;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Value;

/** The API keys of a file, by id; immutable. */
public final class ApiKeyTable {
  /** Longer strings are not keys. */
  private static final int LONGEST = 256;
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9-]{1,64}");
  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

  private static final Key<String> KEY_ID = Key.required("id", matching(ID, "an id",
      "1 to 64 letters, digits and hyphens, which are between the two `_` of the key"),
      "the part of the key that is not secret");
  private static final Key<String> SHA256 = Key.required("sha256", matching(HASH, "a hash",
      "64 lower-case hexadecimal digits, as `portcullis key new` writes them"), "the SHA-256 of the whole key");
  private static final Key<String> SUBJECT = Key.required("subject", Decoders.nonEmpty(), "the subject identifier");
  private static final Key<SequencedMap<String, Value>> ATTRIBUTES = Key.withDefault("attributes",
      Decoders.map(PlainValues.decoder()), new LinkedHashMap<>(), "attributes of the subject");
  private static final Key<List<String>> SCOPES = Key.withDefault("scopes", Decoders.list(Decoders.nonEmpty()),
      List.of(), "what the key may be used for");
  private static final Key<Optional<Instant>> CREATED = Key.optional("created", time(), "when it was made");
  private static final Key<Optional<Instant>> NOT_BEFORE = Key.optional("not_before", time(), "when it becomes valid")
      .restricting();
  private static final Key<Optional<Instant>> NOT_AFTER = Key.optional("not_after", time(), "when it expires")
      .restricting();
  private static final Key<Optional<Instant>> REVOKED = Key.optional("revoked", time(), "when it was revoked")
      .restricting();
  private static final Key<List<Network>> NETWORKS = Key.withDefault("networks", Decoders.list(network(), 1), List.of(),
      "the networks that it may be used from").restricting();
  private static final Key<List<Entry>> KEYS = Key.required("keys", Decoders.list(entry()), "the keys");

  private final Map<String, ApiKey> byId;

  /** A key, and where its id is written. */
  private record Entry(Node id, ApiKey key) {}

  private ApiKeyTable(Map<String, ApiKey> byId) {
    this.byId = byId;
  }

  /** @throws KeyMaterialException if the file cannot be read or is invalid; the first of its errors is named */
  public static ApiKeyTable read(Path file) throws KeyMaterialException {
    String text = new String(KeyFile.guarded(file).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    Problems problems = new Problems();
    Optional<ApiKeyTable> table = parse(new SourceFile(file.toString(), text), problems);
    if (table.isEmpty() || problems.hasErrors()) {
      throw new KeyMaterialException(
          problems.sorted().stream().filter(Problem::isError).findFirst().map(Problem::text)
              .orElse("it is empty: `portcullis key new` writes keys"));
    }
    return table.get();
  }

  static Optional<ApiKeyTable> parse(SourceFile file, Problems problems) {
    Decoder<ApiKeyTable> decoder = Decoders.checked("API keys", List.of(KEYS), (p, found) -> {
      Map<String, ApiKey> out = new LinkedHashMap<>();
      for (Entry entry : p.get(KEYS)) {
        ApiKey key = entry.key;
        if (out.putIfAbsent(key.id(), key) != null) {
          found.error(entry.id.at(), entry.id.path(), "two keys have the id `" + key.id() + "`",
              "ids are unique");
          return Optional.empty();
        }
      }
      return Optional.of(new ApiKeyTable(out));
    });
    return Yaml.read(file, problems).flatMap(node -> decoder.decode(node, problems));
  }

  static Decoder<Entry> entry() {
    return Decoders.checked("a key", List.of(KEY_ID, SHA256, SUBJECT, ATTRIBUTES, SCOPES, CREATED, NOT_BEFORE,
        NOT_AFTER, REVOKED, NETWORKS), (p, problems) -> {
          Optional<Instant> end = p.get(NOT_AFTER);
          if (end.isPresent() && p.get(NOT_BEFORE).filter(begin -> !begin.isBefore(end.get())).isPresent()) {
            problems.error(p.at(NOT_AFTER), p.path(NOT_AFTER), "is not after `not_before`: the key is never valid",
                "write a later time, or another `not_before`");
            return Optional.empty();
          }
          return p.node().get(KEY_ID.name()).map(id -> new Entry(id, new ApiKey(p.get(KEY_ID), p.get(SHA256),
              p.get(SUBJECT), new Value.Dict(p.get(ATTRIBUTES)), p.get(SCOPES), p.get(NOT_BEFORE), end, p.get(REVOKED),
              p.get(NETWORKS))));
        });
  }

  /** What does not match may be a whole key, so it is not repeated. */
  private static Decoder<String> matching(Pattern pattern, String what, String hint) {
    return Decoders.nonEmpty().then((text, node, problems) -> {
      if (pattern.matcher(text).matches()) {
        return Optional.of(text);
      }
      problems.error(node.at(), node.path(), "is not " + what, hint);
      return Optional.empty();
    });
  }

  private static Decoder<Instant> time() {
    return Decoders.anyScalar().then((text, node, problems) -> {
      try {
        return Optional.of(OffsetDateTime.parse(text).toInstant());
      } catch (DateTimeException _) {
        problems.error(node.at(), node.path(), "`" + Decoders.shortened(text) + "` is not a time",
            "write it as `2027-01-31T00:00:00Z`");
        return Optional.empty();
      }
    });
  }

  private static Decoder<Network> network() {
    return Decoders.nonEmpty().then((text, node, problems) -> {
      Optional<Network> network = Network.parse(text);
      if (network.isEmpty()) {
        problems.error(node.at(), node.path(), "`" + Decoders.shortened(text) + "` is not a network",
            "write it as `10.0.0.0/8`");
        return Optional.empty();
      }
      Optional<String> correction = Network.correction(text);
      correction.ifPresent(right -> problems.error(node.at(), node.path(), right, ""));
      return network.filter(_ -> correction.isEmpty());
    });
  }

  /** Returns the keys in the order of the file. */
  public List<ApiKey> keys() {
    return List.copyOf(byId.values());
  }

  /** Returns the key that a client presents. Hashes are compared in constant time; ids are not secret. */
  public Optional<ApiKey> find(String presented) {
    int secret = presented.lastIndexOf('_');
    int id = presented.lastIndexOf('_', secret - 1);
    if (presented.length() > LONGEST || secret < 0 || id < 0) {
      return Optional.empty();
    }
    return Optional.ofNullable(byId.get(presented.substring(id + 1, secret)))
        .filter(key -> MessageDigest.isEqual(bytes(key.sha256()), bytes(hash(presented))));
  }

  /** Returns the id of a key that a client presents, which need not exist; empty if the string is not a key. */
  public static String id(String presented) {
    int secret = presented.lastIndexOf('_');
    int id = presented.lastIndexOf('_', secret - 1);
    return presented.length() > LONGEST || secret < 0 || id < 0 ? "" : presented.substring(id + 1, secret);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  static String hash(String key) {
    return HexFormat.of().formatHex(Jca.sha256().digest(key.getBytes(StandardCharsets.UTF_8)));
  }
}
