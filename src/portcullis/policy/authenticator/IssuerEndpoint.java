package portcullis.policy.authenticator;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import portcullis.config.Decoders;
import portcullis.crypto.jwt.IssuerPattern;
import portcullis.lang.source.Problems;
import portcullis.lang.template.Template;
import portcullis.lang.value.Value;
import portcullis.policy.endpoint.Endpoint;
import portcullis.policy.endpoint.UrlTemplate;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;

/** The endpoint that knows about tokens of an issuer: a configured one, or one from server metadata. Thread safe. */
sealed interface IssuerEndpoint {
  /** Returns the configured endpoint. */
  Endpoint written();

  /** Returns whether calls are possible as configured, including the files they need; adds problems if not. */
  default boolean secure(MechanismContext context, Problems problems) {
    return written().secure(context.caller(), context.enforcement().egressTls(), problems);
  }

  /**
   * The endpoint of the issuer of a token.
   *
   * @param issuer the unverified issuer of the token; used only if an address depends on it
   * @param expected the acceptable issuers; no other one is called
   * @param stale how long the last good metadata are used while the endpoint does not answer
   */
  Found find(Supplier<Optional<String>> issuer, List<String> expected, Duration stale, MechanismContext context)
      throws Failure;

  /**
   * An endpoint, the variables of its templates, and the trusted issuers of the tokens.
   *
   * @param issuers those expected, or the issuer of the metadata, or none
   */
  record Found(Endpoint endpoint, Value.Dict scope, List<String> issuers) {}

  /** Discards the metadata that earlier requests left behind. */
  default void forget() {
    // a configured endpoint has none
  }

  /** A configured endpoint. */
  record Configured(Endpoint written) implements IssuerEndpoint {
    @Override
    public Found find(Supplier<Optional<String>> issuer, List<String> expected, Duration stale,
        MechanismContext context)
        throws Failure {
      return new Found(written, scope(written, issuer, expected), expected);
    }
  }

  /** An endpoint from server metadata. */
  record Discovered(MetadataEndpoint metadata, MetadataDocuments documents) implements IssuerEndpoint {
    @Override
    public Endpoint written() {
      return metadata.endpoint();
    }

    @Override
    public void forget() {
      documents.clear();
    }

    @Override
    public boolean secure(MechanismContext context, Problems problems) {
      boolean own = IssuerEndpoint.super.secure(context, problems);
      return metadata.options().secure(context.caller(), context.enforcement().egressTls(), problems) && own;
    }

    @Override
    public Found find(Supplier<Optional<String>> issuer, List<String> expected, Duration stale,
        MechanismContext context)
        throws Failure {
      ServerMetadata server = documents.find(metadata, scope(written(), issuer, expected), stale, context);
      checkRealm(this, server, issuer, expected);
      if (expected.isEmpty() && server.issuer().isEmpty()) {
        throw new Failure.Internal("received server metadata does not contain the required issuer");
      }
      return new Found(server.endpoint(), Value.Dict.EMPTY, expected.isEmpty() ? List.of(server.issuer()) : expected);
    }
  }

  /**
   * Ensures that the keys of one realm do not verify tokens of another: with issuer patterns the realms are not listed,
   * so the metadata document at a rendered address has to be that of the issuer of the token.
   */
  private static void checkRealm(Discovered place, ServerMetadata server, Supplier<Optional<String>> issuer,
      List<String> expected)
      throws Failure {
    if (!isFilledIn(place.written()) || place.metadata.unverified()) {
      return;
    }
    String named = issuer.get().orElse("");
    if (!expected.contains(named) && !server.isOf(named)) {
      throw new Failure.Authentication("issuer " + shown(named) + " is not the one of its metadata");
    }
  }

  /** Returns the variables of address templates, which only ever contain a trusted issuer. */
  private static Value.Dict scope(Endpoint endpoint, Supplier<Optional<String>> issuer, List<String> expected)
      throws Failure {
    if (!isFilledIn(endpoint)) {
      return Value.Dict.EMPTY;
    }
    Optional<String> named = issuer.get();
    if (named.filter(name -> IssuerPattern.isAmong(expected, name)).isEmpty()) {
      throw new Failure.Authentication("issuer " + shown(named.orElse("")) + " is not trusted");
    }
    return Value.dict("TokenIssuer", Value.of(named.get()));
  }

  private static String shown(String issuer) {
    return Decoders.shortened(issuer).replaceAll("\\p{Cntrl}", "?");
  }

  /** Returns whether its URL or a header field is a template. */
  static boolean isFilledIn(Endpoint endpoint) {
    return !(endpoint.url() instanceof UrlTemplate.Fixed)
        || !endpoint.headers().values().stream().allMatch(Template::isLiteral);
  }
}
