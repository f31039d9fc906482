package portcullis.policy.authenticator;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import portcullis.crypto.keys.JwkSet;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.lang.value.Json;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;
import portcullis.observe.decisions.SharedAnswers;
import portcullis.policy.cache.CacheCodec;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.SingleFlight;
import portcullis.policy.endpoint.CallFailure;
import portcullis.policy.endpoint.Endpoint;
import portcullis.policy.endpoint.EndpointRequest;
import portcullis.policy.endpoint.EndpointResponse;
import portcullis.policy.mechanism.CallFailures;
import portcullis.policy.mechanism.Failure;
import portcullis.policy.mechanism.MechanismContext;
import portcullis.policy.mechanism.Payload;

/**
 * A JWKS endpoint (RFC 7517, 5) with its templates rendered. Responses are stored in the common cache with the time of
 * the request, so that all definitions with the same endpoint share them. Immutable.
 */
final class KeyEndpoint implements IssuerKeys.Source {
  private static final String SERVICE = "JWKS endpoint";

  private final Endpoint endpoint;
  private final Value.Dict scope;
  private final Duration life;
  private final MechanismContext context;
  private final CacheKey id;
  private final String address;

  /**
   * Renders the templates of an endpoint.
   *
   * @param scope the variables of the templates
   * @param life how long keys are cached; zero for not at all
   */
  KeyEndpoint(Endpoint endpoint, Value.Dict scope, Duration life, MechanismContext context) throws Failure {
    this.endpoint = endpoint;
    this.scope = scope;
    this.life = life;
    this.context = context;
    EndpointRequest request = request();
    id = endpoint.key("published keys", request, List.of(), context.caller());
    address = request.address();
  }

  private EndpointRequest request() throws Failure {
    try {
      return endpoint.request(scope).defaultMethod("GET").defaultHeader("Accept", "application/json");
    } catch (CallFailure e) {
      throw CallFailures.failure(e, SERVICE);
    }
  }

  /** Returns the cache key, which is the same for all definitions that send the same request. */
  CacheKey id() {
    return id;
  }

  /** For logs. */
  String address() {
    return address;
  }

  @Override
  public KnownKeys fetch() throws Failure {
    return kept(request());
  }

  @Override
  public KnownKeys fetchSince(Optional<KnownKeys> seen) throws Failure {
    Instant begun = context.steady().instant();
    AtomicBoolean own = new AtomicBoolean();
    KnownKeys keys = context.caller().fetchOnce(id, CacheCodec.BYTES, () -> {
      own.set(true);
      return answer(request());
    }, answer -> new SingleFlight.Read<>(read(answer, own.get() ? begun : since(requested(answer))), life));
    boolean isYounger = seen.filter(old -> !keys.requested().isAfter(old.requested())).isEmpty();
    // the definition that cached it may have a longer cache_ttl
    return own.get() || isYounger && keys.lives(begun, life) ? keys : fetch();
  }

  /**
   * Returns the start of the lifetime of cached keys. Another process may have fetched them, so only the wall clock
   * gives their age. Keys from the future have no lifetime: one of the clocks is wrong.
   */
  private Instant since(Instant requested) {
    Duration age = Duration.between(requested, context.clock().instant());
    return age.isNegative() ? Instant.MIN : context.steady().instant().minus(age);
  }

  @Override
  public KnownKeys fetchUncached() throws Failure {
    boolean isKept = endpoint.options().cache().enabled().orElse(false);
    return kept(isKept ? request().defaultHeader("Cache-Control", "no-cache") : request());
  }

  private KnownKeys kept(EndpointRequest request) throws Failure {
    Instant begun = context.steady().instant();
    byte[] answer = answer(request);
    KnownKeys keys = read(answer, begun);
    context.caller().cache().put(id, answer, life);
    return keys;
  }

  /** Returns the wall clock time of the request in milliseconds as eight bytes, followed by the response. */
  private byte[] answer(EndpointRequest request) throws Failure {
    long begun = context.clock().millis();
    try (SharedAnswers.Scope _ = SharedAnswers.begin()) {
      EndpointResponse reply = endpoint.send(request, context.caller());
      if (!reply.good()) {
        throw new Failure.Communication("unexpected response. code: " + reply.status(), false);
      }
      return ByteBuffer.allocate(Long.BYTES + reply.body().length).putLong(begun).put(reply.body()).array();
    } catch (CallFailure e) {
      throw CallFailures.failure(e, SERVICE);
    }
  }

  private static Instant requested(byte[] answer) {
    return Instant.ofEpochMilli(ByteBuffer.wrap(answer).getLong());
  }

  private KnownKeys read(byte[] answer, Instant since) throws Failure {
    try {
      JwkSet set = set(Json.read(Arrays.copyOfRange(answer, Long.BYTES, answer.length)));
      if (!set.ignored().isEmpty()) {
        context.log().debug("some keys of the issuer cannot be used", "_why", String.join("; ", set.ignored()));
      }
      return KnownKeys.of(set, requested(answer), since);
    } catch (ValueException e) {
      throw Payload.unreadable("failed to unmarshal received jwks", e);
    } catch (KeyMaterialException e) {
      throw new Failure.Internal("failed to unmarshal received jwks", e.getMessage());
    }
  }

  /** Reads a set; an object without {@code keys} is an empty set. */
  private static JwkSet set(Value document) throws KeyMaterialException {
    boolean none = document instanceof Value.Dict dict && dict.get("keys").orElse(Value.NULL) instanceof Value.Null;
    return none ? new JwkSet(List.of(), List.of()) : JwkSet.read(document);
  }
}
