package portcullis.policy.endpoint;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.SingleFlight;

/**
 * A call with HTTP caching (RFC 9111, for a private cache). Everything that is sent, including the credentials, is part
 * of the key, so that any {@code Vary} is satisfied. For one thread, once.
 */
final class CachedCall
    implements SingleFlight.Fetch<StoredResponse, CallFailure>,
    SingleFlight.Reading<StoredResponse, EndpointResponse, CallFailure> {
  /** How long stale responses are kept for revalidation. */
  private static final Duration CONFIRMABLE = Duration.ofHours(1);
  private static final Set<String> METHODS = Set.of("GET", "HEAD", "POST");
  private static final List<String> OWN_CONDITIONS = List.of("If-None-Match", "If-Modified-Since", "If-Match",
      "If-Unmodified-Since", "If-Range", "Range");

  private final Endpoint endpoint;
  private final EndpointRequest request;
  private final EndpointClient caller;
  private final CacheKey fresh;
  private final CacheKey stale;
  private boolean called;

  CachedCall(Endpoint endpoint, EndpointRequest request, EndpointClient caller) {
    this.endpoint = endpoint;
    this.request = request;
    this.caller = caller;
    fresh = endpoint.key("http answer", request, List.of(), caller);
    stale = endpoint.key("http answer to be confirmed", request, List.of(), caller);
  }

  EndpointResponse reply() throws CallFailure {
    CacheControl wanted = CacheControl.of(request.values("Cache-Control"));
    boolean plain = !METHODS.contains(request.method()) || wanted.has("no-store")
        || OWN_CONDITIONS.stream().anyMatch(c -> !request.values(c).isEmpty());
    if (plain) {
      return endpoint.call(request, caller);
    }
    boolean bypassed = wanted.has("no-cache") || wanted.seconds("max-age").filter(Duration::isZero).isPresent();
    return bypassed ? kept(exchanged()) : caller.fetchOnce(fresh, StoredResponse.FORM, this, this);
  }

  /** Returns a response that was requested with a bypassed cache, and stores it. */
  private EndpointResponse kept(StoredResponse answer) {
    if (answer.storable()) {
      caller.cache().put(fresh, StoredResponse.FORM.write(answer), answer.left());
    }
    return answer.reply();
  }

  @Override
  public StoredResponse fetch() throws CallFailure {
    return exchanged();
  }

  /** Returns the response; a caller that shares a fetch whose response must not be shared makes a call of its own. */
  @Override
  public SingleFlight.Read<EndpointResponse> read(StoredResponse answer) throws CallFailure {
    if (!answer.storable()) {
      return new SingleFlight.Read<>(called ? answer.reply() : endpoint.call(request, caller), Duration.ZERO);
    }
    return new SingleFlight.Read<>(called ? answer.reply() : answer.at(caller.clock().instant()), answer.left());
  }

  /** Makes the call, with conditions if there is a stale response. */
  private StoredResponse exchanged() throws CallFailure {
    called = true;
    Optional<StoredResponse> older = caller.cache().get(stale).flatMap(StoredResponse.FORM::read);
    older.ifPresent(this::addConditions);
    Instant begin = caller.clock().instant();
    EndpointResponse reply = endpoint.call(request, caller);
    EndpointResponse whole = reply.status() == 304 && older.isPresent() ? older.get().updated(reply.headers()) : reply;
    Instant end = caller.clock().instant();
    Freshness freshness = Freshness.of(request.method(), whole, begin, end, endpoint.options().cache().time());
    StoredResponse kept = StoredResponse.of(whole, freshness, end);
    if (kept.storable() && isConfirmable(whole)) {
      caller.cache().put(stale, StoredResponse.FORM.write(kept), max(kept.left(), Duration.ZERO).plus(CONFIRMABLE));
    }
    return kept;
  }

  private void addConditions(StoredResponse older) {
    older.reply().headers().firstValue("ETag").ifPresent(tag -> request.condition("If-None-Match", tag));
    older.reply().headers().firstValue("Last-Modified").ifPresent(time -> request.condition("If-Modified-Since", time));
  }

  private static boolean isConfirmable(EndpointResponse reply) {
    return reply.headers().firstValue("ETag").isPresent() || reply.headers().firstValue("Last-Modified").isPresent();
  }

  private static Duration max(Duration one, Duration other) {
    return one.compareTo(other) > 0 ? one : other;
  }
}
