package portcullis.policy.authenticator;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.crypto.jwt.ClaimsValidator;
import portcullis.crypto.jwt.Expectations;
import portcullis.crypto.jwt.Leeway;
import portcullis.crypto.jwt.ScopesMatcher;
import portcullis.crypto.jwt.TokenException;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.KeyPairAlgorithms;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;

/** An issuer whose tokens count outside of rules, as logout tokens, and how they are verified. Thread safe. */
public final class TrustedIssuer {
  private static final KeyLifetimes TIMES = new KeyLifetimes(Duration.ofMinutes(10), Duration.ofHours(1));
  private static final List<Algorithm> DEFAULT_ALGORITHMS = List.of(Algorithm.RS256, Algorithm.ES256, Algorithm.ES384,
      Algorithm.ES512, Algorithm.PS256, Algorithm.PS384, Algorithm.PS512, Algorithm.EDDSA);

  private final String name;
  private final IssuerEndpoint place;
  private final List<String> audience;
  private final Set<Algorithm> algorithms;
  private final Duration leeway;
  private final TokenVerifier verifier = new TokenVerifier(new JwkTrust(false, Optional.empty()));

  private TrustedIssuer(String name, IssuerEndpoint place, List<String> audience, Set<Algorithm> algorithms,
      Duration leeway) {
    this.name = name;
    this.place = place;
    this.audience = audience;
    this.algorithms = algorithms;
    this.leeway = leeway;
  }

  /** The configuration keys of an issuer, for a section that may have others too. */
  public static final class Keys {
    private final Key<LocatedText> issuer = Key.required("issuer", Decoders.located(),
        "the issuer, as `iss` of its tokens names it");
    private final IssuerEndpointKeys place = IssuerEndpointKeys.of("jwks_endpoint", MetadataEndpoint.Member.KEYS,
        "the JWKS endpoint of the issuer");
    private final Key<List<String>> audience = Key.required("audience", Decoders.list(Decoders.nonEmpty(), 1),
        "the accepted audiences, as the client id of this service at the issuer");
    private final Key<List<Algorithm>> algorithms = Key.withDefault("allowed_algorithms",
        Decoders.list(KeyPairAlgorithms.decoder(), 1), DEFAULT_ALGORITHMS, "the accepted signature algorithms");
    private final Key<Duration> leeway = Key.withDefault("validity_leeway", Leeway.bounded(),
        Duration.ofSeconds(10), "the accepted clock skew");

    public List<Key<?>> all() {
      List<Key<?>> out = new ArrayList<>(List.of(issuer));
      out.addAll(place.both());
      out.addAll(List.of(audience, algorithms, leeway));
      return out;
    }

    /** Returns the configured issuer; empty exactly if a problem was added. */
    public Optional<TrustedIssuer> read(DecodedMembers parts, Problems problems) {
      LocatedText name = parts.get(issuer);
      if (name.text().isBlank() || name.text().contains("*")) {
        problems.error(name.at(0, name.text().length()), name.path(),
            "invalid issuer `" + Decoders.shortened(name.text()) + "`",
            "one issuer, without `*`, as `https://idp.example/realms/main`");
        return Optional.empty();
      }
      return place.place(parts, problems).map(found -> new TrustedIssuer(name.text(), found, parts.get(audience),
          Set.copyOf(parts.get(algorithms)), parts.get(leeway)));
    }
  }

  /** Returns whether its endpoints can be called as configured; adds problems if not. */
  public boolean isUsable(MechanismContext context, Problems problems) {
    return place.secure(context, problems);
  }

  /** Returns the issuer, as its tokens name it. */
  public String name() {
    return name;
  }

  public Duration leeway() {
    return leeway;
  }

  /** Returns whether it may sign with this algorithm. */
  public boolean allows(Algorithm algorithm) {
    return algorithms.contains(algorithm);
  }

  /** Checks issuer, times and types of claims; the audience is checked by {@link #checkAudience}. */
  public void checkClaims(Value.Dict claims, Instant now) throws ClaimsValidator.InvalidClaimException {
    ClaimsValidator.check(claims, expected(List.of()), now);
  }

  public void checkAudience(Value.Dict claims, Instant now) throws ClaimsValidator.InvalidClaimException {
    ClaimsValidator.check(claims, expected(audience), now);
  }

  private Expectations expected(List<String> to) {
    return new Expectations(List.of(name), to, ScopesMatcher.NONE, algorithms, leeway);
  }

  /**
   * Returns the claims of a token that this issuer has signed.
   *
   * @throws TokenException if it has not
   * @throws Failure if its keys cannot be fetched
   */
  public Value.Dict verified(String token, MechanismContext context) throws TokenException, Failure {
    TokenVerifier.ReceivedToken received = verifier.read(token, context.clock().instant());
    IssuerEndpoint.Found found = place.find(received::issuer, List.of(name), TIMES.stale(), context);
    KeyEndpoint endpoint = new KeyEndpoint(found.endpoint(), found.scope(), TIMES.life(), context);
    return verifier.verify(received, endpoint, TIMES, algorithms, context).claims();
  }
}
