package portcullis.authenticator;

import java.time.Duration;
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
import portcullis.jwt.Expectations;
import portcullis.jwt.ScopesMatcher;
import portcullis.keys.Algorithm;

/** What has to be true of a token, as it is configured; each part may be set anew by a rule. */
record Assertion(Optional<List<String>> issuers, Optional<List<String>> audience, Optional<ScopesMatcher> scopes,
    Optional<Set<Algorithm>> algorithms, Optional<Duration> leeway) {
  static final Assertion NONE = new Assertion(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  static Decoder<Assertion> decoder() {
    Decoder<List<String>> texts = Decoders.list(Decoders.text());
    Key<Optional<List<String>>> issuers = Key.optional("issuers", texts, "who may have issued it");
    Key<Optional<List<String>>> audience = Key.optional("audience", texts, "whom it must be for");
    Key<Optional<ScopesMatcher>> scopes = Key.optional("scopes", scopesDecoder(), "the scopes that it must have");
    Key<Optional<Set<Algorithm>>> algorithms = Key.optional("allowed_algorithms",
        Decoders.list(Decoders.choice(algorithmNames())).then((list, _, _) -> Optional.of(Set.copyOf(list))), "how it may be signed");
    Key<Optional<Duration>> leeway = Key.optional("validity_leeway", Decoders.duration(), "by how much clocks may differ");
    return Decoders.object("assertions", List.of(issuers, audience, scopes, algorithms, leeway),
        p -> new Assertion(p.get(issuers), p.get(audience), p.get(scopes), p.get(algorithms), p.get(leeway)));
  }

  private static SequencedMap<String, Algorithm> algorithmNames() {
    SequencedMap<String, Algorithm> out = new LinkedHashMap<>();
    for (Algorithm algorithm : Algorithm.values()) {
      out.put(algorithm.text(), algorithm);
    }
    return out;
  }

  private static Decoder<ScopesMatcher> scopesDecoder() {
    SequencedMap<String, ScopesMatcher.Strategy> strategies = new LinkedHashMap<>();
    for (ScopesMatcher.Strategy strategy : ScopesMatcher.Strategy.values()) {
      strategies.put(strategy.name().toLowerCase(Locale.ROOT), strategy);
    }
    Key<ScopesMatcher.Strategy> strategy = Key.standard("matching_strategy", Decoders.choice(strategies),
        ScopesMatcher.Strategy.EXACT, "how scopes are compared");
    Key<List<String>> values = Key.required("values", Decoders.list(Decoders.text()), "the scopes");
    Decoder<ScopesMatcher> whole = Decoders.object("scopes", List.of(strategy, values),
        p -> new ScopesMatcher(p.get(strategy), p.get(values)));
    Decoder<ScopesMatcher> list = Decoders.list(Decoders.text()).then((l, _, _) ->
        Optional.of(new ScopesMatcher(ScopesMatcher.Strategy.EXACT, l)));
    return Decoder.of(new Shape.Either(List.of(list.shape(), whole.shape())), (node, problems) ->
        (node instanceof Node.Mapping ? whole : list).decode(node, problems));
  }

  /** This with what the other says anew. */
  Assertion overlaid(Assertion other) {
    return new Assertion(other.issuers.or(() -> issuers), other.audience.or(() -> audience), other.scopes.or(() -> scopes),
        other.algorithms.or(() -> algorithms), other.leeway.or(() -> leeway));
  }

  /** @param otherwise the issuers that count where none are configured */
  Expectations expectations(List<String> otherwise) {
    return new Expectations(issuers.filter(i -> !i.isEmpty()).orElse(otherwise), audience.orElse(List.of()),
        scopes.orElse(ScopesMatcher.NONE), algorithms.filter(a -> !a.isEmpty()).orElse(Expectations.DEFAULT_ALGORITHMS),
        leeway.orElse(Duration.ZERO));
  }
}
