package portcullis.policy.authenticator;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.ForeignMembers;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Shape;
import portcullis.crypto.keys.Jca;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.passwords.PasswordChecks;
import portcullis.crypto.passwords.PasswordHash;
import portcullis.crypto.passwords.UserTable;
import portcullis.http.message.Grammar;
import portcullis.http.message.Request;
import portcullis.lang.address.Network;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.policy.limit.Lockout;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.Subject;

/**
 * Authenticates users by user name and password (RFC 7617); the password is everything after the first colon. The time
 * taken does not show which of the two is wrong.
 */
public final class BasicAuth implements Mechanism.Authenticator {
  private static final Duration MOST_REMEMBERED = Duration.ofHours(1);
  private static final Key<Duration> CACHE_TTL = Key.withDefault("cache_ttl", ttl(), Duration.ofMinutes(1),
      "how long a verified password is cached, as hashing is expensive; at most 1h; 0s disables it");

  private static final Key<Optional<Lockout>> LOCKOUT = Lockout.key();

  public static final MechanismType<Config, Mechanism.Authenticator> TYPE = MechanismType.of(
      Mechanism.Authenticator.class,
      "basic_auth", settings(), BasicAuth::refined, BasicAuth::make)
      .purpose("Authenticates users by user name and password (RFC 7617): those of a file, which has hashes of their "
          + "passwords and is read again when it changes, or a single one, for machines and for tests.")
      .fails(ErrorKind.AUTHENTICATION, "the request has no credentials, or others")
      .fails(ErrorKind.TOO_MANY_REQUESTS, "the client has sent too many passwords at once, or too many wrong ones");

  private static final List<DataSource> SOURCE = List.of(new DataSource.Header("Authorization", Optional.of("Basic")));
  private static final Duration WAIT = Duration.ofSeconds(1);

  private final Accounts accounts;
  private final boolean guessable;

  /** The accepted users. */
  public sealed interface Config {}

  /** The configured credentials of a single user. */
  public record One(String user, String password) implements Config {
    /** Returns a description without the password. */
    @Override
    public String toString() {
      return user;
    }
  }

  /** The users of a file. @param remembered how long a right password is remembered */
  public record Many(LocatedText file, Duration remembered, Optional<Lockout> lockout) implements Config {}

  /** The accounts that credentials are checked against; strings have a character for each byte. */
  private interface Accounts {
    Optional<Subject> find(String user, String password, Request request) throws Failure;
  }

  private BasicAuth(Accounts accounts, boolean guessable) {
    this.accounts = accounts;
    this.guessable = guessable;
  }

  private static Optional<Mechanism.Authenticator> make(Config config, MechanismContext context, Problems problems) {
    return switch (config) {
      case One one -> Optional.of(new BasicAuth(accounts(one), true));
      case Many many -> {
        try {
          Supplier<UserTable> users = context.limits().users().open(Path.of(many.file.text()));
          warn(users.get().warnings(), many.file, problems);
          yield Optional.of(new BasicAuth(accounts(users, many, context), many.lockout.isEmpty()));
        } catch (KeyMaterialException | InvalidPathException e) {
          KeyMaterialException.reportFile(e, many.file, problems);
          yield Optional.empty();
        }
      }
    };
  }

  /** Adds the first warning about a file, with the number of the others, which mostly say the same. */
  private static void warn(List<Problem> warnings, LocatedText file, Problems problems) {
    warnings.stream().findFirst().ifPresent(first -> problems.warning(file.at(0, file.text().length()), file.path(),
        first.place() + first.message() + (warnings.size() > 1 ? " (and " + (warnings.size() - 1) + " more)" : ""),
        first.hint()));
  }

  /** Both are compared by their hashes, and always both of them. */
  private static Accounts accounts(One one) {
    byte[] knownUser = hash(Grammar.wire(one.user));
    byte[] knownPassword = hash(Grammar.wire(one.password));
    Subject subject = new Subject(one.user, Value.Dict.EMPTY);
    return (user, password, _) -> {
      boolean isUser = MessageDigest.isEqual(knownUser, hash(user));
      boolean isPassword = MessageDigest.isEqual(knownPassword, hash(password));
      return isUser & isPassword ? Optional.of(subject) : Optional.empty();
    };
  }

  /** A password is verified for unknown users too. */
  private static Accounts accounts(Supplier<UserTable> users, Many settings, MechanismContext context) {
    return (name, password, request) -> {
      UserTable table = users.get();
      Optional<UserTable.User> user = table.find(name);
      Attempt attempt = Attempt.begin(settings.lockout, context.limits().lockouts(), "basic_auth "
          + settings.file.text(), name, request);
      try {
        boolean isPassword = context.limits().passwords().matches(table.hashOf(name), user.isPresent(), bytes(password),
            request.client().map(Network::ofPeer), settings.remembered);
        if (isPassword) {
          attempt.succeeded();
        } else {
          attempt.failed();
        }
        return user.filter(_ -> isPassword).map(known -> new Subject(known.id(), known.attributes()));
      } catch (PasswordChecks.BusyException e) {
        throw new Failure.TooManyRequests(e.getMessage(), WAIT);
      }
    };
  }

  private static Decoder<Config> settings() {
    Decoder<LocatedText> path = Decoders.nonEmpty().then((_, node, _) -> Optional.of((LocatedText) node));
    Key<LocatedText> users = Key.required("users", path, "the file of users");
    Key<String> user = Key.required("user_id", userId(), "the user; or set `users`, a file of many");
    Key<String> password = Key.required("password", password(), "the password");
    Decoder<Config> single = Decoders.object("settings", List.of(user, password, ObsoleteSettings.fallback()),
        p -> new One(p.get(user), p.get(password)));
    Decoder<Config> one = ForeignMembers.refused(single, Set.of(CACHE_TTL.name(), LOCKOUT.name()),
        name -> "`" + name + "` is for `users`, not for a single user", _ -> "remove it, or name a file of `users`");
    Decoder<Config> ofFile = Decoders.object("settings", List.of(users, CACHE_TTL, LOCKOUT),
        p -> new Many(p.get(users), p.get(CACHE_TTL), p.get(LOCKOUT)));
    Decoder<Config> many = ForeignMembers.refused(ofFile, Set.of(user.name(), password.name()),
        name -> "`" + name + "` and `users` exclude each other", _ -> "either a file of users, or `user_id` and "
            + "`password` of a single one");
    Shape shape = new Shape.Members("settings", List.of(
        Key.optional("users", path, "the file of users; for a single one `user_id` and `password` instead"),
        CACHE_TTL, LOCKOUT, Key.optional("user_id", userId(), "the single user, without a file of users"),
        Key.optional("password", password(), "the password of the single user"), ObsoleteSettings.fallback()));
    return Decoder.of(shape, (node, problems) -> (isOfFile(node) ? many : one).decode(node, problems));
  }

  private static boolean isOfFile(Node node) {
    return node instanceof Node.Mapping settings && settings.get("users").isPresent();
  }

  private static Decoder<Config> refined(Config config) {
    return switch (config) {
      case One c -> {
        Key<Optional<String>> user = Key.optional("user_id", userId(), "the user");
        Key<Optional<String>> password = Key.optional("password", password(), "the password");
        yield Decoders.object("settings", List.of(user, password, ObsoleteSettings.fallback()),
            p -> new One(p.get(user).orElse(c.user), p.get(password).orElse(c.password)));
      }
      case Many c -> {
        Key<Duration> ttl = Key.withDefault("cache_ttl", ttl(), c.remembered, "how long a verified password is cached");
        yield Decoders.object("settings", List.of(ttl), p -> new Many(c.file, p.get(ttl), c.lockout));
      }
    };
  }

  private static Decoder<Duration> ttl() {
    return Decoders.duration().then((time, node, problems) -> {
      if (time.compareTo(MOST_REMEMBERED) > 0) {
        problems.error(node.at(), node.path(), "a password would be remembered too long", "at most 1h");
        return Optional.empty();
      }
      return Optional.of(time);
    });
  }

  /** Decodes a user name that a client can send: credentials are divided at the first colon (RFC 7617, 2). */
  private static Decoder<String> userId() {
    return credential().then((text, node, problems) -> {
      if (text.indexOf(':') >= 0) {
        problems.error(node.at(), node.path(), "a colon cannot be part of a user name",
            "what follows the first colon is the password (RFC 7617)");
        return Optional.empty();
      }
      return Optional.of(text);
    });
  }

  private static Decoder<String> password() {
    return credential().then((text, node, problems) -> {
      if (PasswordHash.isLikely(text)) {
        problems.warning(node.at(), node.path(), "this is a hash, which clients would have to send as the password",
            "write the password itself, or the hash into a file of users");
      }
      return Optional.of(text);
    });
  }

  /**
   * Decodes credentials that a client can send: without control characters (RFC 7617, 2), such as a newline at the end
   * of a file.
   */
  private static Decoder<String> credential() {
    return Decoders.nonEmpty().then((text, node, problems) -> {
      if (DataSource.hasControl(text)) {
        problems.error(node.at(), node.path(), "a control character cannot be part of credentials",
            "remove it; often it is a newline at the end");
        return Optional.empty();
      }
      return Optional.of(text);
    });
  }

  @Override
  public boolean guessable() {
    return guessable;
  }

  @Override
  public Subject authenticate(PipelineState state) throws Failure {
    String credentials = decoded(DataSource.first(SOURCE, state.request(), "expected header not present in request"));
    int colon = credentials.indexOf(':');
    if (colon < 0 || DataSource.hasControl(credentials)) {
      throw new Failure.Authentication("malformed user-id - password scheme");
    }
    return accounts.find(credentials.substring(0, colon), credentials.substring(colon + 1), state.request())
        .orElseThrow(() -> new Failure.Authentication("invalid user credentials"));
  }

  /**
   * Decodes base64; padding is required (RFC 4648, 3.2), which the decoder of the JDK does not check. Each byte becomes
   * a character.
   */
  private static String decoded(String encoded) throws Failure {
    try {
      if (encoded.length() % 4 == 0) {
        return new String(Base64.getDecoder().decode(encoded), StandardCharsets.ISO_8859_1);
      }
    } catch (IllegalArgumentException _) {
      // reported below
    }
    throw new Failure.Authentication("failed to decode received credentials value");
  }

  private static byte[] hash(String bytes) {
    return Jca.sha256().digest(bytes(bytes));
  }

  private static byte[] bytes(String characters) {
    return characters.getBytes(StandardCharsets.ISO_8859_1);
  }
}
