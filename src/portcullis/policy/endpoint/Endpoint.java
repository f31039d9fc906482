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

/** A remote party that can be asked; immutable and thread safe. */
public record Endpoint(UrlTemplate url, Optional<String> method, SequencedMap<String, Template> headers,
    CallOptions manner) {
  /** One whose URL was found out elsewhere; it is not looked at as a template. */
  public static Endpoint at(URI url, CallOptions manner) {
    return new Endpoint(UrlTemplate.Fixed.of(url), Optional.empty(), new LinkedHashMap<>(), manner);
  }

  /** The same with answers kept as they allow, unless the settings say something of it. */
  public Endpoint keeping(CallOptions.HttpCache standard) {
    return new Endpoint(url, method, headers, manner.keeping(standard));
  }

  /** Whether it may be called, where TLS may be insisted on, with the keys it needs; adds problems where not. */
  public boolean secure(boolean tlsOnly, Problems problems) {
    boolean own = Urls.check(url.text(), tlsOnly, problems);
    return manner.secure(tlsOnly, problems) && isSecret(problems) && own;
  }

  /** The same for one that this caller will call: keys that its calls are signed with are published from now on. */
  public boolean secure(EndpointClient caller, boolean tlsOnly, Problems problems) {
    boolean own = Urls.check(url.text(), tlsOnly, problems);
    return manner.secure(caller, tlsOnly, problems) && isSecret(problems) && own;
  }

  /** Whoever configures TLS may not be left without. */
  private boolean isSecret(Problems problems) {
    return manner.tls().isEmpty() || Urls.isSecret(url.text(), problems);
  }

  /** What it is to be asked, its templates rendered with the scope. */
  public EndpointRequest ask(Value.Dict scope) throws CallFailure {
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
      throw new CallFailure.Unsayable("failed to render " + what + ": " + e.getMessage());
    }
  }

  /** Asks, again where that is configured; or gives an answer that it has said may be used again. */
  public Reply say(EndpointRequest ask, EndpointClient caller) throws CallFailure {
    return manner.cache().isOn() ? new CachedCall(this, ask, caller).reply() : call(ask, caller);
  }

  /** Makes something of an answer. */
  public interface Judge<R, F extends Exception> {
    R judged(Reply reply) throws F;
  }

  /**
   * What the judge makes of the answer: of a kept one, or of a new one, which is asked for once for all who want it at
   * the same time, and kept if the judge does not fail.
   *
   * @param key of the answer to that question ({@link #key})
   * @param time how long an answer is kept; zero for not at all, then everyone asks
   */
  public <R, F extends Exception> R answer(CacheKey key, EndpointRequest ask, Duration time, EndpointClient caller,
      Judge<R, F> judge)
      throws CallFailure, F {
    if (time.isZero()) {
      return judge.judged(say(ask, caller));
    }
    return caller.fetchOnce(key, ReplyCodec.FORM, () -> say(ask, caller),
        reply -> new SingleFlight.Read<>(judge.judged(reply), time));
  }

  Reply call(EndpointRequest ask, EndpointClient caller) throws CallFailure {
    RetryPolicy.Attempt attempt = () -> caller.say(ask.call(manner, caller));
    return manner.retry().isPresent() ? manner.retry().get().repeated(attempt, () -> caller.isShut(ask.target()))
        : attempt.make();
  }

  /**
   * The key of the answer to that question: all of what is sent, credentials and TLS by what they are, keys that this
   * caller signs with and shows by themselves, not by their ids.
   */
  public CacheKey key(String purpose, EndpointRequest ask, List<String> more, EndpointClient caller) {
    List<String> parts = ask.parts();
    parts.add(manner.identity(caller));
    parts.addAll(more);
    return CacheKey.of(purpose, parts);
  }
}
