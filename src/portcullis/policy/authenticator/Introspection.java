package portcullis.policy.authenticator;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.crypto.jwt.ClaimsValidator;
import portcullis.crypto.jwt.CompactToken;
import portcullis.crypto.jwt.Expectations;
import portcullis.crypto.jwt.TokenException;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.policy.cache.CacheCodec;
import portcullis.policy.cache.SingleFlight;
import portcullis.policy.endpoint.CallFailure;
import portcullis.policy.endpoint.EndpointRequest;
import portcullis.policy.endpoint.EndpointResponse;
import portcullis.policy.mechanism.CallFailures;
import portcullis.policy.mechanism.Credential;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.Payload;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.Subject;

/**
 * Authenticates opaque tokens by token introspection (RFC 7662). Only the response is cached; its claims are checked
 * for each request.
 */
public record Introspection(Config config, MechanismContext context) implements Mechanism.Authenticator {
  private static final int LONGEST_TOKEN = 16 << 10;
  private static final Duration EARLY = Duration.ofSeconds(10);

  public static final MechanismType<Config, Mechanism.Authenticator> TYPE = MechanismType.of(
      Mechanism.Authenticator.class,
      "oauth2_introspection", settings(), Introspection::refined, Introspection::make)
      .purpose("Asks an introspection endpoint (RFC 7662) whether an access token is active, and checks "
          + "what the response says of issuer, audience, scopes and times.")
      .fails(ErrorKind.AUTHENTICATION, "the request has no token, the token is not active, or the response is not as "
          + "`assertions` require, or the client does not prove that a bound token is its own")
      .fails(ErrorKind.COMMUNICATION, "the introspection endpoint cannot be reached or answers with an error status")
      .fails(ErrorKind.INTERNAL, "the response is not a JSON object or has no identifier at `subject.id`");

  /** @param life how long responses are cached at most; empty for as long as the token is valid */
  public record Config(IssuerEndpoint place, List<DataSource> sources, Assertion assertion, SubjectPaths subject,
      Optional<Duration> life) {}

  private static Decoder<Config> settings() {
    IssuerEndpointKeys place = IssuerEndpointKeys.of("introspection_endpoint", MetadataEndpoint.Member.INTROSPECTION,
        "the introspection endpoint");
    Key<List<DataSource>> sources = Key.withDefault("token_source", DataSource.list(false), DataSource.bearer(),
        "where to find the token");
    Key<Assertion> assertion = Key
        .withDefault("assertions", Assertion.decoder(), Assertion.NONE, "what the token must satisfy").restricting();
    Key<SubjectPaths> subject = Key.withDefault("subject", SubjectPaths.decoder(Optional.of("sub")),
        SubjectPaths.OF_TOKEN,
        "where to find the subject in the response");
    Key<Optional<Duration>> life = life();
    List<Key<?>> keys = new ArrayList<>(place.both());
    keys.addAll(List.of(sources, assertion, subject, life, ObsoleteSettings.fallback()));
    return Decoders.checked("settings", keys, (p, problems) -> place.place(p, assertion, problems)
        .map(found -> new Config(found, p.get(sources), p.get(assertion), p.get(subject), p.get(life))));
  }

  private static Key<Optional<Duration>> life() {
    return Key.optional("cache_ttl", Decoders.duration(),
        "how long responses are cached; by default until the token expires");
  }

  private static Decoder<Config> refined(Config c) {
    Key<Assertion> assertion = Key
        .withDefault("assertions", Assertion.decoder(), Assertion.NONE, "what the token must satisfy").restricting();
    Key<Optional<Duration>> life = life();
    return Decoders.object("settings", List.of(assertion, life, ObsoleteSettings.fallback()),
        p -> new Config(c.place, c.sources,
            c.assertion.overlaid(p.get(assertion)), c.subject, p.get(life).or(c::life)));
  }

  private static Optional<Mechanism.Authenticator> make(Config config, MechanismContext context, Problems problems) {
    boolean good = config.place.secure(context, problems);
    return good ? Optional.of(new Introspection(config, context)) : Optional.empty();
  }

  /** Returns whether the audience of tokens is not checked. */
  public boolean acceptsAnyAudience() {
    return config.assertion.audience().isEmpty();
  }

  /** Returns whether the issuer of tokens is neither configured nor known from its metadata. */
  public boolean acceptsAnyIssuer() {
    return config.place instanceof IssuerEndpoint.Configured && config.assertion.issuers().isEmpty();
  }

  @Override
  public void forget() {
    config.place.forget();
  }

  @Override
  public Subject authenticate(PipelineState state) throws Failure {
    ProofOfPossession proof = config.assertion.proof();
    DataSource.Found found = DataSource.find(config.sources, state.request(), "no access token present",
        proof.challenge(context));
    Introspected answer = introspected(found.value());
    proof.check(state.request(), found, answer.claims, context);
    return answer.subject;
  }

  /** A response whose claims were checked, and the subject in it. */
  private record Introspected(Value.Dict claims, Subject subject) {}

  private Introspected introspected(String token) throws Failure {
    if (token.length() > LONGEST_TOKEN) {
      throw new Failure.Authentication("the access token is longer than " + LONGEST_TOKEN + " characters");
    }
    IssuerEndpoint.Found issuing = config.place.find(() -> issuer(token), config.assertion.issuers(), Duration.ZERO,
        context);
    EndpointRequest request = request(issuing, token);
    if (config.life.filter(Duration::isZero).isPresent()) {
      return read(answer(issuing, request), issuing).result();
    }
    return context.caller().fetchOnce(issuing.endpoint().key("introspection", request, List.of(), context.caller()),
        CacheCodec.BYTES,
        () -> answer(issuing, request),
        answer -> read(answer, issuing));
  }

  /** Returns the issuer that a JWT names, which is not verified. */
  private static Optional<String> issuer(String token) {
    try {
      return CompactToken.parse(token).unverifiedClaims().get("iss").filter(Value.Str.class::isInstance)
          .map(text -> ((Value.Str) text).value());
    } catch (TokenException _) {
      return Optional.empty();
    }
  }

  private static EndpointRequest request(IssuerEndpoint.Found issuing, String token) throws Failure {
    String form = "token=" + URLEncoder.encode(token, StandardCharsets.UTF_8) + "&token_type_hint=access_token";
    try {
      return issuing.endpoint().request(issuing.scope()).defaultMethod("POST").body(Payload.bytes(form))
          .defaultHeader("Content-Type", "application/x-www-form-urlencoded")
          .defaultHeader("Accept", "application/json");
    } catch (CallFailure e) {
      throw CallFailures.failure(e, "the introspection endpoint");
    }
  }

  private byte[] answer(IssuerEndpoint.Found issuing, EndpointRequest request) throws Failure {
    try {
      EndpointResponse reply = issuing.endpoint().send(request, context.caller());
      if (!reply.good()) {
        throw Failure.Communication.status(reply.status());
      }
      return reply.body();
    } catch (CallFailure e) {
      throw CallFailures.failure(e, "the introspection endpoint");
    }
  }

  private SingleFlight.Read<Introspected> read(byte[] answer, IssuerEndpoint.Found issuing) throws Failure {
    Value.Dict claims = claims(answer);
    Instant now = context.clock().instant();
    if (!claims.get("active").orElse(Value.NULL).equals(Value.TRUE)) {
      throw unmet("the token is not active");
    }
    // without configured issuers, a response may name none; one that names an issuer has to name the right one
    boolean silent = config.assertion.issuers().isEmpty()
        && claims.get("iss").filter(iss -> !(iss instanceof Value.Null)).isEmpty();
    Expectations expected = config.assertion.expectations(silent ? List.of() : issuing.issuers());
    try {
      ClaimsValidator.check(claims, expected, now);
    } catch (ClaimsValidator.InvalidClaimException e) {
      throw unmet(e.getMessage());
    }
    Subject subject = config.subject.in(claims, "introspection response").by(Credential.of(claims, expected.leeway()));
    return new SingleFlight.Read<>(new Introspected(claims, subject), time(claims, now));
  }

  private static Value.Dict claims(byte[] answer) throws Failure {
    try {
      if (Json.read(answer) instanceof Value.Dict claims) {
        return claims;
      }
      throw new Failure.Internal("failed to unmarshal received introspection response: it is not a JSON object");
    } catch (ValueException e) {
      throw Payload.unreadable("failed to unmarshal received introspection response", e);
    }
  }

  private static Failure unmet(String why) {
    return new Failure.Authentication("access token does not satisfy assertion conditions: " + why);
  }

  /** Returns the time until shortly before the token expires, at most the configured one; zero if neither is known. */
  private Duration time(Value.Dict claims, Instant now) {
    Optional<Duration> left = NumericDates.instant(claims, "exp").map(end -> Duration.between(now, end).minus(EARLY));
    return Stream.of(left, config.life).flatMap(Optional::stream).min(Comparator.naturalOrder()).orElse(Duration.ZERO);
  }
}
