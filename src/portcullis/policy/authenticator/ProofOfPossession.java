package portcullis.policy.authenticator;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import portcullis.config.DecodedMembers;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.ForeignMembers;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Shape;
import portcullis.crypto.jwt.Expectations;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.ClientIdentity;
import portcullis.crypto.keys.KeyFile;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;

/**
 * How clients prove that an access token is theirs. A token that is bound to a key (`cnf`) is never accepted without
 * proof, whatever is configured; a type requires that tokens are bound in this way. Immutable.
 *
 * @param type empty if tokens need not be bound
 * @param nonceKey the secret of nonces; empty for one of this process
 */
record ProofOfPossession(Optional<Type> type, Duration age, boolean nonceRequired, boolean replayable,
    Optional<byte[]> nonceKey, Set<Algorithm> algorithms, CertificateSource source) {
  private static final Duration DEFAULT_AGE = Duration.ofMinutes(1);
  private static final Duration LONGEST_AGE = Duration.ofHours(1);
  private static final int SHORTEST_KEY = 32;
  private static final Set<Algorithm> DEFAULT_ALGORITHMS = Stream
      .concat(Expectations.DEFAULT_ALGORITHMS.stream(), Stream.of(Algorithm.EDDSA)).collect(
          Collectors.toUnmodifiableSet());

  /** For tokens that may be bound. */
  static final ProofOfPossession OPTIONAL = new ProofOfPossession(Optional.empty(), DEFAULT_AGE, false, false,
      Optional.empty(), DEFAULT_ALGORITHMS, CertificateSource.TLS);

  /** The ways to bind a token. */
  enum Type {
    DPOP, MTLS
  }

  static Decoder<ProofOfPossession> decoder() {
    SequencedMap<String, Type> types = new LinkedHashMap<>();
    types.put("dpop", Type.DPOP);
    types.put("mtls", Type.MTLS);
    Key<Type> type = Key.required("type", Decoders.choice(types),
        "`dpop` (RFC 9449) or `mtls` (certificate-bound tokens, RFC 8705)");
    Decoder<ProofOfPossession> dpop = dpopSettings();
    Decoder<ProofOfPossession> mtls = mtlsSettings();
    Decoder<ProofOfPossession> ofDpop = whole(type, foreign(dpop, mtls, "mtls"));
    Decoder<ProofOfPossession> ofMtls = whole(type, foreign(mtls, dpop, "dpop"));
    Shape.Members settings = new Shape.Members("settings",
        Stream.of(dpop, mtls).flatMap(one -> keys(one).stream()).toList());
    Decoder<ProofOfPossession> ofAny = whole(type, dpop.described(settings));
    return Decoder.of(ofAny.shape(), (node, problems) -> (isMtls(node) ? ofMtls : ofDpop).decode(node, problems));
  }

  private static Decoder<ProofOfPossession> whole(Key<Type> type, Decoder<ProofOfPossession> settings) {
    Key<ProofOfPossession> config = Key.withDefault("config", settings, OPTIONAL, "its settings");
    return Decoders.object("a proof of possession", List.of(type, config), p -> {
      ProofOfPossession c = p.get(config);
      return new ProofOfPossession(Optional.of(p.get(type)), c.age, c.nonceRequired, c.replayable, c.nonceKey,
          c.algorithms, c.source);
    });
  }

  private static boolean isMtls(Node node) {
    return node instanceof Node.Mapping written && written.get("type").orElse(node) instanceof Node.Scalar type
        && type.text().equals("mtls");
  }

  private static List<Key<?>> keys(Decoder<?> settings) {
    return ((Shape.Members) settings.shape()).keys();
  }

  /** Returns a decoder of settings that reports those of the other type. */
  private static Decoder<ProofOfPossession> foreign(Decoder<ProofOfPossession> own, Decoder<?> other, String type) {
    return ForeignMembers.refused(own, keys(other).stream().map(Key::name).collect(Collectors.toSet()),
        name -> "`" + name + "` belongs to type `" + type + "`", _ -> "remove it, or choose the other type");
  }

  private static Decoder<ProofOfPossession> mtlsSettings() {
    Key<CertificateSource> source = CertificateSource.key();
    return Decoders.object("settings", List.of(source), p -> new ProofOfPossession(Optional.empty(), DEFAULT_AGE,
        false, false, Optional.empty(), DEFAULT_ALGORITHMS, p.get(source)));
  }

  private static Decoder<ProofOfPossession> dpopSettings() {
    Key<Duration> age = Key.withDefault("max_age", proofAge(), DEFAULT_AGE,
        "the maximum age of a proof, beside 10 s of "
            + "clock skew");
    Key<Boolean> nonce = Key.withDefault("nonce_required", Decoders.flag(), false,
        "whether a proof needs a nonce of this service");
    Key<Boolean> replayable = Key.withDefault("replay_allowed", Decoders.flag(), false,
        "whether a proof may be used several times");
    Key<Optional<byte[]>> nonceKey = Key.optional("nonce_key", secret(),
        "a file of at least 32 random bytes that instances share, so that each accepts the nonces of the others");
    Key<Optional<Set<Algorithm>>> algorithms = Key.withDefault("allowed_algorithms", Assertion.algorithmList(),
        Optional.empty(), "the accepted signature algorithms of proofs; by default those of tokens and EdDSA")
        .restricting();
    return Decoders.checked("settings", List.of(age, nonce, replayable, nonceKey, algorithms),
        (p, problems) -> made(p, new Settings(age, nonce, replayable, nonceKey, algorithms), problems));
  }

  private record Settings(Key<Duration> age, Key<Boolean> nonce, Key<Boolean> replayable,
      Key<Optional<byte[]>> nonceKey, Key<Optional<Set<Algorithm>>> algorithms) {}

  private static Optional<ProofOfPossession> made(DecodedMembers p, Settings keys, Problems problems) {
    Set<Algorithm> algorithms = p.get(keys.algorithms).orElse(DEFAULT_ALGORITHMS);
    if (p.has(keys.algorithms) && p.get(keys.algorithms).isEmpty()) {
      problems.error(p.at(keys.algorithms), p.path(keys.algorithms), "must contain at least 1 item",
          "as `[ES256]`, or remove it for the default");
      return Optional.empty();
    }
    if (algorithms.stream().anyMatch(Algorithm::isSymmetric)) {
      problems.error(p.at(keys.algorithms), p.path(keys.algorithms),
          "a proof is signed with a private key, never with a shared secret", "remove HS256, HS384 and HS512");
      return Optional.empty();
    }
    if (p.get(keys.nonceKey).isPresent() && !p.get(keys.nonce)) {
      problems.error(p.at(keys.nonceKey), p.path(keys.nonceKey), "no nonce is required, so the key has no use",
          "set `nonce_required: true`, or remove it");
      return Optional.empty();
    }
    return Optional.of(new ProofOfPossession(Optional.empty(), p.get(keys.age), p.get(keys.nonce),
        p.get(keys.replayable), p.get(keys.nonceKey), algorithms, CertificateSource.TLS));
  }

  private static Decoder<Duration> proofAge() {
    return Decoders.duration().then((age, node, problems) -> {
      if (age.isZero() || age.compareTo(LONGEST_AGE) > 0) {
        problems.error(node.at(), node.path(), "a proof is valid for a second to an hour", "as `1m`");
        return Optional.empty();
      }
      return Optional.of(age);
    });
  }

  private static Decoder<byte[]> secret() {
    return Decoders.nonEmpty().then((path, node, problems) -> {
      try {
        byte[] bytes = KeyFile.guarded(Path.of(path)).getBytes(StandardCharsets.ISO_8859_1);
        if (bytes.length < SHORTEST_KEY) {
          throw new KeyMaterialException(
              "it has fewer than " + SHORTEST_KEY + " bytes, which `openssl rand " + SHORTEST_KEY + "` writes");
        }
        return Optional.of(bytes);
      } catch (KeyMaterialException | InvalidPathException e) {
        KeyMaterialException.reportFile(e, (LocatedText) node, problems);
        return Optional.empty();
      }
    });
  }

  /** Returns the header fields of the response to a request without a token. */
  Fields challenge(MechanismContext context) {
    return type.filter(Type.DPOP::equals).isPresent() ? dpop(context).challenge("", "") : Fields.NONE;
  }

  private DpopCheck dpop(MechanismContext context) {
    return new DpopCheck(age, algorithms,
        nonceRequired ? Optional.of(new DpopNonces(nonceKey.orElseGet(context.proofs()::nonceSecret)))
            : Optional.empty(),
        replayable);
  }

  /**
   * Checks that the request proves possession of the key that the token is bound to.
   *
   * @param token with the place where it was found
   * @param claims of the verified token, or of the introspection response
   */
  void check(Request request, DataSource.Found token, Value.Dict claims, MechanismContext context) throws Failure {
    Value confirmation = claims.get("cnf").orElse(Value.Dict.EMPTY);
    if (!(confirmation instanceof Value.Dict bound)) {
      throw new Failure.Authentication("the confirmation (`cnf`) of the access token is not an object");
    }
    Optional<String> key = member(bound, "jkt");
    Optional<String> certificate = member(bound, "x5t#S256");
    if (key.isEmpty() && certificate.isEmpty() && !bound.members().isEmpty()) {
      throw refused("the access token is bound by other means than `jkt` and `x5t#S256`");
    }
    if (key.isPresent() || token.needsKey(request) || type.filter(Type.DPOP::equals).isPresent()) {
      checkKey(request, token, key, context);
    }
    if (certificate.isPresent() || type.filter(Type.MTLS::equals).isPresent()) {
      checkCertificate(request, certificate);
    }
  }

  private static Optional<String> member(Value.Dict bound, String name) throws Failure {
    Optional<Value> value = bound.get(name);
    if (value.isPresent() && !(value.get() instanceof Value.Str)) {
      throw new Failure.Authentication("`" + name + "` in the confirmation of the access token is not a string");
    }
    return value.map(text -> ((Value.Str) text).value());
  }

  private void checkKey(Request request, DataSource.Found token, Optional<String> key, MechanismContext context)
      throws Failure {
    DpopCheck check = dpop(context);
    if (key.isEmpty()) {
      throw check.refused("invalid_token", "the access token is not bound to a key");
    }
    if (!token.isDpop()) {
      throw check.refused("invalid_token", "the access token is bound to a key and needs the DPoP scheme");
    }
    check.check(request, token.value(), key.get(), context);
  }

  private void checkCertificate(Request request, Optional<String> thumbprint) throws Failure {
    if (thumbprint.isEmpty()) {
      throw refused("the access token is not bound to a certificate");
    }
    X509Certificate presented;
    String actual;
    try {
      presented = source.chain(request).getFirst();
      actual = ClientIdentity.thumbprint(presented);
    } catch (Failure.Authentication e) {
      throw refused("the access token is bound to a certificate: " + e.getMessage());
    } catch (KeyMaterialException e) {
      throw refused(e.getMessage());
    }
    if (!DpopCheck.isEqual(actual, thumbprint.get())) {
      throw refused("the access token is bound to another certificate");
    }
  }

  private static Failure.Authentication refused(String message) {
    return new Failure.Authentication(message, Fields.of("WWW-Authenticate",
        "Bearer error=\"invalid_token\", error_description=\"" + DpopCheck.quotable(message) + "\""));
  }
}
