package portcullis.policy.login;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import portcullis.crypto.jwt.Expectations;
import portcullis.crypto.jwt.ScopesMatcher;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.policy.authenticator.IssuedTokens;
import portcullis.policy.cache.CacheCodec;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.SingleFlight;
import portcullis.policy.endpoint.CallFailure;
import portcullis.policy.endpoint.CallOptions;
import portcullis.policy.endpoint.Credentials;
import portcullis.policy.endpoint.Endpoint;
import portcullis.policy.endpoint.EndpointRequest;
import portcullis.policy.endpoint.EndpointResponse;
import portcullis.policy.mechanism.CallFailures;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.Payload;

/** An OpenID provider: its metadata, which are fetched when they are needed, and the calls to it. Thread safe. */
final class Provider {
  private static final Duration METADATA_LIFE = Duration.ofMinutes(30);
  private static final Duration METADATA_STALE = Duration.ofHours(6);
  /** After a failed fetch the last good metadata are used without another one. */
  private static final Duration PAUSE = Duration.ofSeconds(10);
  private static final int MOST_BYTES = 256 << 10;
  private static final Pattern JSON = Pattern.compile("(?i)application/json[ \\t]*(;|$)");

  private final ProviderSettings settings;
  private final MechanismContext context;
  private final Duration leeway;
  private final CallOptions options;
  private final IssuedTokens tokens = new IssuedTokens();
  private volatile Optional<Known> known = Optional.empty();

  /** @param until when metadata are fetched again; @param stale until when they are used if that fails */
  private record Known(ProviderMetadata metadata, Instant until, Instant stale) {}

  Provider(ProviderSettings settings, Duration leeway, MechanismContext context) {
    this.settings = settings;
    this.context = context;
    this.leeway = leeway;
    options = new CallOptions(Optional.empty(), Credentials.NONE, CallOptions.HttpCache.UNSET, settings.tls());
  }

  ProviderSettings settings() {
    return settings;
  }

  void forget() {
    known = Optional.empty();
    tokens.forget();
  }

  /** Returns the metadata; the last good ones while the provider does not answer. */
  ProviderMetadata metadata() throws Failure {
    Instant now = context.steady().instant();
    Optional<Known> last = known;
    if (last.filter(k -> now.isBefore(k.until)).isPresent()) {
      return last.get().metadata;
    }
    try {
      String place = settings.issuer().text().replaceAll("/$", "") + ProviderSettings.METADATA;
      URI address = URI.create(place);
      CacheKey key = CacheKey.of("provider metadata", place);
      ProviderMetadata metadata = context.caller().upTo(MOST_BYTES).fetchOnce(key, CacheCodec.BYTES,
          () -> fetched(address),
          answer -> new SingleFlight.Read<>(ProviderMetadata.read(answer, settings, context), METADATA_LIFE));
      known = Optional.of(new Known(metadata, now.plus(METADATA_LIFE), now.plus(METADATA_STALE)));
      return metadata;
    } catch (Failure e) {
      if (last.filter(k -> now.isBefore(k.stale)).isEmpty()) {
        throw e;
      }
      context.log().warn("provider metadata cannot be fetched, the last ones stay in use", "_issuer",
          settings.issuer().text(), "_error", e.report());
      known = Optional.of(new Known(last.get().metadata, now.plus(PAUSE), last.get().stale));
      return last.get().metadata;
    }
  }

  private byte[] fetched(URI address) throws Failure {
    EndpointRequest request = request(address).defaultMethod("GET");
    EndpointResponse reply = sent(address, request, "the metadata endpoint of the provider");
    if (!reply.good()) {
      throw new Failure.Communication("unexpected response of the provider: " + reply.status(), false);
    }
    return reply.body();
  }

  private EndpointRequest request(URI address) throws Failure {
    try {
      return Endpoint.at(address, options).request(Value.Dict.EMPTY).defaultHeader("Accept", "application/json");
    } catch (CallFailure e) {
      throw CallFailures.failure(e, "the provider");
    }
  }

  private EndpointResponse sent(URI address, EndpointRequest request, String service) throws Failure {
    try {
      return Endpoint.at(address, options).send(request, context.caller().upTo(MOST_BYTES));
    } catch (CallFailure e) {
      throw CallFailures.failure(e, service);
    }
  }

  /** A response of the token endpoint: its members, or the code of an error. */
  record Reply(Value.Dict members, String error) {
    Optional<String> text(String name) {
      return members.get(name).filter(Value.Str.class::isInstance).map(v -> ((Value.Str) v).value())
          .filter(text -> !text.isEmpty());
    }

    /** Returns the error with its description, for logs. @param secret what the description must not repeat */
    String reason(String secret) {
      return Codes.reason(error, text("error_description").orElse(""), secret);
    }

    /** Returns the lifetime of the access token; empty if it is not known. */
    Optional<Duration> lifetime() {
      return members.get("expires_in").filter(Value.Int.class::isInstance)
          .map(v -> Duration.ofSeconds(Math.clamp(((Value.Int) v).value(), 1, 86400 * 30)));
    }
  }

  /**
   * Posts a form with the client's authentication. Returns an error of 400 or 401 that the provider names.
   *
   * @throws Failure.Communication for any response that is not JSON of the specified media type (RFC 6749, 5.1 and 5.2)
   */
  Reply post(URI address, Map<String, String> parameters, String service) throws Failure {
    EndpointRequest request = request(address).defaultHeader("Content-Type", "application/x-www-form-urlencoded");
    Map<String, String> form = new LinkedHashMap<>(parameters);
    settings.client().apply(settings, request, form, context);
    request.body(encoded(form).getBytes(StandardCharsets.US_ASCII));
    EndpointResponse reply = sent(address, request, service);
    if (!reply.good() && reply.status() != 400 && reply.status() != 401) {
      throw new Failure.Communication("unexpected response of " + service + ": " + reply.status(), false);
    }
    if (!JSON.matcher(reply.contentType()).lookingAt()) {
      throw new Failure.Communication("the response of " + service + " is not of type application/json", false);
    }
    Value.Dict members = members(reply.body(), "the response of " + service);
    String error = members.get("error").orElse(Value.NULL) instanceof Value.Str(String code) ? code : "";
    if (!reply.good() && error.isEmpty()) {
      throw new Failure.Communication("unexpected response of " + service + ": " + reply.status(), false);
    }
    return new Reply(members, reply.good() ? "" : error);
  }

  /**
   * Parses a JSON object of the provider.
   *
   * @throws Failure.Communication if it is something else
   */
  static Value.Dict members(byte[] document, String name) throws Failure {
    try {
      if (Json.read(document) instanceof Value.Dict dict) {
        return dict;
      }
      throw new Failure.Communication(name + " is not a JSON object", false);
    } catch (ValueException e) {
      Failure failure = Payload.unreadable(name + " cannot be read", e);
      throw failure instanceof Failure.Exhausted ? failure
          : new Failure.Communication(failure.getMessage(), e.getMessage(), false);
    }
  }

  /** Returns a form, or a query. */
  static String encoded(Map<String, String> parameters) {
    StringJoiner out = new StringJoiner("&");
    parameters.forEach((name, value) -> out.add(URLEncoder.encode(name, StandardCharsets.UTF_8) + "="
        + URLEncoder.encode(value, StandardCharsets.UTF_8)));
    return out.toString();
  }

  /** Returns the claims of a token of this provider for this client. */
  Value.Dict claims(String token, ProviderMetadata metadata) throws Failure {
    Expectations expected = new Expectations(List.of(), List.of(settings.clientId()), ScopesMatcher.NONE,
        settings.algorithms(), leeway);
    Value.Dict claims = verified(token, metadata, expected);
    if (!claims.get("iss").orElse(Value.NULL).equals(Value.of(settings.issuer().text()))) {
      throw new Failure.Authentication("the token is of another issuer");
    }
    boolean several = claims.get("aud").orElse(Value.NULL) instanceof Value.Array all && all.items().size() > 1;
    Optional<Value> party = claims.get("azp").filter(value -> !(value instanceof Value.Null));
    if (several && party.isEmpty() || party.filter(p -> !p.equals(Value.of(settings.clientId()))).isPresent()) {
      throw new Failure.Authentication("the token was issued to another client");
    }
    return claims;
  }

  private Value.Dict verified(String token, ProviderMetadata metadata, Expectations expected) throws Failure {
    try {
      return tokens.claims(token, metadata.keys(), options, expected, context);
    } catch (Failure.Internal e) {
      throw new Failure.Communication("the keys of the provider cannot be used", e.report(), false);
    }
  }
}
