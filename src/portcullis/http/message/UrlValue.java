package portcullis.http.message;

import static java.util.Map.entry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import portcullis.lang.template.UrlText;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * A URL derived from that of the request by a template, with the members and methods of Go's net/url. Immutable.
 */
record UrlValue(UrlText url) implements HostObject {
  private static final Map<String, Function<UrlText, Value>> READERS = Map.ofEntries(
      entry("Scheme", url -> Value.of(url.scheme())),
      entry("Opaque", url -> Value.of(url.opaque())),
      entry("User", url -> new UserInfo(url.user())),
      entry("Host", url -> Value.of(url.host())),
      entry("Path", url -> Value.of(url.path())),
      entry("RawPath", url -> Value.of(url.rawPath())),
      entry("OmitHost", _ -> Value.FALSE),
      entry("ForceQuery", url -> Value.of(url.emptyQuery())),
      entry("RawQuery", url -> Value.of(url.query())),
      entry("Fragment", url -> Value.of(url.fragment())),
      entry("RawFragment", _ -> Value.EMPTY_STRING));
  private static final Map<String, Function<UrlValue, Value>> GETTERS = Map.of(
      "Query", UrlValue::query,
      "Hostname", url -> Value.of(url.url.hostname()),
      "Port", url -> Value.of(url.port()),
      "EscapedPath", url -> Value.of(url.url.escapedPath()),
      "RequestURI", url -> Value.of(url.requestUri()),
      "IsAbs", url -> Value.of(!url.url.scheme().isEmpty()),
      "Redacted", url -> Value.of(url.redacted()),
      "EscapedFragment", url -> Value.of(url.url.escapedFragment()),
      "String", url -> Value.of(url.text()));
  static final Set<String> MEMBERS = READERS.keySet();
  static final Set<String> FUNCTIONS = Stream.concat(GETTERS.keySet().stream(),
      Stream.of("JoinPath", "Parse", "ResolveReference")).collect(Collectors.toUnmodifiableSet());

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
    return FUNCTIONS;
  }

  @Override
  public Optional<Value> member(String name) {
    Function<UrlText, Value> reader = READERS.get(name);
    return reader != null ? Optional.of(reader.apply(url))
        : name.equals("Query") ? Optional.of(query()) : Optional.empty();
  }

  private Value query() {
    return new QueryValues(BodyFormat.values(Query.parameters(Grammar.wire(url.query()))));
  }

  @Override
  public Value call(String function, List<Value> arguments) throws ValueException {
    return switch (function) {
      case "JoinPath" -> joined(Arguments.texts(function, arguments));
      case "Parse" -> resolved(UrlText.read(Arguments.text(function, arguments)));
      case "ResolveReference" -> resolved(reference(arguments));
      default -> {
        Arguments.none(function, arguments);
        yield GETTERS.get(function).apply(this);
      }
    };
  }

  private String port() {
    int colon = url.host().lastIndexOf(':');
    return colon > url.host().indexOf(']') ? url.host().substring(colon + 1) : "";
  }

  private String requestUri() {
    String path = url.opaque().isEmpty() ? url.escapedPath() : url.opaque();
    return (path.isEmpty() ? "/" : path) + (url.emptyQuery() || !url.query().isEmpty() ? "?" + url.query() : "");
  }

  private String redacted() {
    UrlText.User user = url.user();
    return user.hasPassword() ? with(new UrlText.User(true, user.name(), true, "xxxxx")).text() : text();
  }

  private UrlText with(UrlText.User user) {
    return new UrlText(url.scheme(), url.opaque(), user, url.host(), url.path(), url.rawPath(), url.query(),
        url.emptyQuery(),
        url.fragment());
  }

  private static UrlText reference(List<Value> arguments) throws ValueException {
    if (arguments.size() == 1 && arguments.getFirst() instanceof UrlValue(UrlText other)) {
      return other;
    }
    if (arguments.size() == 1 && arguments.getFirst() instanceof RequestUrl other) {
      return other.withoutCaptures().url;
    }
    throw new ValueException("`ResolveReference` takes one URL");
  }

  /** Adds segments and resolves dot segments; if that would make an invalid escape, the path is left unchanged. */
  private UrlValue joined(List<String> more) {
    List<String> all = new ArrayList<>(List.of(url.escapedPath()));
    all.addAll(more);
    String path = cleaned(String.join("/", all));
    try {
      return new UrlValue(url.withPath(all.getLast().endsWith("/") && !path.endsWith("/") ? path + "/" : path));
    } catch (ValueException _) {
      return this;
    }
  }

  /** Cleans an absolute path as {@code path.Clean} of Go does. */
  private static String cleaned(String path) {
    List<String> kept = new ArrayList<>();
    for (String segment : path.split("/", -1)) {
      if (segment.equals("..")) {
        if (!kept.isEmpty()) {
          kept.removeLast();
        }
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        kept.add(segment);
      }
    }
    return "/" + String.join("/", kept);
  }

  /** Resolves a reference against this URL (RFC 3986, 5.2). */
  private UrlValue resolved(UrlText r) throws ValueException {
    String scheme = r.scheme().isEmpty() ? url.scheme() : r.scheme();
    if (!r.scheme().isEmpty() || !r.host().isEmpty() || r.user().present()) {
      UrlText whole = new UrlText(scheme, r.opaque(), r.user(), r.host(), "", "", r.query(), r.emptyQuery(),
          r.fragment());
      return new UrlValue(whole.withPath(withoutDots(r.escapedPath())));
    }
    boolean same = r.path().isEmpty() && !r.emptyQuery() && r.query().isEmpty();
    String fragment = same && r.fragment().isEmpty() ? url.fragment() : r.fragment();
    UrlText bare = new UrlText(scheme, r.path().isEmpty() ? url.opaque() : "", url.user(), url.host(), "", "",
        same ? url.query() : r.query(),
        r.emptyQuery(), fragment);
    String path = r.escapedPath();
    String base = url.escapedPath();
    String full = path.isEmpty() ? base
        : path.startsWith("/") ? path : base.substring(0, base.lastIndexOf('/') + 1) + path;
    return new UrlValue(bare.withPath(withoutDots(full)));
  }

  private static String withoutDots(String path) {
    if (path.isEmpty()) {
      return "";
    }
    List<String> kept = new ArrayList<>();
    String[] segments = path.split("/", -1);
    for (int i = path.startsWith("/") ? 1 : 0; i < segments.length; i++) {
      if (!segments[i].equals(".") && !segments[i].equals("..")) {
        kept.add(segments[i]);
      } else if (segments[i].equals("..") && !kept.isEmpty()) {
        kept.removeLast();
      }
    }
    String last = segments[segments.length - 1];
    String text = "/" + String.join("/", kept);
    return (last.equals(".") || last.equals("..")) && !text.endsWith("/") ? text + "/" : text;
  }

  @Override
  public String text() {
    return url.text();
  }

  /** The user part of a URL; its password is not read. */
  record UserInfo(UrlText.User user) implements HostObject {
    @Override
    public String name() {
      return "Userinfo";
    }

    @Override
    public Set<String> members() {
      return Set.of();
    }

    @Override
    public Set<String> functions() {
      return Set.of("Username", "String");
    }

    @Override
    public Optional<Value> member(String name) {
      return Optional.empty();
    }

    @Override
    public Value call(String function, List<Value> arguments) throws ValueException {
      Arguments.none(function, arguments);
      return Value.of(function.equals("Username") ? user.name() : text());
    }

    @Override
    public boolean isNothing() {
      return !user.present();
    }

    @Override
    public String text() {
      return user.present() ? user.text() : "";
    }
  }
}
