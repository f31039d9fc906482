package portcullis.policy.authenticator;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.crypto.keys.Jca;
import portcullis.http.message.Grammar;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.Subject;

/**
 * Authenticates one user by user name and password (RFC 7617); the password is everything after the first colon. Both
 * are compared by their hashes, and always both of them, so that the time taken does not show which one is wrong.
 */
public final class BasicAuth implements Mechanism.Authenticator {
  public static final MechanismType<Config, Mechanism.Authenticator> TYPE = MechanismType.of(
      Mechanism.Authenticator.class,
      "basic_auth", settings(), BasicAuth::refined, (config, _, _) -> Optional.of(new BasicAuth(config)))
      .purpose("Authenticates one user by user name and password (RFC 7617), for machines and for tests.")
      .fails(ErrorKind.AUTHENTICATION, "the request has no credentials, or others");

  private static final List<DataSource> SOURCE = List.of(new DataSource.Header("Authorization", Optional.of("Basic")));

  private final byte[] user;
  private final byte[] password;
  private final Subject subject;

  /** The accepted user. */
  public record Config(String user, String password) {
    /** Without the password. */
    @Override
    public String toString() {
      return user;
    }
  }

  private BasicAuth(Config config) {
    user = hash(Grammar.wire(config.user));
    password = hash(Grammar.wire(config.password));
    subject = new Subject(config.user, Value.Dict.EMPTY);
  }

  private static Decoder<Config> settings() {
    return decoder(Key.required("user_id", userId(), "the user"),
        Key.required("password", credential(), "the password"));
  }

  private static Decoder<Config> refined(Config c) {
    Key<Optional<String>> user = Key.optional("user_id", userId(), "the user");
    Key<Optional<String>> password = Key.optional("password", credential(), "the password");
    return Decoders.object("settings", List.of(user, password, ObsoleteSettings.fallback()),
        p -> new Config(p.get(user).orElse(c.user), p.get(password).orElse(c.password)));
  }

  private static Decoder<Config> decoder(Key<String> user, Key<String> password) {
    return Decoders.object("settings", List.of(user, password, ObsoleteSettings.fallback()),
        p -> new Config(p.get(user), p.get(password)));
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
  public Subject authenticate(PipelineState state) throws Failure {
    String credentials = decoded(DataSource.first(SOURCE, state.request(), "expected header not present in request"));
    int colon = credentials.indexOf(':');
    if (colon < 0 || DataSource.hasControl(credentials)) {
      throw new Failure.Authentication("malformed user-id - password scheme");
    }
    boolean knownUser = MessageDigest.isEqual(user, hash(credentials.substring(0, colon)));
    boolean rightPassword = MessageDigest.isEqual(password, hash(credentials.substring(colon + 1)));
    if (!(knownUser & rightPassword)) {
      throw new Failure.Authentication("invalid user credentials");
    }
    return subject;
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
    return Jca.sha256().digest(bytes.getBytes(StandardCharsets.ISO_8859_1));
  }
}
