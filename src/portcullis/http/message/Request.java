package portcullis.http.message;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import portcullis.lang.value.Facade;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * The request as it is judged; templates and expressions read it as {@code Request}. What is costly is worked out when
 * it is first asked for. Immutable but for that and for its body; for one thread.
 */
public final class Request implements Facade {
  private static final Set<String> MEMBERS = Set.of("Method", "URL", "ClientIPAddresses", "Body");
  private static final Set<String> FUNCTIONS = Set.of("Header", "Headers", "Cookie", "Body");

  private final String method;
  private final RequestUrl url;
  private final Fields fields;
  private final List<String> clients;
  private final Body body;
  private Optional<Value> headers = Optional.empty();

  /**
   * @param scheme {@code http} or {@code https}
   * @param host as it was written
   * @param query as it was written, empty for none
   * @param clients addresses, from the client to the peer
   */
  public Request(String method, String scheme, Authority host, RequestPath path, String query, Fields fields,
      List<String> clients, Body body) {
    this(method, new RequestUrl(scheme, host.lower(), path, query, Map::of), fields, clients, body);
  }

  private Request(String method, RequestUrl url, Fields fields, List<String> clients, Body body) {
    this.method = method;
    this.url = url;
    this.fields = fields;
    this.clients = clients;
    this.body = body;
  }

  /**
   * The same with the path as its rule lets it be seen.
   *
   * @param captures what the rule took from the path, decoded; asked when a template or an expression first is
   */
  public Request matched(RequestPath path, Supplier<Map<String, String>> captures) {
    return new Request(method, url.with(path, captures), fields, clients, body);
  }

  public String method() {
    return method;
  }

  public RequestUrl url() {
    return url;
  }

  public RequestPath path() {
    return url.path();
  }

  /** Those that rules may see: from a stranger without anything of the forwarded family. */
  public Fields fields() {
    return fields;
  }

  /** Addresses as they were written, from the client to the peer. */
  public List<String> clients() {
    return clients;
  }

  public Body body() {
    return body;
  }

  @Override
  public String name() {
    return "Request";
  }

  @Override
  public Set<String> members() {
    return MEMBERS;
  }

  @Override
  public Set<String> functions() {
    return FUNCTIONS;
  }

  @Override
  public Optional<Value> member(String name) {
    return switch (name) {
      case "Method" -> Optional.of(Value.of(method));
      case "URL" -> Optional.of(url);
      case "ClientIPAddresses" -> Optional.of(Value.Array.ofStrings(clients));
      case "Body" -> Optional.of(body.value());
      default -> Optional.empty();
    };
  }

  @Override
  public Value call(String function, List<Value> arguments) throws ValueException {
    return switch (function) {
      case "Header" -> Value.of(header(Arguments.text(function, arguments)));
      case "Cookie" -> Value.of(cookie(Arguments.text(function, arguments)));
      case "Headers" -> {
        Arguments.none(function, arguments);
        yield headers();
      }
      default -> {
        Arguments.none(function, arguments);
        yield body.value();
      }
    };
  }

  /** All values of that name joined by commas; empty where there is none. {@code Host} is the host to be judged. */
  public String header(String name) {
    return name.equalsIgnoreCase("Host") ? url.host().toString() : fields.joined(name).map(Grammar::text).orElse("");
  }

  /** The value of the first cookie of that name without quotes around it; empty where there is none. */
  public String cookie(String name) {
    return Cookies.first(fields, Grammar.wire(name)).map(value -> Grammar.text(Cookies.unquoted(value))).orElse("");
  }

  private Value headers() {
    if (headers.isEmpty()) {
      Map<String, String> all = LinkedHashMap.newLinkedHashMap(fields.size() + 1);
      for (Field field : fields) {
        all.computeIfAbsent(titled(field.name()), this::header);
      }
      all.put("Host", header("Host"));
      headers = Optional.of(Value.Dict.ofStrings(all));
    }
    return headers.get();
  }

  /** As {@code X-Forwarded-For}: capitals at the beginning and behind dashes, else small letters. */
  private static String titled(String name) {
    StringBuilder out = new StringBuilder(name.toLowerCase(Locale.ROOT));
    for (int i = 0; i < out.length(); i++) {
      if (i == 0 || out.charAt(i - 1) == '-') {
        out.setCharAt(i, Character.toUpperCase(out.charAt(i)));
      }
    }
    return out.toString();
  }

  @Override
  public String text() {
    return method + " " + url.text();
  }
}
