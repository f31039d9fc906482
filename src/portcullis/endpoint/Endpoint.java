package portcullis.endpoint;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import portcullis.cache.CacheKey;
import portcullis.message.Field;
import portcullis.source.LocatedText;
import portcullis.source.Problems;
import portcullis.template.RenderFailure;
import portcullis.template.Template;
import portcullis.value.Value;

/** A remote party that can be asked; immutable and thread safe. */
public record Endpoint(LocatedText urlText, Template url, Optional<String> method, SequencedMap<String, Template> headers,
    Optional<Retry> retry, Credentials credentials, HttpCache cache) {
  /**
   * Whether answers are kept as their header fields allow (RFC 9111); empty where the settings say nothing.
   *
   * @param time how long an answer that says nothing of it is kept
   */
  public record HttpCache(Optional<Boolean> enabled, Optional<Duration> time) {
    public static final HttpCache UNSET = new HttpCache(Optional.empty(), Optional.empty());
  }

  /** Whether it may be called where TLS is insisted on; adds a problem where not. */
  public boolean secure(boolean tlsOnly, Problems problems) {
    boolean own = UrlText.check(urlText, tlsOnly, problems);
    return credentials.secure(tlsOnly, problems) && own;
  }

  /** What it is to be asked, its templates rendered with the scope. */
  public Ask ask(Value.Dict scope) throws CallFailure {
    String target = rendered(url, scope, "URL for the endpoint");
    URI uri = UrlText.parse(target).filter(this::isOwn)
        .orElseThrow(() -> new CallFailure.Unsayable("failed to render URL for the endpoint: the result is no URL of it"));
    List<Field> fields = new ArrayList<>();
    for (Map.Entry<String, Template> header : headers.entrySet()) {
      fields.add(new Field(header.getKey(), rendered(header.getValue(), scope, header.getKey() + " header value")));
    }
    return new Ask(method, uri, fields);
  }

  /** A template may fill in parts of the URL, but lead to no other host than the one that is written literally. */
  private boolean isOwn(URI uri) {
    String written = UrlText.authority(urlText.text());
    return written.contains("{{") || written.equalsIgnoreCase(uri.getRawAuthority());
  }

  private static String rendered(Template template, Value.Dict scope, String what) throws CallFailure {
    try {
      return template.render(scope);
    } catch (RenderFailure e) {
      throw new CallFailure.Unsayable("failed to render " + what + ": " + e.getMessage());
    }
  }

  /** Asks, again where that is configured. */
  public Reply say(Ask ask, Caller caller) throws CallFailure {
    Retry.Attempt attempt = () -> caller.say(ask.call(credentials, caller));
    return retry.isPresent() ? retry.get().repeated(attempt) : attempt.make();
  }

  /** The key of the answer to that question: all of what is sent, the credentials by what they are. */
  public CacheKey key(String purpose, Ask ask, List<String> more) {
    List<String> parts = ask.parts();
    parts.add(credentials.identity());
    parts.addAll(more);
    return CacheKey.of(purpose, parts);
  }
}
