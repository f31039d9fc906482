package portcullis.policy.authenticator;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.crypto.apikeys.ApiKey;
import portcullis.crypto.apikeys.ApiKeyFiles;
import portcullis.crypto.apikeys.ApiKeyTable;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.http.message.Request;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.policy.limit.Lockout;
import portcullis.policy.mechanism.Credential;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.Subject;

/** Authenticates clients by API keys, whose hashes are in a file. */
public record ApiKeyAuthenticator(Config config, ApiKeyFiles.Live keys, MechanismContext context)
    implements Mechanism.Authenticator {
  private static final List<DataSource> DEFAULT_SOURCES = List.of(new DataSource.Header("X-Api-Key", Optional.empty()));
  private static final Key<Optional<Lockout>> LOCKOUT = Lockout.key();
  private static final DataSource BASIC = new DataSource.Header("Authorization", Optional.of("Basic"));

  public static final MechanismType<Config, Mechanism.Authenticator> TYPE = MechanismType.of(
      Mechanism.Authenticator.class,
      "api_key", settings(), ApiKeyAuthenticator::refined, ApiKeyAuthenticator::make)
      .purpose("Accepts API keys, for machines. A file has the hash of each key, its subject and its limits; it is "
          + "changed by `portcullis key` and read again when it changes.")
      .fails(ErrorKind.AUTHENTICATION, "the request has no key, the key is unknown, revoked, expired or not yet valid, "
          + "comes from another network, or lacks a required scope")
      .fails(ErrorKind.TOO_MANY_REQUESTS, "too many attempts with this key have failed from the network of the client");

  /**
   * The settings.
   *
   * @param basic whether the key may be the password of Basic credentials
   */
  public record Config(LocatedText file, List<DataSource> sources, boolean basic, List<String> scopes,
      Optional<Lockout> lockout) {}

  private static Decoder<Config> settings() {
    Decoder<LocatedText> path = Decoders.nonEmpty().then((_, node, _) -> Optional.of((LocatedText) node));
    Key<LocatedText> file = Key.required("keys", path, "the file of the keys");
    Key<List<DataSource>> sources = Key.withDefault("api_key_source", DataSource.list(true), DEFAULT_SOURCES,
        "where to find the key");
    Key<Boolean> basic = Key.withDefault("basic_auth", Decoders.flag(), false,
        "whether the key may also be the password of Basic credentials (RFC 7617), whatever the user");
    Key<List<String>> scopes = scopes();
    return Decoders.object("settings", List.of(file, sources, basic, scopes, LOCKOUT),
        p -> new Config(p.get(file), p.get(sources), p.get(basic), p.get(scopes), p.get(LOCKOUT)));
  }

  private static Key<List<String>> scopes() {
    return Key.withDefault("scopes", Decoders.list(Decoders.nonEmpty()), List.<String>of(), "the required scopes")
        .restricting();
  }

  private static Decoder<Config> refined(Config c) {
    Key<List<String>> scopes = scopes();
    return Decoders.object("settings", List.of(scopes),
        p -> new Config(c.file, c.sources, c.basic, p.get(scopes).isEmpty() ? c.scopes : p.get(scopes),
            c.lockout));
  }

  private static Optional<Mechanism.Authenticator> make(Config config, MechanismContext context, Problems problems) {
    try {
      return Optional.of(
          new ApiKeyAuthenticator(config, context.apiKeys().open(Path.of(config.file.text())), context));
    } catch (KeyMaterialException | InvalidPathException e) {
      KeyMaterialException.reportFile(e, config.file, problems);
      return Optional.empty();
    }
  }

  @Override
  public Subject authenticate(PipelineState state) throws Failure {
    Request request = state.request();
    String presented = presented(request);
    Attempt attempt = Attempt.begin(config.lockout, context.limits().lockouts(), "api_key " + config.file.text(),
        ApiKeyTable.id(presented), request);
    Optional<ApiKey> known = keys.table().find(presented);
    if (known.isEmpty()) {
      attempt.failed();
      throw new Failure.Authentication("unknown API key");
    }
    attempt.succeeded();
    ApiKey key = known.get();
    Instant now = context.clock().instant();
    ApiKey.State current = key.state(now);
    if (current != ApiKey.State.ACTIVE) {
      throw new Failure.Authentication("API key `" + key.id() + "` is " + current.text());
    }
    if (!key.isFrom(request.client())) {
      throw new Failure.Authentication("API key `" + key.id() + "` may not be used from this network");
    }
    Optional<String> missing = config.scopes.stream().filter(scope -> !key.scopes().contains(scope)).findFirst();
    if (missing.isPresent()) {
      throw new Failure.Authentication("API key `" + key.id() + "` lacks the scope `" + missing.get() + "`");
    }
    keys.used(key, now);
    return subject(key);
  }

  private String presented(Request request) throws Failure {
    Optional<String> password = config.basic ? password(request) : Optional.empty();
    return password.isPresent() ? password.get() : DataSource.first(config.sources, request, "no API key in request");
  }

  /** Returns the password of Basic credentials, or an empty optional where there are none that can be read. */
  private static Optional<String> password(Request request) {
    try {
      String decoded = new String(Base64.getDecoder().decode(BASIC.read(request)), StandardCharsets.ISO_8859_1);
      int colon = decoded.indexOf(':');
      return colon < 0 || colon == decoded.length() - 1 ? Optional.empty() : Optional.of(decoded.substring(colon + 1));
    } catch (IllegalArgumentException | Failure.Precondition _) {
      return Optional.empty();
    }
  }

  private static Subject subject(ApiKey key) {
    Map<String, Value> attributes = new LinkedHashMap<>();
    attributes.put("key_id", Value.of(key.id()));
    attributes.put("scopes", Value.Array.ofStrings(key.scopes()));
    key.attributes().members().forEach(attributes::put);
    return new Subject(key.subject(), new Value.Dict(attributes)).by(Credential.of(key.id(), key.notAfter()));
  }
}
