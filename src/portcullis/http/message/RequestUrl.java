package portcullis.http.message;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import portcullis.lang.template.UrlText;
import portcullis.lang.value.Facade;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * The URL of a request as it is judged; templates and expressions read it as {@code Request.URL}. Immutable, but that
 * captures are worked out when they are first asked for; for one thread.
 */
public final class RequestUrl implements Facade {
  /** Captures, and the members of any URL. */
  private static final Set<String> MEMBERS = Stream.concat(Stream.of("Captures"), UrlValue.MEMBERS.stream())
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

  /** In lower case, with the port where one was written. */
  public Authority host() {
    return host;
  }

  public RequestPath path() {
    return path;
  }

  /** Byte for byte as the client wrote it, empty for none. */
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
    return switch (name) {
      case "Scheme" -> Optional.of(Value.of(scheme));
      case "Host" -> Optional.of(Value.of(host.toString()));
      case "Path" -> Optional.of(Value.of(path.text()));
      case "RawPath" -> Optional.of(Value.of(path.judged()));
      case "RawQuery" -> Optional.of(Value.of(Grammar.text(query)));
      case "Captures" -> captures();
      case "Query" -> Optional.of(new QueryValues(BodyFormat.values(Query.parameters(query))));
      case "URL" -> Optional.of(whole());
      default -> UrlValue.MEMBERS.contains(name) ? whole().member(name) : Optional.empty();
    };
  }

  /** The same without what was captured. */
  UrlValue whole() {
    UrlText bare = new UrlText(scheme, "", UrlText.User.NONE, host.toString(), path.text(), path.judged(),
        Grammar.text(query), false, "");
    return new UrlValue(bare);
  }

  @Override
  public Value call(String function, List<Value> arguments) throws ValueException {
    return switch (function) {
      case "Query" -> {
        Arguments.none(function, arguments);
        yield BodyFormat.values(Query.parameters(query));
      }
      case "String" -> {
        Arguments.none(function, arguments);
        yield Value.of(text());
      }
      default -> whole().call(function, arguments);
    };
  }

  private Optional<Value> captures() {
    if (captures.isEmpty()) {
      captures = Optional.of(Value.Dict.ofStrings(captured.get()));
    }
    return captures;
  }

  private String requestUri() {
    return query.isEmpty() ? path.judged() : path.judged() + "?" + Grammar.text(query);
  }

  /** The whole of it. */
  @Override
  public String text() {
    return scheme + "://" + host + requestUri();
  }
}
