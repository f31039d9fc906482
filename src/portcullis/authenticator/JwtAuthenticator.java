package portcullis.authenticator;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.endpoint.Ask;
import portcullis.endpoint.CallFailure;
import portcullis.endpoint.Endpoint;
import portcullis.endpoint.EndpointDecoder;
import portcullis.jwt.Assertions;
import portcullis.jwt.CompactToken;
import portcullis.jwt.Expectations;
import portcullis.jwt.TokenFault;
import portcullis.jwt.Verdict;
import portcullis.jwt.Verification;
import portcullis.jwt.VerifiedToken;
import portcullis.keys.JwkSet;
import portcullis.mechanism.Calls;
import portcullis.mechanism.Failure;
import portcullis.mechanism.Mechanism;
import portcullis.mechanism.MechanismType;
import portcullis.mechanism.State;
import portcullis.mechanism.Subject;
import portcullis.mechanism.Tools;
import portcullis.source.Problems;
import portcullis.value.Value;

/** Knows who asks by a signed token (RFC 7519) of an issuer whose keys are published (RFC 7517). */
public record JwtAuthenticator(Config config, Tools tools) implements Mechanism.Authenticator {
  private static final Duration STANDARD_TIME = Duration.ofMinutes(10);

  public static final MechanismType<Config, Mechanism.Authenticator> TYPE = MechanismType.of(Mechanism.Authenticator.class,
      "jwt", settings(), JwtAuthenticator::refined, JwtAuthenticator::make);

  /**
   * @param keys kept ones, for all rules that use the definition
   * @param time how long keys are kept
   */
  public record Config(Endpoint endpoint, List<DataSource> sources, Assertion assertion, SubjectPaths subject, Duration time,
      RemoteKeys keys) {}

  private static Decoder<Config> settings() {
    Key<Endpoint> endpoint = Key.required("jwks_endpoint", EndpointDecoder.decoder(), "where the issuer's keys are published");
    Key<List<DataSource>> sources = Key.standard("jwt_source", DataSource.list(), DataSource.bearer(), "where the token stands");
    Key<Assertion> assertion = Key.standard("assertions", Assertion.decoder(), Assertion.NONE, "what has to be true of it");
    Key<SubjectPaths> subject = Key.standard("subject", SubjectPaths.decoder(Optional.of("sub")),
        new SubjectPaths("sub", "@this"), "where the claims name the subject");
    Key<Duration> time = Key.standard("cache_ttl", Decoders.duration(), STANDARD_TIME, "how long keys are kept");
    return Decoders.checked("settings", List.of(endpoint, sources, assertion, subject, time, NoEffect.fallback()), (p, problems) -> {
      if (p.get(assertion).issuers().filter(i -> !i.isEmpty()).isEmpty()) {
        problems.error(p.node().at(), p.node().path(), "`assertions.issuers` is missing", "name who may have issued tokens");
        return Optional.empty();
      }
      return Optional.of(new Config(p.get(endpoint), p.get(sources), p.get(assertion), p.get(subject), p.get(time), new RemoteKeys()));
    });
  }

  private static Decoder<Config> refined(Config c) {
    Key<Assertion> assertion = Key.standard("assertions", Assertion.decoder(), Assertion.NONE, "what has to be true of it");
    Key<Duration> time = Key.standard("cache_ttl", Decoders.duration(), c.time, "how long keys are kept");
    return Decoders.object("settings", List.of(assertion, time, NoEffect.fallback()), p -> new Config(c.endpoint, c.sources,
        c.assertion.overlaid(p.get(assertion)), c.subject, p.get(time), c.keys));
  }

  private static Optional<Mechanism.Authenticator> make(Config config, Tools tools, Problems problems) {
    boolean good = config.endpoint.secure(tools.enforcement().egressTls(), problems);
    return good ? Optional.of(new JwtAuthenticator(config, tools)) : Optional.empty();
  }

  @Override
  public Subject authenticate(State state) throws Failure {
    String text = DataSource.first(config.sources, state.request(), "no JWT present");
    Expectations expected = config.assertion.expectations(List.of());
    try {
      CompactToken token = CompactToken.parse(text);
      VerifiedToken verified = Verification.verify(token, keys(token), expected.allowedAlgorithms());
      return switch (Assertions.check(verified.claims(), expected, tools.clock().instant())) {
        case Verdict.Met _ -> config.subject.in(verified.claims());
        case Verdict.Unmet(String why) ->
            throw new Failure.Authentication("access token does not satisfy assertion conditions: " + why);
      };
    } catch (TokenFault e) {
      throw new Failure.Authentication(e.getMessage());
    }
  }

  private JwkSet keys(CompactToken token) throws Failure {
    try {
      Ask ask = config.endpoint.ask(Value.dict("TokenIssuer", issuer(token)));
      return config.keys.set(config.endpoint, ask, token.keyId(), config.time, tools);
    } catch (CallFailure e) {
      throw Calls.failed(e, "JWKS endpoint");
    }
  }

  private static Value issuer(CompactToken token) {
    return token.unverifiedClaims().get("iss").orElse(Value.EMPTY_TEXT);
  }
}
