package portcullis.policy.endpoint;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import portcullis.crypto.keys.ClientTlsSettings;
import portcullis.crypto.keys.KeyRings;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Problems;
import portcullis.lang.value.BudgetExceededException;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.policy.cache.CacheCodec;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.SingleFlight;

/**
 * Obtains access tokens by client credentials (RFC 6749, 4.4) and caches them until shortly before they expire.
 *
 * @param inBody whether id and secret are sent in the form rather than in an Authorization field
 * @param tls empty for the default settings
 * @param time the maximum time a token is cached; zero for no caching
 */
public record ClientCredentials(LocatedText url, String id, String secret, boolean inBody, List<String> scopes,
    Optional<Duration> time,
    Optional<ClientTlsSettings> tls) {
  private static final Duration EARLY = Duration.ofSeconds(5);

  /** Returns a copy with other scopes and another caching time. */
  public ClientCredentials with(List<String> otherScopes, Optional<Duration> otherTime) {
    return new ClientCredentials(url, id, secret, inBody, otherScopes, otherTime, tls);
  }

  /** Returns whether tokens can be fetched, given whether TLS is enforced; adds a problem if not. */
  public boolean secure(boolean tlsOnly, Problems problems) {
    boolean own = Urls.check(url, tlsOnly, problems) && (tls.isEmpty() || Urls.isHttps(url, problems));
    return (tls.isEmpty() || tls.get().read(new KeyRings(InstantSource.system()), problems).isPresent()) && own;
  }

  /** Like {@link #secure(boolean, Problems)}, and makes the client watch the files. */
  public boolean secure(EndpointClient caller, boolean tlsOnly, Problems problems) {
    boolean good = secure(tlsOnly, problems);
    if (good) {
      hold(caller);
    }
    return good;
  }

  /** Makes the client watch the files of the TLS settings. */
  void hold(EndpointClient caller) {
    tls.ifPresent(caller::hold);
  }

  /** Returns a token, a cached one if possible. */
  public AccessToken token(EndpointClient caller) throws CallFailure {
    if (time.filter(Duration::isZero).isPresent()) {
      return token(dict(fetched(caller)));
    }
    CacheKey key = CacheKey.of("client credentials", identity(caller));
    return caller.fetchOnce(key, CacheCodec.BYTES, () -> fetched(caller), answer -> {
      Value.Dict dict = dict(answer);
      return new SingleFlight.Read<>(token(dict), lifetime(dict));
    });
  }

  String identity(EndpointClient caller) {
    List<String> parts = new ArrayList<>(List.of(url.text(), id, secret, String.valueOf(inBody), time.toString(),
        tls.map(caller::identity).orElse("")));
    parts.addAll(scopes);
    return CacheKey.of("identity", parts).hash();
  }

  private byte[] fetched(EndpointClient caller) throws CallFailure {
    StringBuilder form = new StringBuilder("grant_type=client_credentials");
    if (!scopes.isEmpty()) {
      form.append("&scope=").append(encoded(String.join(" ", scopes)));
    }
    if (inBody) {
      form.append("&client_id=").append(encoded(id)).append("&client_secret=").append(encoded(secret));
    }
    HttpCall call = new HttpCall("POST", URI.create(url.text()), form.toString().getBytes(StandardCharsets.UTF_8), tls);
    call.add("Content-Type", "application/x-www-form-urlencoded");
    call.add("Accept", "application/json");
    if (!inBody) {
      call.add("Authorization", Credentials.Basic.value(encoded(id), encoded(secret)));
    }
    EndpointResponse reply = caller.send(call);
    return switch (reply.status()) {
      case 200 -> reply.body();
      case 400 -> throw error(dict(reply.body()));
      default -> throw new CallFailure.Unreachable("unexpected response code: " + reply.status());
    };
  }

  private static CallFailure error(Value.Dict answer) {
    return new CallFailure.Unreachable("error from oauth2 server: error: " + text(answer.get("error"))
        + answer.get("error_description").map(d -> ", error_description: " + text(Optional.of(d))).orElse("")
        + answer.get("error_uri").map(u -> ", error_uri: " + text(Optional.of(u))).orElse(""));
  }

  private static Value.Dict dict(byte[] json) throws CallFailure {
    try {
      if (Json.read(json) instanceof Value.Dict dict) {
        return dict;
      }
      throw new CallFailure.Unreachable("failed to unmarshal response: it is not a JSON object");
    } catch (BudgetExceededException e) {
      throw e.exhausted() ? new CallFailure.Exhausted(e.getMessage())
          : new CallFailure.Unreachable("failed to unmarshal response: " + e.getMessage());
    } catch (ValueException e) {
      throw new CallFailure.Unreachable("failed to unmarshal response: " + e.getMessage());
    }
  }

  private static AccessToken token(Value.Dict answer) throws CallFailure {
    if (answer.get("error").isPresent()) {
      throw error(answer);
    }
    String value = text(answer.get("access_token"));
    String type = text(answer.get("token_type"));
    if (!isVisible(value) || value.isEmpty() || !isVisible(type)) {
      throw new CallFailure.Unreachable("the answer of the oauth2 server holds no usable access_token");
    }
    return new AccessToken(switch (type.toLowerCase(Locale.ROOT)) {
      case "", "bearer" -> "Bearer";
      case "mac" -> "MAC";
      case "basic" -> "Basic";
      default -> type;
    }, value);
  }

  /** Returns whether it is {@code access-token = 1*VSCHAR} (RFC 6749, A.12), as it is put into a header field. */
  private static boolean isVisible(String text) {
    return text.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  private Duration lifetime(Value.Dict answer) {
    Optional<Duration> lifetime = answer.get("expires_in").flatMap(ClientCredentials::seconds).map(d -> d.minus(EARLY));
    if (lifetime.isEmpty()) {
      return time.orElse(Duration.ZERO);
    }
    return time.filter(t -> t.compareTo(lifetime.get()) < 0).orElse(lifetime.get());
  }

  private static Optional<Duration> seconds(Value value) {
    return switch (value) {
      case Value.Int i -> Optional.of(Duration.ofSeconds(Math.clamp(i.value(), 0, Integer.MAX_VALUE)));
      case Value.Float f -> Optional.of(Duration.ofSeconds((long) Math.clamp(f.value(), 0, Integer.MAX_VALUE)));
      case Value.Str t when t.value().matches("[0-9]{1,9}") ->
        Optional.of(Duration.ofSeconds(Integer.parseInt(t.value())));
      default -> Optional.empty();
    };
  }

  private static String text(Optional<Value> value) {
    return value.filter(Value.Str.class::isInstance).map(v -> ((Value.Str) v).value()).orElse("");
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  /** Returns a description without the secret. */
  @Override
  public String toString() {
    return id + " at " + url.text();
  }
}
