package portcullis.policy.authenticator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Shape;
import portcullis.crypto.jwt.Expectations;
import portcullis.crypto.jwt.IssuerPattern;
import portcullis.crypto.jwt.Leeway;
import portcullis.crypto.jwt.ScopesMatcher;
import portcullis.crypto.keys.Algorithm;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;

/**
 * The configured requirements on a token. A rule may override each part; an empty list and a leeway of zero override
 * nothing.
 *
 * @param issuers empty if none are configured
 * @param audience empty if none is configured
 * @param algorithms empty if none are configured
 * @param leeway zero if none is configured
 * @param possession empty if none is configured
 */
record Assertion(List<String> issuers, List<String> audience, Optional<ScopesMatcher> scopes,
    Optional<Set<Algorithm>> algorithms,
    Duration leeway, Optional<ProofOfPossession> possession) {
  /** The key types (RFC 7518, 6.1; RFC 8037, 2). */
  private static final Set<String> KEY_TYPES = Set.of("RSA", "EC", "OKP", "oct");

  static final Assertion NONE = new Assertion(List.of(), List.of(), Optional.empty(), Optional.empty(), Duration.ZERO,
      Optional.empty());

  static Decoder<Assertion> decoder() {
    Decoder<List<String>> texts = Decoders.list(Decoders.nonEmpty());
    Key<List<String>> issuers = Key.withDefault("issuers", issuerList(), List.of(),
        "the trusted issuers; `*` matches one path segment").restricting();
    Key<List<String>> audience = Key.withDefault("audience", texts, List.of(), "the accepted audiences").restricting();
    Key<Optional<ScopesMatcher>> scopes = Key.optional("scopes", scopeList(texts), "the required scopes")
        .restricting();
    Key<Optional<Set<Algorithm>>> algorithms = Key
        .withDefault("allowed_algorithms", algorithmList(), Optional.empty(),
            "the accepted signature algorithms; by default ES256, ES384, ES512, PS256, PS384 and PS512")
        .restricting();
    Key<Duration> leeway = Key.withDefault("validity_leeway", Leeway.unbounded(), Duration.ZERO,
        "the accepted clock skew; `0s` means `10s`, as in heimdall");
    Key<Optional<ProofOfPossession>> possession = Key.optional("proof_of_possession", ProofOfPossession.decoder(),
        "how clients prove that the token is theirs; bound tokens need their proof in any case").restricting();
    return Decoders.object("assertions", List.of(issuers, audience, scopes, algorithms, leeway, possession),
        p -> new Assertion(p.get(issuers), p.get(audience),
            p.get(scopes).filter(s -> !s.required().isEmpty()), p.get(algorithms), p.get(leeway),
            p.get(possession)));
  }

  private static Decoder<List<String>> issuerList() {
    return Decoders.list(Decoders.nonEmpty().then((issuer, node, problems) -> {
      Optional<String> error = IssuerPattern.error(issuer);
      error.ifPresent(
          why -> problems.error(node.at(), node.path(), "invalid issuer `" + Decoders.shortened(issuer) + "`: " + why,
              "as in `https://idp.example/realms/*`"));
      return error.isEmpty() ? Optional.of(issuer) : Optional.empty();
    }));
  }

  /** Decodes scopes; a plain list is compared exactly. */
  private static Decoder<ScopesMatcher> scopeList(Decoder<List<String>> texts) {
    SequencedMap<String, ScopesMatcher.Strategy> strategies = new LinkedHashMap<>();
    for (ScopesMatcher.Strategy strategy : ScopesMatcher.Strategy.values()) {
      strategies.put(strategy.name().toLowerCase(Locale.ROOT), strategy);
    }
    Key<ScopesMatcher.Strategy> strategy = Key.withDefault("matching_strategy", Decoders.choice(strategies),
        ScopesMatcher.Strategy.EXACT, "how scopes are compared");
    Key<List<String>> values = Key.required("values", texts, "the scopes");
    Decoder<ScopesMatcher> whole = Decoders.object("scopes", List.of(strategy, values),
        p -> new ScopesMatcher(p.get(strategy), p.get(values)));
    Decoder<ScopesMatcher> list = texts
        .then((l, _, _) -> Optional.of(new ScopesMatcher(ScopesMatcher.Strategy.EXACT, l)));
    return Decoder.of(new Shape.Either(List.of(list.shape(), whole.shape())),
        (node, problems) -> (node instanceof Node.Mapping ? whole : list).decode(node, problems));
  }

  /** Decodes algorithms; {@code none} is ignored with a warning beside others, and an error alone. */
  static Decoder<Optional<Set<Algorithm>>> algorithmList() {
    SequencedMap<String, Algorithm> known = new LinkedHashMap<>();
    for (Algorithm algorithm : Algorithm.values()) {
      known.put(algorithm.text(), algorithm);
    }
    Decoder<Algorithm> one = Decoders.choice(known);
    Shape shape = new Shape.Items(one.shape(), 0);
    return Decoder.of(shape, (node, problems) -> node instanceof Node.Sequence list ? listed(list, one, problems)
        : Decoders.wrong(node, problems, "a list", ""));
  }

  /** Returns an empty inner optional for an empty list, and an empty set if only key types are listed. */
  private static Optional<Optional<Set<Algorithm>>> listed(Node.Sequence list, Decoder<Algorithm> one,
      Problems problems) {
    List<Node> some = new ArrayList<>(list.items());
    List<Node> none = list.items().stream()
        .filter(item -> item instanceof LocatedText t && t.text().equalsIgnoreCase("none")).toList();
    some.removeAll(none);
    if (!none.isEmpty() && some.isEmpty()) {
      problems.error(none.getFirst().at(), none.getFirst().path(), "`none` is not an algorithm: unsigned tokens are "
          + "never accepted",
          "name the algorithms of the issuer's keys, or omit the list");
      return Optional.empty();
    }
    none.forEach(item -> problems.warning(item.at(), item.path(), "`none` has no effect: unsigned tokens are never "
        + "accepted", "remove it"));
    List<Node> types = some.stream().filter(item -> item instanceof LocatedText t && KEY_TYPES.contains(t.text()))
        .toList();
    some.removeAll(types);
    types.forEach(item -> problems.warning(item.at(), item.path(), "`" + ((LocatedText) item).text()
        + "` is a key type, not an algorithm, and allows nothing", "name algorithms, as `RS256`"));
    List<Algorithm> out = new ArrayList<>();
    some.forEach(item -> one.decode(item, problems).ifPresent(out::add));
    Optional<Set<Algorithm>> allowed = list.items().isEmpty() ? Optional.empty() : Optional.of(Set.copyOf(out));
    return out.size() == some.size() ? Optional.of(allowed) : Optional.empty();
  }

  /** Returns a copy in which the settings of the other override those of this one. */
  Assertion overlaid(Assertion other) {
    return new Assertion(other.issuers.isEmpty() ? issuers : other.issuers,
        other.audience.isEmpty() ? audience : other.audience,
        other.scopes.or(() -> scopes), other.algorithms.or(() -> algorithms),
        other.leeway.isZero() ? leeway : other.leeway, other.possession.or(() -> possession));
  }

  /** Returns how clients have to prove possession. */
  ProofOfPossession proof() {
    return possession.orElse(ProofOfPossession.OPTIONAL);
  }

  /**
   * Returns the expectations for a token.
   *
   * @param trusted the trusted issuers; empty to trust any
   */
  Expectations expectations(List<String> trusted) {
    return new Expectations(trusted, audience, scopes.orElse(ScopesMatcher.NONE),
        algorithms.orElse(Expectations.DEFAULT_ALGORITHMS), leeway);
  }
}
