package portcullis.policy.finalizer;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.crypto.jwt.TokenSigner;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.KeyPairAlgorithms;
import portcullis.crypto.keys.KeyRing;
import portcullis.crypto.keys.KeyRings;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.template.Template;
import portcullis.lang.value.Json;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.policy.cache.CacheHits;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.endpoint.ClientCredentialsDecoder;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.RequestAdditions;
import portcullis.policy.mechanism.Subject;
import portcullis.policy.mechanism.TemplateSafety;
import portcullis.policy.mechanism.Templates;
import portcullis.policy.mechanism.Values;

/** Adds a signed token (RFC 7519) that identifies the subject to the upstream. */
public record JwtFinalizer(Config config, Supplier<KeyRing> ring, MechanismContext context)
    implements Mechanism.Finalizer {
  private static final Duration DEFAULT_TTL = Duration.ofMinutes(5);
  private static final Duration EARLY = Duration.ofSeconds(5);

  public static final MechanismType<Config, Mechanism.Finalizer> TYPE = MechanismType.of(Mechanism.Finalizer.class,
      "jwt",
      settings(), JwtFinalizer::refined, JwtFinalizer::make)
      .purpose("Adds a signed JSON Web Token (RFC 7519) for the subject to the request for the "
          + "upstream. Upstreams verify it with the keys at `/.well-known/jwks` of the management "
          + "service.")
      .fails(ErrorKind.INTERNAL, "a template fails, the claims are not a JSON object, or the key cannot be used");

  /**
   * The issuer of the tokens and its key.
   *
   * @param algorithm empty for that of the key
   */
  public record Signer(String name, LocatedText path, String password, Optional<String> keyId,
      Optional<Algorithm> algorithm) {
    /** Returns a description without the password. */
    @Override
    public String toString() {
      return name + " with " + path.text();
    }
  }

  public record Config(Signer signer, Optional<Template> claims, Duration ttl, String header, String scheme,
      Values values) {}

  private static Decoder<Signer> signer() {
    Key<LocatedText> path = Key.required("path", Decoders.located(), "the PEM file with the private key");
    Key<String> password = Key.withDefault("password", Decoders.text(), "", "the password of an encrypted key");
    record Store(LocatedText path, String password) {}
    Key<Store> store = Key.required("key_store", Decoders.object("a key store", List.of(path, password),
        p -> new Store(p.get(path), p.get(password))), "the file with the key");
    Key<String> name = Key.withDefault("name", Decoders.nonEmpty(), "heimdall", "the issuer, claim `iss`");
    Key<Optional<String>> id = Key.optional("key_id", Decoders.nonEmpty(), "the id of the key; by default the first");
    Key<Optional<Algorithm>> algorithm = Key.optional("algorithm", KeyPairAlgorithms.decoder(),
        "the signature algorithm; by default that of the key's type and size");
    return Decoders.object("a signer", List.of(name, store, id, algorithm),
        p -> new Signer(p.get(name), p.get(store).path, p.get(store).password, p.get(id), p.get(algorithm)));
  }

  private static Decoder<Duration> ttl() {
    return Decoders.duration().then((ttl, node, problems) -> {
      if (ttl.compareTo(Duration.ofSeconds(1)) <= 0) {
        problems.error(node.at(), node.path(), "must be greater than 1s", "");
        return Optional.empty();
      }
      return Optional.of(ttl);
    });
  }

  private static Decoder<Config> settings() {
    Key<Signer> signer = Key.required("signer", signer(), "the signer");
    Key<Optional<Template>> claims = Key.optional("claims", Templates.decoder(),
        "additional claims, a template of a JSON object");
    Key<Duration> ttl = Key.withDefault("ttl", ttl(), DEFAULT_TTL, "how long a token is valid");
    Key<Optional<ClientCredentialsDecoder.Header>> header = Key.optional("header", ClientCredentialsDecoder.header(),
        "the header field for the token; by default `Authorization: Bearer`");
    Key<Values> values = Key.withDefault("values", Values.decoder(), Values.NONE,
        "strings that the claims read as `Values`");
    return Decoders.object("settings", List.of(signer, claims, ttl, header, values),
        p -> new Config(p.get(signer), p.get(claims),
            p.get(ttl), p.get(header).map(ClientCredentialsDecoder.Header::name).orElse("Authorization"),
            p.get(header).map(h -> h.scheme().orElse("")).orElse("Bearer"), p.get(values)));
  }

  private static Decoder<Config> refined(Config c) {
    Key<Optional<Template>> claims = Key.optional("claims", Templates.decoder(),
        "additional claims, a template of a JSON object");
    Key<Duration> ttl = Key.withDefault("ttl", ttl(), c.ttl, "how long a token is valid");
    Key<Values> values = Key.withDefault("values", Values.decoder(), Values.NONE,
        "overrides values with the same name");
    return Decoders.object("settings", List.of(claims, ttl, values),
        p -> new Config(c.signer, p.get(claims).or(c::claims),
            p.get(ttl), c.header, c.scheme, c.values.overlaid(p.get(values))));
  }

  private static Optional<Mechanism.Finalizer> make(Config config, MechanismContext context, Problems problems) {
    if (!TemplateSafety.check(config.claims, config.values, context, problems)) {
      return Optional.empty();
    }
    LocatedText path = config.signer.path;
    try {
      Path file = Path.of(path.text());
      KeyRings keys = context.keys();
      JwtFinalizer finalizer = new JwtFinalizer(config, keys.ring(file, config.signer.password, config.signer.keyId),
          context);
      finalizer.tokenSigner(finalizer.signingKey());
      keys.signing(file, config.signer.password, config.signer.keyId, config.signer.algorithm);
      return Optional.of(finalizer);
    } catch (KeyMaterialException | InvalidPathException e) {
      KeyMaterialException.report(e, path, problems);
      return Optional.empty();
    }
  }

  private TokenSigner tokenSigner(KeyEntry key) throws KeyMaterialException {
    return TokenSigner.of(key, algorithm(key), config.signer.name);
  }

  private Algorithm algorithm(KeyEntry key) {
    return config.signer.algorithm.orElse(key.algorithm());
  }

  private KeyEntry signingKey() throws KeyMaterialException {
    KeyRing keys = ring.get();
    return config.signer.keyId.isPresent() ? keys.entry(config.signer.keyId.get()) : keys.first();
  }

  @Override
  public RequestAdditions finish(PipelineState state) throws Failure {
    Subject subject = state.subject().orElseThrow(() -> new Failure.Internal("failed to execute jwt finalizer due to "
        + "'nil' subject"));
    Value.Dict claims = claims(state);
    String token = token(subject, claims);
    return RequestAdditions.header(config.header, config.scheme.isEmpty() ? token : config.scheme + " " + token);
  }

  private Value.Dict claims(PipelineState state) throws Failure {
    if (config.claims.isEmpty()) {
      return Value.Dict.EMPTY;
    }
    Value.Dict scope = config.values.in(state.scope());
    try {
      return switch (Json.read(Templates.text(config.claims.get(), scope, "claims"))) {
        case Value.Dict dict -> dict;
        case Value.Null _ -> Value.Dict.EMPTY;
        default ->
          throw new Failure.Internal("failed to unmarshal claims rendered by template: they are not a JSON object");
      };
    } catch (ValueException e) {
      throw new Failure.Internal("failed to unmarshal claims rendered by template", e.getMessage());
    }
  }

  /** Returns a token; one with the same claims is reused until shortly before it expires. */
  private String token(Subject subject, Value.Dict claims) throws Failure {
    try {
      KeyEntry signing = signingKey();
      CacheKey key = CacheKey.of("jwt finalizer", signing.id(), signing.fingerprint(), algorithm(signing).text(),
          config.signer.name,
          config.ttl.toString(), subject.id(), JsonText.plain(subject.attributes()), JsonText.plain(claims));
      Duration kept = config.ttl.minus(EARLY);
      Optional<byte[]> known = kept.isPositive() ? context.caller().cache().get(key) : Optional.empty();
      if (known.isPresent()) {
        CacheHits.found();
        return new String(known.get(), StandardCharsets.US_ASCII);
      }
      context.log().debug("Generating new JWT");
      String token = tokenSigner(signing).sign(claims, subject.id(), context.clock().instant(), config.ttl);
      context.caller().cache().put(key, token.getBytes(StandardCharsets.US_ASCII), kept);
      return token;
    } catch (KeyMaterialException e) {
      throw new Failure.Internal("failed to sign token", e.getMessage());
    }
  }

  @Override
  public Set<String> headers() {
    return Set.of(config.header);
  }

  @Override
  public List<KeyEntry> keys() {
    return ring.get().entries();
  }
}
