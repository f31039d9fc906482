package portcullis.policy.login;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoders;
import portcullis.lang.source.Problem;
import portcullis.lang.source.Problems;
import portcullis.lang.value.Value;
import portcullis.policy.endpoint.CallOptions;
import portcullis.policy.endpoint.Endpoint;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;

/**
 * What a provider says about itself (OpenID Connect Discovery 1.0, 3). Immutable.
 *
 * @param pushed the endpoint of pushed authorization requests (RFC 9126)
 * @param endSession the endpoint of RP-initiated logout
 * @param namesItself whether its authorization responses have {@code iss} (RFC 9207)
 */
record ProviderMetadata(URI authorization, URI token, URI keys, Optional<URI> pushed, Optional<URI> endSession,
    boolean namesItself) {
  /** Parses a document, which has to be that of the issuer, letter by letter. */
  static ProviderMetadata read(byte[] document, ProviderSettings provider, MechanismContext context) throws Failure {
    Value.Dict members = Provider.members(document, "the metadata document of the provider");
    String issuer = text(members, "issuer");
    if (!issuer.equals(provider.issuer().text())) {
      throw unusable("they are of `" + Decoders.shortened(issuer) + "`, not of `" + provider.issuer().text() + "`");
    }
    List<String> methods = list(members, "code_challenge_methods_supported");
    if (!methods.isEmpty() && !methods.contains("S256")) {
      throw unusable("the provider does not support S256 of PKCE, and no other method is safe");
    }
    boolean namesItself = members.get("authorization_response_iss_parameter_supported")
        .filter(value -> value.equals(Value.of(true))).isPresent();
    return new ProviderMetadata(required(members, "authorization_endpoint", context),
        required(members, "token_endpoint", context), required(members, "jwks_uri", context),
        url(members, "pushed_authorization_request_endpoint", context),
        url(members, "end_session_endpoint", context), namesItself);
  }

  private static Failure unusable(String why) {
    return new Failure.Internal("the metadata of the provider cannot be used", why);
  }

  private static String text(Value.Dict members, String name) {
    return members.get(name).orElse(Value.NULL) instanceof Value.Str(String text) ? text : "";
  }

  private static List<String> list(Value.Dict members, String name) {
    return members.get(name).orElse(Value.NULL) instanceof Value.Array all
        ? all.items().stream().map(item -> item instanceof Value.Str(String text) ? text : "").toList()
        : List.of();
  }

  private static URI required(Value.Dict members, String name, MechanismContext context) throws Failure {
    return url(members, name, context).orElseThrow(() -> unusable("`" + name + "` is missing"));
  }

  /** Returns an endpoint, which is http or https without user and fragment, and https if TLS is enforced. */
  private static Optional<URI> url(Value.Dict members, String name, MechanismContext context) throws Failure {
    String text = text(members, name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      URI url = new URI(text);
      Problems problems = new Problems();
      boolean usable = url.getRawAuthority() != null && url.getRawUserInfo() == null && url.getRawFragment() == null
          && Endpoint.at(url, CallOptions.DEFAULT).secure(context.enforcement().egressTls(), problems);
      if (usable) {
        return Optional.of(url);
      }
      throw unusable("`" + name + "` is not a usable URL"
          + problems.sorted().stream().map(Problem::message).findFirst().map(why -> ": " + why).orElse(""));
    } catch (URISyntaxException _) {
      throw unusable("`" + name + "` is not a URL");
    }
  }
}
