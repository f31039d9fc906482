package portcullis.policy.authenticator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.crypto.jwt.ClaimsValidator;
import portcullis.crypto.jwt.Expectations;
import portcullis.crypto.jwt.TokenException;
import portcullis.crypto.jwt.VerifiedToken;
import portcullis.crypto.keys.TrustStore;
import portcullis.lang.expression.ErrorKind;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Credential;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.Mechanism;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.MechanismType;
import portcullis.policy.mechanism.PipelineState;
import portcullis.policy.mechanism.Subject;

/**
 * Authenticates JWTs (RFC 7519) of issuers that publish their keys (RFC 7517). The signature is checked before the
 * claims; the claims are checked for each request, even if the signature was verified before.
 */
public record JwtAuthenticator(Config config, MechanismContext context, Optional<KeyEndpoint> constant)
    implements Mechanism.Authenticator {
  private static final Duration STANDARD_LIFE = Duration.ofMinutes(10);
  private static final Duration STANDARD_STALE = Duration.ofHours(1);

  public static final MechanismType<Config, Mechanism.Authenticator> TYPE = MechanismType.of(
      Mechanism.Authenticator.class,
      "jwt", settings(), JwtAuthenticator::refined, JwtAuthenticator::make)
      .purpose("Verifies JSON Web Tokens (RFC 7519) with the keys that their issuer publishes, and "
          + "checks issuer, audience, scopes and times.")
      .fails(ErrorKind.AUTHENTICATION,
          "the request has no token, its signature or its key is not valid, or a claim is not as "
              + "`assertions` require, or the client does not prove that a bound token is its own")
      .fails(ErrorKind.COMMUNICATION, "the keys of the issuer cannot be fetched")
      .fails(ErrorKind.INTERNAL,
          "the metadata or the keys of the issuer cannot be read, or the claims have no identifier "
              + "at `subject.id`");

  /** @param verifier shared by all rules that use the definition */
  public record Config(IssuerEndpoint place, List<DataSource> sources, Assertion assertion, SubjectPaths subject,
      KeyLifetimes times,
      TokenVerifier verifier) {}

  private static Decoder<Config> settings() {
    IssuerEndpointKeys place = IssuerEndpointKeys.of("jwks_endpoint", MetadataEndpoint.Member.KEYS,
        "the JWKS endpoint of the issuer");
    Key<List<DataSource>> sources = Key.withDefault("jwt_source", DataSource.list(false), DataSource.bearer(),
        "where to find the token");
    Key<Assertion> assertion = Key
        .withDefault("assertions", Assertion.decoder(), Assertion.NONE, "what the token must satisfy").restricting();
    Key<SubjectPaths> subject = Key.withDefault("subject", SubjectPaths.decoder(Optional.of("sub")),
        SubjectPaths.OF_TOKEN,
        "where to find the subject in the claims");
    Key<Duration> life = Key.withDefault("cache_ttl", Decoders.duration(), STANDARD_LIFE, "how long keys are cached");
    Key<Duration> stale = Key.withDefault("stale_if_error", Decoders.duration(), STANDARD_STALE,
        "how much longer the last good keys are used while the issuer does not answer");
    Key<Boolean> checked = Key.withDefault("validate_jwk", Decoders.flag(), true,
        "whether certificates of keys have to "
            + "be trusted");
    Key<Optional<TrustStore>> trust = Key
        .optional("trust_store", JwkTrust.storeDecoder(), "a PEM file of trusted certificates")
        .restricting();
    List<Key<?>> keys = new ArrayList<>(place.both());
    keys.addAll(List.of(sources, assertion, subject, life, stale, checked, trust, ObsoleteSettings.fallback()));
    return Decoders.checked("settings", keys, (p, problems) -> namesIssuers(place, p, assertion, problems)
        .map(found -> new Config(found, p.get(sources), p.get(assertion), p.get(subject),
            new KeyLifetimes(p.get(life), p.get(stale)),
            new TokenVerifier(new JwkTrust(p.get(checked), p.get(trust))))));
  }

  /** Requires issuers where only keys are configured, as a key set does not identify an issuer. */
  private static Optional<IssuerEndpoint> namesIssuers(IssuerEndpointKeys place, DecodedMembers parts,
      Key<Assertion> assertion,
      Problems problems) {
    boolean keysAlone = parts.has(place.endpoint()) && !parts.has(place.metadata());
    if (keysAlone && parts.get(assertion).issuers().isEmpty()) {
      problems.error(parts.at(assertion), parts.node().path(),
          "`assertions.issuers` is missing: 'issuers' is a required field if JWKS endpoint is used",
          "name who may have issued tokens");
      return Optional.empty();
    }
    return place.place(parts, assertion, problems);
  }

  private static Decoder<Config> refined(Config c) {
    Key<Assertion> assertion = Key
        .withDefault("assertions", Assertion.decoder(), Assertion.NONE, "what the token must satisfy").restricting();
    Key<Duration> life = Key.withDefault("cache_ttl", Decoders.duration(), c.times.life(), "how long keys are cached");
    return Decoders.object("settings", List.of(assertion, life, ObsoleteSettings.fallback()),
        p -> new Config(c.place, c.sources,
            c.assertion.overlaid(p.get(assertion)), c.subject, new KeyLifetimes(p.get(life), c.times.stale()),
            c.verifier));
  }

  private static Optional<Mechanism.Authenticator> make(Config config, MechanismContext context, Problems problems) {
    boolean good = config.place.secure(context, problems);
    return good ? Optional.of(new JwtAuthenticator(config, context, constant(config, context))) : Optional.empty();
  }

  /** Returns the address of the keys where it is the same for all tokens, so that its cache key is computed once. */
  private static Optional<KeyEndpoint> constant(Config config, MechanismContext context) {
    if (!(config.place instanceof IssuerEndpoint.Configured(var written)) || !written.isConstant()) {
      return Optional.empty();
    }
    try {
      return Optional.of(new KeyEndpoint(written, Value.Dict.EMPTY, config.times.life(), context));
    } catch (Failure _) {
      return Optional.empty(); // each request will report it
    }
  }

  /** Returns whether the audience of tokens is not checked. */
  public boolean acceptsAnyAudience() {
    return config.assertion.audience().isEmpty();
  }

  @Override
  public void forget() {
    config.place.forget();
    config.verifier.forget();
  }

  @Override
  public Subject authenticate(PipelineState state) throws Failure {
    ProofOfPossession proof = config.assertion.proof();
    DataSource.Found text = DataSource.find(config.sources, state.request(), "no JWT present",
        proof.challenge(context));
    Instant now = context.clock().instant();
    try {
      TokenVerifier.ReceivedToken token = config.verifier.read(text.value(), now);
      IssuerEndpoint.Found issuing = config.place.find(token::issuer, config.assertion.issuers(), config.times.stale(),
          context);
      Expectations expected = config.assertion.expectations(issuing.issuers());
      KeyEndpoint endpoint = constant.isPresent() ? constant.get()
          : new KeyEndpoint(issuing.endpoint(), issuing.scope(), config.times.life(), context);
      VerifiedToken verified = config.verifier.verify(token, endpoint, config.times, expected.allowedAlgorithms(),
          context);
      ClaimsValidator.check(verified.claims(), expected, now);
      proof.check(state.request(), text, verified.claims(), context);
      return config.subject.in(verified.claims(), "jwt").by(Credential.of(verified.claims(), expected.leeway()));
    } catch (ClaimsValidator.InvalidClaimException e) {
      throw new Failure.Authentication("access token does not satisfy assertion conditions: " + e.getMessage());
    } catch (TokenException e) {
      throw new Failure.Authentication(e.getMessage());
    }
  }
}
