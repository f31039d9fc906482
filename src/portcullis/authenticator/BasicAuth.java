package portcullis.authenticator;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.mechanism.Failure;
import portcullis.mechanism.Mechanism;
import portcullis.mechanism.MechanismType;
import portcullis.mechanism.State;
import portcullis.mechanism.Subject;
import portcullis.value.Value;

/** Knows one user by a password (RFC 7617); what stands behind the first colon is the password. */
public record BasicAuth(byte[] user, byte[] password, Subject subject) implements Mechanism.Authenticator {
  public static final MechanismType<Config, Mechanism.Authenticator> TYPE = MechanismType.of(Mechanism.Authenticator.class,
      "basic_auth", settings(), BasicAuth::refined, (config, _, _) -> Optional.of(of(config)));

  private static final DataSource SOURCE = new DataSource.Header("Authorization", Optional.of("Basic"));

  public record Config(String user, String password) {}

  private static Decoder<Config> settings() {
    Key<String> user = Key.required("user_id", Decoders.nonEmpty(), "the user");
    Key<String> password = Key.required("password", Decoders.nonEmpty(), "the password");
    Key<Optional<Boolean>> fallback = NoEffect.fallback();
    return Decoders.object("settings", List.of(user, password, fallback), p -> new Config(p.get(user), p.get(password)));
  }

  private static Decoder<Config> refined(Config c) {
    Key<String> user = Key.standard("user_id", Decoders.nonEmpty(), c.user, "the user");
    Key<String> password = Key.standard("password", Decoders.nonEmpty(), c.password, "the password");
    Key<Optional<Boolean>> fallback = NoEffect.fallback();
    return Decoders.object("settings", List.of(user, password, fallback), p -> new Config(p.get(user), p.get(password)));
  }

  private static BasicAuth of(Config config) {
    return new BasicAuth(hash(config.user), hash(config.password), new Subject(config.user, Value.Dict.EMPTY));
  }

  @Override
  public Subject authenticate(State state) throws Failure {
    String encoded = DataSource.first(List.of(SOURCE), state.request(), "expected header not present in request");
    String credentials = decoded(encoded);
    int colon = credentials.indexOf(':');
    if (colon < 0) {
      throw new Failure.Authentication("malformed user-id - password scheme");
    }
    // both are always compared, in the same time for every input
    boolean user = MessageDigest.isEqual(this.user, hash(credentials.substring(0, colon)));
    boolean password = MessageDigest.isEqual(this.password, hash(credentials.substring(colon + 1)));
    if (!(user & password)) {
      throw new Failure.Authentication("invalid user credentials");
    }
    return subject;
  }

  private static String decoded(String encoded) throws Failure {
    try {
      return new String(Base64.getDecoder().decode(encoded), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      throw new Failure.Authentication("failed to decode received credentials value");
    }
  }

  private static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
