package portcullis.policy.endpoint;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.http.message.Field;
import portcullis.lang.source.Problems;
import portcullis.lang.template.RenderFailure;
import portcullis.lang.template.Template;
import portcullis.lang.value.Value;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.cache.SingleFlight;

/** An endpoint of a remote service as it is configured; immutable. */
public record Endpoint(UrlTemplate url, Optional<String> method, SequencedMap<String, Template> headers,
    CallOptions options) {
  /** Returns an endpoint with a discovered URL, which is not treated as a template. */
  public static Endpoint at(URI url, CallOptions options) {
    return new Endpoint(UrlTemplate.Fixed.of(url), Optional.empty(), new LinkedHashMap<>(), options);
  }

  /** Returns a copy that uses these settings for caching where it has none itself. */
  public Endpoint withDefaultCache(CallOptions.HttpCache defaults) {
    return new Endpoint(url, method, headers, options.withDefaultCache(defaults));
  }

  /** Returns whether the endpoint can be called, given whether TLS is enforced; adds problems if not. */
  public boolean secure(boolean tlsOnly, Problems problems) {
    boolean own = Urls.check(url.text(), tlsOnly, problems);
    return options.secure(tlsOnly, problems) && isHttpsIfTlsIsSet(problems) && own;
  }

  /** Like {@link #secure(boolean, Problems)}, and makes the client publish and watch the keys of the endpoint. */
  public boolean secure(EndpointClient caller, boolean tlsOnly, Problems problems) {
    boolean own = Urls.check(url.text(), tlsOnly, problems);
    return options.secure(caller, tlsOnly, problems) && isHttpsIfTlsIsSet(problems) && own;
  }

  /** Endpoints with TLS settings must not be called without TLS. */
  private boolean isHttpsIfTlsIsSet(Problems problems) {
    return options.tls().isEmpty() || Urls.isHttps(url.text(), problems);
  }

  /** Returns whether all requests are the same, whatever is rendered, apart from what the caller adds. */
  public boolean isConstant() {
    return url instanceof UrlTemplate.Fixed && headers.values().stream().allMatch(Template::isLiteral)
        && options.isConstant();
  }

  /** Builds a request by rendering the templates. */
  public EndpointRequest request(Value.Dict scope) throws CallFailure {
    URI target = url.render(scope);
    List<Field> fields = new ArrayList<>(headers.size());
    for (Map.Entry<String, Template> header : headers.entrySet()) {
      String what = header.getKey() + " header value";
      fields.add(new Field(header.getKey(), CallHeaders.value(rendered(header.getValue(), scope, what), what)));
    }
    return new EndpointRequest(method, target, fields);
  }

  private static String rendered(Template template, Value.Dict scope, String what) throws CallFailure {
    try {
      return template.render(scope);
    } catch (RenderFailure e) {
      throw new CallFailure.InvalidRequest("failed to render " + what + ": " + e.getMessage());
    }
  }

  /** Sends the request, with retries if configured, or returns a cached response. */
  public EndpointResponse send(EndpointRequest request, EndpointClient caller) throws CallFailure {
    return options.cache().isOn() ? new CachedCall(this, request, caller).reply() : call(request, caller);
  }

  /** Turns a response into a result. */
  public interface ResponseReader<R, F extends Exception> {
    R read(EndpointResponse reply) throws F;
  }

  /**
   * Returns the result for a cached response, or for a new one, which concurrent callers share and which is cached if
   * the reader does not fail.
   *
   * @param key the key of the response ({@link #key})
   * @param time how long responses are cached; zero for no caching and no sharing
   */
  public <R, F extends Exception> R cached(CacheKey key, EndpointRequest request, Duration time, EndpointClient caller,
      ResponseReader<R, F> reader)
      throws CallFailure, F {
    if (time.isZero()) {
      return reader.read(send(request, caller));
    }
    return caller.fetchOnce(key, ResponseCodec.FORM, () -> send(request, caller),
        reply -> new SingleFlight.Read<>(reader.read(reply), time));
  }

  EndpointResponse call(EndpointRequest request, EndpointClient caller) throws CallFailure {
    RetryPolicy.Attempt attempt = () -> caller.send(request.call(options, caller));
    return options.retry().isPresent() ? options.retry().get().repeated(attempt, () -> caller.isShut(request.target()))
        : attempt.make();
  }

  /**
   * Returns the cache key of the response: a hash of all that is sent, and of credentials, TLS settings and the keys
   * that the client uses, by value rather than by id.
   */
  public CacheKey key(String purpose, EndpointRequest request, List<String> more, EndpointClient caller) {
    List<String> parts = request.parts();
    parts.add(options.identity(caller));
    parts.addAll(more);
    return CacheKey.of(purpose, parts);
  }
}
