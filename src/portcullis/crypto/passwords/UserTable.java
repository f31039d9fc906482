package portcullis.crypto.passwords;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.PlainValues;
import portcullis.config.Yaml;
import portcullis.crypto.keys.Jca;
import portcullis.crypto.keys.KeyFile;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.source.SourceFile;
import portcullis.lang.value.Value;

/** The users of a file, with the hashes of their passwords; immutable. */
public final class UserTable {
  private static final Key<Optional<String>> USER_ID = Key.optional("user_id", Decoders.nonEmpty(),
      "the user, default the name of the entry");
  private static final Key<PasswordHash> PASSWORD = Key.required("password", hash(), "the hash of the password");
  private static final Key<SequencedMap<String, Value>> ATTRIBUTES = Key.withDefault("attributes",
      Decoders.map(PlainValues.decoder()), new LinkedHashMap<>(), "attributes of the subject");
  private static final int SECRET_BYTES = 32;

  private final Map<String, User> users;
  private final List<Problem> warnings;
  private final List<PasswordHash> decoys;
  private final byte[] secret = new byte[SECRET_BYTES];

  /** A user. */
  public record User(String id, PasswordHash hash, Value.Dict attributes) {}

  private record Entry(Optional<String> id, PasswordHash hash, Value.Dict attributes) {}

  private UserTable(Map<String, User> users, Problems problems) {
    this.warnings = problems.sorted().stream().filter(problem -> !problem.isError()).toList();
    SecureRandom random = new SecureRandom();
    random.nextBytes(secret);
    this.users = users;
    // as often as each cost occurs, so that it does not show who is known
    this.decoys = users.values().stream().map(user -> PasswordHash.withoutPassword(user.hash, random)).toList();
  }

  /**
   * Reads a file, as heimdall's secret source of type {@code file} has it: a mapping from names to users.
   *
   * @throws KeyMaterialException if the file cannot be read or is invalid; the first of its errors is named
   */
  public static UserTable read(Path file) throws KeyMaterialException {
    String text = new String(KeyFile.guarded(file).getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    Problems problems = new Problems();
    Optional<UserTable> table = parse(new SourceFile(file.toString(), text), problems);
    if (table.isEmpty() || problems.hasErrors()) {
      throw new KeyMaterialException(
          problems.sorted().stream().filter(Problem::isError).findFirst().map(Problem::text)
              .orElse("it has no users, each is a name, with the hash of its password below it"));
    }
    return table.get();
  }

  static Optional<UserTable> parse(SourceFile file, Problems problems) {
    Decoder<Entry> entry = Decoders.object("a user", List.of(USER_ID, PASSWORD, ATTRIBUTES),
        p -> new Entry(p.get(USER_ID), p.get(PASSWORD), new Value.Dict(p.get(ATTRIBUTES))));
    Decoder<UserTable> decoder = Decoders.map(entry).then((entries, node, found) -> {
      Map<String, User> out = new LinkedHashMap<>();
      for (Map.Entry<String, Entry> one : entries.entrySet()) {
        String id = one.getValue().id.orElse(one.getKey());
        Optional<String> fault = faultOf(id);
        if (fault.isPresent()) {
          found.error(place(node, one.getKey()), one.getKey(), fault.get(), "write another `user_id`");
          return Optional.empty();
        }
        if (out.putIfAbsent(wire(id), new User(id, one.getValue().hash, one.getValue().attributes)) != null) {
          found.error(place(node, one.getKey()), one.getKey(), "two entries have the user `" + id + "`",
              "users are unique");
          return Optional.empty();
        }
      }
      if (out.isEmpty()) {
        found.error(node.at(), node.path(), "there are no users",
            "each is a name, with the hash of its password below it");
        return Optional.empty();
      }
      return Optional.of(new UserTable(out, found));
    });
    return Yaml.read(file, problems).filter(node -> isMapping(node, problems))
        .flatMap(node -> decoder.decode(node, problems));
  }

  /** Returns where the name of a user is written. */
  private static Origin place(Node users, String entry) {
    Node.Member member = ((Node.Mapping) users).members().get(entry);
    return member.value() instanceof Node.Mapping user ? user.get(USER_ID.name()).map(Node::at).orElse(member.nameAt())
        : member.nameAt();
  }

  /** Returns whether it is a mapping; adds a problem if not, which does not show hashes, as a file of htpasswd has. */
  private static boolean isMapping(Node node, Problems problems) {
    if (!(node instanceof Node.Mapping)) {
      problems.error(node.at(), node.path(), "it is not a mapping of users",
          "each is a name with the hash of its password below it, unlike in a file of htpasswd");
      return false;
    }
    return true;
  }

  /** Returns what is wrong with a user name; empty if clients can send it (RFC 7617, 2). */
  private static Optional<String> faultOf(String id) {
    if (id.isEmpty()) {
      return Optional.of("a user name must not be empty");
    }
    if (id.indexOf(':') >= 0) {
      return Optional.of("a colon cannot be part of a user name");
    }
    return id.chars().anyMatch(c -> c < ' ' || c == 0x7f)
        ? Optional.of("a control character cannot be part of a user name")
        : Optional.empty();
  }

  private static Decoder<PasswordHash> hash() {
    return Decoders.nonEmpty().then((text, node, problems) -> {
      try {
        PasswordHash hash = PasswordHash.parse(text);
        hash.weakness().ifPresent(why -> problems.warning(node.at(), node.path(), why,
            "hash the password again: portcullis password hash"));
        return Optional.of(hash);
      } catch (PasswordHash.InvalidHashException e) {
        problems.error(node.at(), node.path(), e.getMessage(), e.hint());
        return Optional.empty();
      }
    });
  }

  /** Returns what can be used but should be changed, as hashes of low cost. */
  public List<Problem> warnings() {
    return warnings;
  }

  /** Returns a user by the bytes that a client sends for its name, each as a character. */
  public Optional<User> find(String sent) {
    return Optional.ofNullable(users.get(sent));
  }

  /**
   * Returns a hash for a name, that of its user or a decoy: a name has always the same one, so the time
   * that it takes does not show which users there are.
   */
  public PasswordHash hashOf(String sent) {
    byte[] digest = Jca.required(() -> {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      return mac.doFinal(sent.getBytes(StandardCharsets.ISO_8859_1));
    });
    int number = (digest[0] & 0xff) << 16 | (digest[1] & 0xff) << 8 | digest[2] & 0xff;
    PasswordHash decoy = decoys.get(number % decoys.size());
    return find(sent).map(User::hash).orElse(decoy);
  }

  private static String wire(String id) {
    return new String(id.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
