package portcullis.policy.authenticator;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.lang.value.Value;
import portcullis.observe.decisions.SharedAnswers;
import portcullis.policy.endpoint.CallFailure;
import portcullis.policy.endpoint.CallOptions;
import portcullis.policy.endpoint.Endpoint;
import portcullis.policy.endpoint.EndpointDecoder;
import portcullis.policy.endpoint.EndpointRequest;
import portcullis.policy.endpoint.EndpointResponse;
import portcullis.policy.mechanism.CallFailures;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;

/**
 * The server metadata endpoint of an issuer (RFC 8414; OpenID Connect Discovery 1.0, 4); immutable. Responses without
 * freshness information are cached for half an hour.
 *
 * @param unverified whether the issuer of the document may differ from the one that the address implies
 * @param member the endpoint that is looked up
 * @param options how the discovered endpoint is called
 */
record MetadataEndpoint(Endpoint endpoint, boolean unverified, Member member, CallOptions options) {
  private static final CallOptions.HttpCache DEFAULT_CACHE = new CallOptions.HttpCache(Optional.of(true),
      Optional.of(Duration.ofMinutes(30)));

  /** An endpoint in a metadata document. */
  enum Member {
    KEYS("jwks_uri"), INTROSPECTION("introspection_endpoint");

    private final String text;

    Member(String text) {
      this.text = text;
    }

    /** Returns the name of the member. */
    String text() {
      return text;
    }
  }

  /** How discovered endpoints are called. */
  private record Resolved(CallOptions keys, CallOptions introspection) {
    static final Resolved PLAIN = new Resolved(CallOptions.DEFAULT, CallOptions.DEFAULT);

    static Decoder<Resolved> decoder() {
      Key<CallOptions> keys = Key.withDefault(Member.KEYS.text, EndpointDecoder.options(), CallOptions.DEFAULT,
          "requests for keys");
      Key<CallOptions> introspection = Key.withDefault(Member.INTROSPECTION.text, EndpointDecoder.options(),
          CallOptions.DEFAULT,
          "requests for the introspection of tokens");
      return Decoders.object("endpoints", List.of(keys, introspection),
          p -> new Resolved(p.get(keys), p.get(introspection)));
    }

    CallOptions of(Member member) {
      return switch (member) {
        case KEYS -> keys;
        case INTROSPECTION -> introspection;
      };
    }
  }

  static Decoder<MetadataEndpoint> decoder(Member member) {
    Key<Boolean> unverified = Key.withDefault("disable_issuer_identifier_verification", Decoders.flag(), false,
        "whether the metadata may name another issuer than their URL implies");
    Key<Resolved> resolved = Key.withDefault("resolved_endpoints", Resolved.decoder(), Resolved.PLAIN,
        "settings of requests to the endpoints that the metadata name");
    return EndpointDecoder.with(List.of(unverified, resolved), (endpoint, p) -> new MetadataEndpoint(
        endpoint.withDefaultCache(DEFAULT_CACHE), p.get(unverified), member, p.get(resolved).of(member)));
  }

  EndpointRequest request(Value.Dict scope) throws Failure {
    try {
      return endpoint.request(scope).defaultMethod("GET").defaultHeader("Accept", "application/json");
    } catch (CallFailure e) {
      throw failed(CallFailures.failure(e, "oauth2 server metadata endpoint"));
    }
  }

  /** Fetches the document without parsing it. */
  byte[] document(EndpointRequest request, MechanismContext context) throws Failure {
    try (SharedAnswers.Scope _ = SharedAnswers.begin()) {
      EndpointResponse reply = endpoint.send(request, context.caller());
      if (!reply.good()) {
        throw failed(Failure.Communication.status(reply.status()));
      }
      return reply.body();
    } catch (CallFailure e) {
      throw failed(CallFailures.failure(e, "oauth2 server metadata endpoint"));
    }
  }

  /** Parses the document from this address. */
  ServerMetadata read(byte[] document, URI address, MechanismContext context) throws Failure {
    try {
      return ServerMetadata.read(document, this, address, context);
    } catch (Failure e) {
      throw failed(e);
    }
  }

  private static Failure failed(Failure why) {
    return new Failure.Internal("failed retrieving oauth2 server metadata", why);
  }
}
