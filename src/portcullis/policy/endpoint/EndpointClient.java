package portcullis.policy.endpoint;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import portcullis.crypto.keys.ClientTlsSettings;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.KeyRings;
import portcullis.http.message.Fields;
import portcullis.http.message.WireRequest;
import portcullis.http.message.WireResponse;
import portcullis.lang.value.ParseMemory;
import portcullis.policy.cache.Cache;
import portcullis.policy.cache.CacheCodec;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.SingleFlight;

/**
 * Calls remote services: within limits, with circuit breakers, without following redirects; caches responses. Thread
 * safe.
 */
public final class EndpointClient {
  private final ClientPool clients;
  private final Cache cache;
  private final KeyRings keys;
  private final InstantSource clock;
  private final CallLimits limits;
  private final SingleFlight flights;
  private final CircuitBreakers breakers;
  private final Map<String, EndpointTls> tls;
  private final LongAdder bridged;

  /** Creates a client with the clock of the system, default limits and key stores of its own. */
  public EndpointClient(Supplier<HttpClient> client, Cache cache) {
    this(ClientPool.of(client), cache, new KeyRings(InstantSource.system()), InstantSource.system(),
        CallLimits.DEFAULT);
  }

  /**
   * Creates a client.
   *
   * @param clients the HTTP clients, which their owner closes
   * @param keys the key stores for signatures and client certificates
   */
  public EndpointClient(ClientPool clients, Cache cache, KeyRings keys, InstantSource clock, CallLimits limits) {
    this(clients, cache, keys, clock, limits, new RemoteServices(clock));
  }

  /**
   * Creates a client with the known state of remote services.
   *
   * @param clock the wall clock, for times that are sent and received
   */
  public EndpointClient(ClientPool clients, Cache cache, KeyRings keys, InstantSource clock, CallLimits limits,
      RemoteServices services) {
    this.clients = clients;
    this.cache = cache;
    this.keys = keys;
    this.clock = clock;
    this.limits = limits;
    flights = new SingleFlight(cache, limits.whole());
    breakers = services.breakers();
    bridged = services.bridged();
    tls = new ConcurrentHashMap<>();
  }

  private EndpointClient(EndpointClient other, CallLimits limits) {
    clients = other.clients;
    cache = other.cache;
    keys = other.keys;
    clock = other.clock;
    this.limits = limits;
    flights = other.flights;
    breakers = other.breakers;
    tls = other.tls;
    bridged = other.bridged;
  }

  /** Returns a client for responses of up to so many bytes. */
  public EndpointClient upTo(int bytes) {
    return new EndpointClient(this, limits.upTo(bytes));
  }

  public Cache cache() {
    return cache;
  }

  /** Returns the circuit breakers. */
  public CircuitBreakers breakers() {
    return breakers;
  }

  /** Counts that an older response stays in use, as no new one can be fetched. */
  public void bridge() {
    bridged.increment();
  }

  /** Returns how often that happened. */
  public long bridged() {
    return bridged.sum();
  }

  KeyRings keys() {
    return keys;
  }

  InstantSource clock() {
    return clock;
  }

  /**
   * Returns the cached response for this key, or fetches it once for all concurrent callers ({@link
   * SingleFlight#fetchOnce}).
   */
  public <T, R, E extends Exception, F extends Exception> R fetchOnce(
      CacheKey key, CacheCodec<T> form, SingleFlight.Fetch<T, E> fetch, SingleFlight.Reading<T, R, F> reading)
      throws E, F {
    return flights.fetchOnce(key, form, fetch, reading);
  }

  /** Does the same. @param lease how long other instances wait for the response at most before they fetch it too */
  public <T, R, E extends Exception, F extends Exception> R fetchOnce(CacheKey key, CacheCodec<T> form, Duration lease,
      SingleFlight.Fetch<T, E> fetch, SingleFlight.Reading<T, R, F> reading) throws E, F {
    return flights.fetchOnce(key, form, lease, fetch, reading);
  }

  /** Reads the files of these settings once; calls with the settings use them from now on. */
  private EndpointTls use(ClientTlsSettings settings) throws KeyMaterialException {
    String identity = EndpointTls.identity(settings);
    Optional<EndpointTls> known = Optional.ofNullable(tls.get(identity));
    if (known.isPresent()) {
      return known.get();
    }
    EndpointTls read = EndpointTls.of(settings, keys);
    return Optional.ofNullable(tls.putIfAbsent(identity, read)).orElse(read);
  }

  /** Reads the files in advance; files that have disappeared since they were checked are reported by the calls. */
  void hold(ClientTlsSettings settings) {
    try {
      use(settings);
    } catch (KeyMaterialException _) {
      // reported by each call that needs them
    }
  }

  /**
   * Returns a hash of the certificate and trust of calls with these settings; without the files, calls fail anyway.
   */
  String identity(ClientTlsSettings settings) {
    try {
      return use(settings).current().identity();
    } catch (KeyMaterialException _) {
      return EndpointTls.identity(settings);
    }
  }

  private HttpClient client(HttpCall call) throws CallFailure {
    if (call.tls().isEmpty()) {
      return clients.defaultClient();
    }
    if (!call.target().getScheme().equalsIgnoreCase("https")) { // a discovered URL, as of an issuer's metadata
      throw new CallFailure.InvalidRequest(
          "the call cannot be made: `tls` is configured, and `" + RemoteService.of(call.target()) + "` is not https");
    }
    try {
      EndpointTls.Current current = use(call.tls().get()).current();
      return clients.of(current.identity(), current.tls());
    } catch (KeyMaterialException e) {
      throw new CallFailure.Unauthenticated("no TLS for the call: " + e.getMessage(), false);
    }
  }

  /** Returns whether the circuit breaker of the service is open. */
  boolean isShut(URI url) {
    return breakers.of(RemoteService.of(url)).isOpen();
  }

  /** Sends the call and reads the whole response. */
  public EndpointResponse send(HttpCall call) throws CallFailure {
    HttpClient client = client(call);
    RemoteService service = RemoteService.of(call.target());
    CircuitBreaker breaker = breakers.of(service);
    if (!breaker.admits()) {
      throw new CallFailure.Unreachable(
          "calls to " + service + " are suspended: it has failed " + CircuitBreaker.FAILURES + " times in a row");
    }
    try {
      EndpointResponse reply = exchanged(client, call);
      breaker.answered();
      return reply;
    } catch (HttpTimeoutException e) {
      breaker.failed();
      throw new CallFailure.TimedOut(service + ": " + e.getMessage());
    } catch (IOException e) {
      breaker.failed();
      throw new CallFailure.Unreachable(service + ": " + e.getMessage());
    } catch (CallFailure.Unreachable | CallFailure.Exhausted e) {
      breaker.answered(); // the response was too large, but there was one
      throw e;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new CallFailure.Unreachable("interrupted");
    }
  }

  private EndpointResponse exchanged(HttpClient client, HttpCall call)
      throws IOException, InterruptedException, CallFailure {
    long end = System.nanoTime() + limits.whole().toNanos();
    HttpResponse<InputStream> response = sent(client, call);
    try (InputStream body = response.body()) {
      if (isEndUnknown(call, response)) {
        throw new CallFailure.Unreachable(RemoteService.of(call.target())
            + ": the response has neither `Content-Length` nor chunks, so that it may have been cut off");
      }
      byte[] bytes = new LimitedBody(body, limits, end, ParseMemory.PROCESS).read();
      return new EndpointResponse(response.statusCode(), response.headers(), bytes);
    }
  }

  /**
   * Returns whether the body ends with its connection. Everybody on the way can end that: what TLS protects otherwise
   * would be used without its last part (RFC 9112, 9.8), as a rule set without the rules that restrict others.
   */
  private static boolean isEndUnknown(HttpCall call, HttpResponse<?> response) {
    return response instanceof WireResponse && call.target().getScheme().equalsIgnoreCase("https")
        && response.version() == HttpClient.Version.HTTP_1_1 && !call.method().equals("HEAD")
        && response.statusCode() != 204 && response.statusCode() != 304
        && response.headers().firstValue("Content-Length").isEmpty()
        && response.headers().firstValue("Transfer-Encoding").isEmpty();
  }

  private HttpResponse<InputStream> sent(HttpClient client, HttpCall call)
      throws IOException, InterruptedException, CallFailure {
    try {
      return client.send(request(call), HttpResponse.BodyHandlers.ofInputStream());
    } catch (IllegalArgumentException e) {
      throw new CallFailure.InvalidRequest("the call cannot be made: " + e.getMessage());
    }
  }

  private WireRequest request(HttpCall call) {
    String path = call.target().getRawPath().isEmpty() ? "/" : call.target().getRawPath();
    String target = call.target().getRawQuery() == null ? path : path + "?" + call.target().getRawQuery();
    return new WireRequest(new WireRequest.Parts(call.method(), call.target(), target, Fields.of(call.fields()),
        new ByteArrayInputStream(call.body()), call.body().length, () -> Fields.NONE, (_, _) -> {}, limits.head(),
        limits.pause()));
  }
}
