package portcullis.http.message;

import java.net.InetAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import portcullis.lang.address.Address;
import portcullis.lang.value.HostObject;
import portcullis.lang.value.Value;
import portcullis.lang.value.ValueException;

/**
 * The request that rules are applied to; templates and expressions read it as {@code Request}. What is costly is
 * computed on first use. Immutable but for that and for its body; for one thread.
 */
public final class Request implements HostObject {
  private static final Map<String, Function<Request, Value>> READERS = Map.of(
      "Method", request -> Value.of(request.method),
      "URL", request -> request.url,
      "ClientIPAddresses", request -> Value.Array.ofStrings(request.clients),
      "Body", request -> request.body.value());
  private static final Map<String, Function<Request, Value>> GETTERS = Map.of(
      "Headers", Request::headers,
      "Body", request -> request.body.value());
  private static final Map<String, BiFunction<Request, String, String>> LOOKUPS = Map.of(
      "Header", Request::header,
      "Cookie", Request::cookie);
  private static final Set<String> FUNCTIONS = Stream.of(GETTERS.keySet(), LOOKUPS.keySet()).flatMap(Set::stream)
      .collect(Collectors.toUnmodifiableSet());

  private final String method;
  private final RequestUrl url;
  private final Fields fields;
  private final List<String> clients;
  private final Body body;
  private final Supplier<Optional<InetAddress>> client;
  private final Supplier<List<InetAddress>> candidates;
  private final Supplier<PeerCertificates> certificates;
  private Optional<Value> headers = Optional.empty();

  /**
   * @param scheme {@code http} or {@code https}
   * @param host as received
   * @param query as received, empty for none
   * @param clients addresses, from the client to the peer
   */
  public Request(String method, String scheme, Authority host, RequestPath path, String query, Fields fields,
      List<String> clients, Body body) {
    this(method, new RequestUrl(scheme, host.lower(), path, query, Map::of), fields, clients, body,
        () -> last(clients), () -> last(clients).stream().toList(),
        () -> PeerCertificates.NONE);
  }

  private Request(String method, RequestUrl url, Fields fields, List<String> clients, Body body,
      Supplier<Optional<InetAddress>> client, Supplier<List<InetAddress>> candidates,
      Supplier<PeerCertificates> certificates) {
    this.client = client;
    this.candidates = candidates;
    this.certificates = certificates;
    this.method = method;
    this.url = url;
    this.fields = fields;
    this.clients = clients;
    this.body = body;
  }

  private static Optional<InetAddress> last(List<String> clients) {
    return clients.isEmpty() ? Optional.empty() : Address.parse(clients.getLast());
  }

  /**
   * Returns a copy with the path as the matching rule decodes it.
   *
   * @param captures returns the decoded values captured from the path; called on first use
   */
  public Request matched(RequestPath path, Supplier<Map<String, String>> captures) {
    return new Request(method, url.with(path, captures), fields, clients, body, client, candidates, certificates);
  }

  /** Returns a copy for deciding the request again, by any thread; its body cannot be read any more. */
  public Request repeated() {
    return new Request(method, url, fields, clients, body.repeated(), client, candidates, certificates);
  }

  /**
   * Returns a copy of such a copy that refers to nothing of the connection and is small: it may be kept for hours. For
   * a decision it has to be {@link #repeated} again.
   */
  public Request lasting() {
    Optional<InetAddress> address = client();
    List<InetAddress> all = candidates();
    PeerCertificates known = certificates.get().detached();
    return new Request(method, url.with(path(), Map::of), fields, clients, body.lasting(), () -> address, () -> all,
        () -> known);
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

  /** Returns the fields that rules may see: without those of the Forwarded family unless the peer is trusted. */
  public Fields fields() {
    return fields;
  }

  /** Returns addresses as received, from the client to the peer. */
  public List<String> clients() {
    return clients;
  }

  public Body body() {
    return body;
  }

  /** Returns a copy with another body that refers to nothing of the connection, for use after this request. */
  public Request detached(Body other) {
    Optional<InetAddress> address = client();
    List<InetAddress> all = candidates();
    PeerCertificates known = certificates.get().detached();
    return new Request(method, url, fields, clients, other, () -> address, () -> all, () -> known);
  }

  /** Returns a copy with other sources of {@link #client} and {@link #candidates}. */
  Request from(Supplier<Optional<InetAddress>> other, Supplier<List<InetAddress>> others) {
    return new Request(method, url, fields, clients, body, other, others, certificates);
  }

  /** Returns a copy of a client with these certificates. */
  public Request with(PeerCertificates others) {
    return withCertificates(() -> others);
  }

  /** Returns a copy with another source of {@link #certificates}. */
  public Request withCertificates(Supplier<PeerCertificates> source) {
    return new Request(method, url, fields, clients, body, client, candidates, source);
  }

  /** Returns what is known of the client's certificate. */
  public PeerCertificates certificates() {
    return certificates.get();
  }

  /**
   * Returns the client's address as far as it can be relied upon: the peer, or where that is a trusted proxy the last
   * address that trusted proxies name and that is none of theirs.
   */
  public Optional<InetAddress> client() {
    return client.get();
  }

  /**
   * Returns all addresses that may be the client's: that of {@link #client}, or each that the fields of a trusted proxy
   * name where these differ.
   */
  public List<InetAddress> candidates() {
    return candidates.get();
  }

  @Override
  public String name() {
    return "Request";
  }

  @Override
  public Set<String> members() {
    return READERS.keySet();
  }

  @Override
  public Set<String> functions() {
    return FUNCTIONS;
  }

  @Override
  public Optional<Value> member(String name) {
    return Optional.ofNullable(READERS.get(name)).map(reader -> reader.apply(this));
  }

  @Override
  public Value call(String function, List<Value> arguments) throws ValueException {
    BiFunction<Request, String, String> lookup = LOOKUPS.get(function);
    if (lookup != null) {
      return Value.of(lookup.apply(this, Arguments.text(function, arguments)));
    }
    Arguments.none(function, arguments);
    return GETTERS.get(function).apply(this);
  }

  /** Returns all values of that name joined by commas, or an empty string. {@code Host} is the host of the URL. */
  public String header(String name) {
    return name.equalsIgnoreCase("Host") ? url.host().toString() : fields.joined(name).map(Grammar::text).orElse("");
  }

  /** Returns the value of the first cookie of that name without surrounding quotes, or an empty string. */
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

  /** Returns the name in canonical case, as {@code X-Forwarded-For}. */
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
