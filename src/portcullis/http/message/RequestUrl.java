package portcullis.http.message;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import portcullis.lang.template.UrlText;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * The URL of a request; templates and expressions read it as {@code Request.URL}. Immutable, but captures are computed
 * on first use; for one thread.
 */
public final class RequestUrl implements HostObject {
  private static final Map<String, Function<RequestUrl, Value>> READERS = Map.of(
      "Scheme", url -> Value.of(url.scheme),
      "Host", url -> Value.of(url.host.toString()),
      "Path", url -> Value.of(url.path.text()),
      "RawPath", url -> Value.of(url.path.canonical()),
      "RawQuery", url -> Value.of(Grammar.text(url.query)),
      "Captures", RequestUrl::captures);
  private static final Set<String> MEMBERS = Stream.of(READERS.keySet(), UrlValue.MEMBERS).flatMap(Set::stream)
      .collect(Collectors.toUnmodifiableSet());

  private final String scheme;
  private final Authority host;
  private final RequestPath path;
  private final String query;
  private final Supplier<Map<String, String>> captured;
  private Optional<Value> captures = Optional.empty();

  RequestUrl(String scheme, Authority host, RequestPath path, String query, Supplier<Map<String, String>> captured) {
    this.scheme = scheme;
    this.host = host;
    this.path = path;
    this.query = query;
    this.captured = captured;
  }

  RequestUrl with(RequestPath seen, Supplier<Map<String, String>> captured) {
    return new RequestUrl(scheme, host, seen, query, captured);
  }

  /** {@code http} or {@code https}. */
  public String scheme() {
    return scheme;
  }

  /** Returns the host in lower case, with the port if one was given. */
  public Authority host() {
    return host;
  }

  public RequestPath path() {
    return path;
  }

  /** Returns the query byte for byte as the client sent it, empty for none. */
  public String query() {
    return query;
  }

  @Override
  public String name() {
    return "URL";
  }

  @Override
  public Set<String> members() {
    return MEMBERS;
  }

  @Override
  public Set<String> functions() {
    return UrlValue.FUNCTIONS;
  }

  @Override
  public Optional<Value> member(String name) {
    Function<RequestUrl, Value> reader = READERS.get(name);
    return reader != null ? Optional.of(reader.apply(this))
        : name.equals("URL") ? Optional.of(withoutCaptures()) : withoutCaptures().member(name);
  }

  UrlValue withoutCaptures() {
    UrlText bare = new UrlText(scheme, "", UrlText.User.NONE, host.toString(), path.text(), path.canonical(),
        Grammar.text(query), false, "");
    return new UrlValue(bare);
  }

  @Override
  public Value call(String function, List<Value> arguments) throws ValueException {
    return function.equals("Query") && arguments.isEmpty()
        ? BodyFormat.values(Query.parameters(query)) // a plain map for expressions
        : withoutCaptures().call(function, arguments);
  }

  private Value captures() {
    if (captures.isEmpty()) {
      captures = Optional.of(Value.Dict.ofStrings(captured.get()));
    }
    return captures.get();
  }

  private String requestUri() {
    return query.isEmpty() ? path.canonical() : path.canonical() + "?" + Grammar.text(query);
  }

  /** Returns the whole URL. */
  @Override
  public String text() {
    return scheme + "://" + host + requestUri();
  }
}
