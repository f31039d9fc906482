package portcullis.serve.service;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.http.client.ClientLimits;
import portcullis.http.message.Authority;
import portcullis.http.message.NameSet;
import portcullis.http.message.TrustedProxies;
import portcullis.http.server.ServerLimits;
import portcullis.lang.address.ListenHost;
import portcullis.lang.address.Network;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.policy.decision.ResponseSettings;
import portcullis.policy.event.EventSettings;
import portcullis.policy.rule.ReadingPolicy;
import portcullis.serve.debug.DebugSettings;
import portcullis.serve.debug.DebugToken;
import portcullis.serve.lock.LockSettings;
import portcullis.serve.stream.StreamSettings;

/**
 * The settings of a listener, {@code serve} or {@code management}: a value for each key, by default the default of the
 * key. A new key is declared here and read by {@link #get} where it is needed. Immutable.
 */
public final class ListenerSettings {
  /** Fields that frameworks use as the method of the request instead of the one that was decided on. */
  private static final NameSet METHOD_OVERRIDES = NameSet
      .of(List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override", DebugToken.HEADER));
  private static final NameSet STRIPPED = NameSet.of(List.of(DebugToken.HEADER));

  /**
   * Timeouts for receiving a request, for the client to read a response, and for the next request.
   *
   * @param firstByte of the first request on a connection; by default that for requests
   * @param head from the first byte of a request to the end of its head; by default that for requests
   */
  public record Timeouts(Duration read, Duration write, Duration idle, Optional<Duration> handshake,
      Optional<Duration> firstByte, Optional<Duration> head) {
    static final Timeouts DEFAULT = new Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(10),
        Duration.ofSeconds(120),
        Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Buffer sizes in bytes: for the head of a request, and for writing. */
  public record Buffers(long read, long write) {
    static final Buffers DEFAULT = new Buffers(4096, 4096);
  }

  /** Limits of connections to upstreams; 0 for no limit. */
  public record Connections(int mostPerHost, int mostIdle, int mostIdlePerHost) {
    static final Connections DEFAULT = new Connections(0, 100, 100);
  }

  /** Settings of CORS (WHATWG Fetch, 3.2). */
  public record Cors(List<String> origins, List<String> methods, List<String> headers, List<String> exposed,
      boolean credentials, Duration age) {}

  private static final Duration LONGEST_DELAY = Duration.ofMinutes(5);
  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");
  private static final List<Key<?>> MAIN = new ArrayList<>();
  private static final List<Key<?>> MANAGEMENT = new ArrayList<>();

  public static final Key<String> HOST = shared(
      Key.withDefault("host", hostDecoder(), "", "the address to listen on; empty for all addresses"));
  public static final Key<Integer> PORT = main(Key.withDefault("port", Decoders.number(1, 65535), 4456, "the port"));
  private static final Key<Integer> MANAGEMENT_PORT = management(
      Key.withDefault(PORT.name(), Decoders.number(1, 65535), 4457, "the port"));
  public static final Key<Timeouts> TIMEOUT = shared(
      Key.withDefault("timeout", timeoutsDecoder(), Timeouts.DEFAULT, "timeouts"));
  public static final Key<Buffers> BUFFER = shared(
      Key.withDefault("buffer_limit", buffersDecoder(), Buffers.DEFAULT, "sizes of buffers"));
  public static final Key<Connections> CONNECTIONS = main(Key.withDefault("connections_limit", connectionsDecoder(),
      Connections.DEFAULT, "connections to upstreams"));
  public static final Key<RequestLimits> LIMITS = shared(
      Key.withDefault("request_limit", RequestLimits.decoder(), RequestLimits.DEFAULT, "limits for clients"));
  public static final Key<Optional<Cors>> CORS = shared(
      Key.optional("cors", corsDecoder(), "which pages of other origins may read responses (CORS)"));
  public static final Key<Optional<TlsSettings>> TLS = shared(
      Key.optional("tls", TlsSettings.decoder(), "TLS of the listener").restricting());
  public static final Key<TrustedProxies> PROXIES = main(trustedProxies(false));
  public static final Key<ResponseSettings> RESPOND = main(
      Key.withDefault("respond", ResponseSettings.decoder(), ResponseSettings.DEFAULT,
          "the responses of decisions and failures"));
  public static final Key<Boolean> REQUEST_IDS = main(Key.withDefault("request_id_enabled", Decoders.flag(), false,
      "whether X-Request-Id is sent to clients and upstreams and logged; that of a trusted proxy is kept"));
  public static final Key<Boolean> STRIP_METHOD_OVERRIDES = main(
      Key.withDefault("strip_method_overrides", Decoders.flag(),
          false, "whether X-HTTP-Method-Override and similar header fields are removed"));
  public static final Key<Duration> SHUTDOWN_DELAY = main(
      Key.withDefault("shutdown_delay", shutdownDelay(), Duration.ZERO,
          "how long requests are served after SIGTERM while `/ready` returns 503 and responses close their "
              + "connections; at most 5m"));
  public static final Key<StreamSettings> STREAMS = main(
      Key.withDefault("streams", StreamSettings.decoder(), StreamSettings.DEFAULT,
          "WebSockets and other long-lived exchanges of the proxy"));
  public static final Key<Optional<EventSettings>> EVENTS = main(Key.optional("security_events",
      EventSettings.decoder(), "issuers that may report ended sessions, by logout tokens and security events"));
  public static final Key<Optional<UnaryOperator<ReadingPolicy>>> READINGS = main(Key.optional("readings",
      ReadingPolicy.decoder(), "the alternative readings of requests that rules guard against"));
  public static final Key<LockSettings> LOCKS = management(
      Key.withDefault("locks", LockSettings.decoder(), LockSettings.DEFAULT,
          "locks of subjects, sessions, tokens and clients"));
  public static final Key<Optional<DebugSettings>> DEBUG = management(
      Key.optional("debug", DebugSettings.decoder(), "debug tokens, by which requests are explained; by default none"));
  public static final Key<List<String>> STATUS_HOSTS = management(
      Key.withDefault("status_hosts", Decoders.list(statusHost()),
          LOOPBACK, "the host names under which the status may be requested"));

  public static final Key<ConsoleSettings> CONSOLE = management(
      Key.withDefault("console", ConsoleSettings.decoder(), ConsoleSettings.DEFAULT,
          "pages for operators: requests, refusals, rules"));

  private final Map<String, Object> values;

  private ListenerSettings(Map<String, Object> values) {
    this.values = values;
  }

  private static <T> Key<T> main(Key<T> key) {
    MAIN.add(key);
    return key;
  }

  private static <T> Key<T> management(Key<T> key) {
    MANAGEMENT.add(key);
    return key;
  }

  private static <T> Key<T> shared(Key<T> key) {
    return management(main(key));
  }

  /** Returns the value of a key, its default where the configuration has none. */
  @SuppressWarnings("unchecked") // values are stored by a key of their type
  public <T> T get(Key<T> key) {
    Object value = values.get(key.name());
    return value == null ? key.defaultValue().orElseThrow() : (T) value;
  }

  /** Returns these settings with another value of a key. */
  <T> ListenerSettings with(Key<T> key, T value) {
    Map<String, Object> out = new HashMap<>(values);
    out.put(key.name(), value);
    return new ListenerSettings(out);
  }

  /** Returns the address to listen at; empty for all addresses of the machine. */
  public String host() {
    return get(HOST);
  }

  public int port() {
    return get(PORT);
  }

  Timeouts timeouts() {
    return get(TIMEOUT);
  }

  public RequestLimits limits() {
    return get(LIMITS);
  }

  Optional<Cors> cors() {
    return get(CORS);
  }

  public Optional<TlsSettings> tls() {
    return get(TLS);
  }

  public TrustedProxies proxies() {
    return get(PROXIES);
  }

  public ResponseSettings respond() {
    return get(RESPOND);
  }

  /** Returns the hosts by which the status may be requested, in lower case, without ports. */
  public List<String> statusHosts() {
    return get(STATUS_HOSTS);
  }

  /** Returns the names of header fields that are removed from requests to upstreams. */
  NameSet stripped() {
    return get(STRIP_METHOD_OVERRIDES) ? METHOD_OVERRIDES : STRIPPED;
  }

  /** Returns the default of rules for which alternative readings of a request they guard against. */
  public ReadingPolicy readings() {
    return get(READINGS).orElse(UnaryOperator.identity()).apply(ReadingPolicy.DEFAULT);
  }

  /**
   * Reads {@code serve}.
   *
   * @param tlsOnly whether TLS is required
   * @param anyone whether networks that contain all addresses may be trusted
   */
  public static Decoder<ListenerSettings> main(boolean tlsOnly, boolean anyone) {
    List<Key<?>> keys = MAIN.stream().map(key -> key.name().equals(PROXIES.name()) ? trustedProxies(anyone) : key)
        .collect(Collectors.toUnmodifiableList());
    return secure(tlsOnly, "the main service", keys);
  }

  /**
   * Reads {@code management}.
   *
   * @param tlsOnly whether TLS is required
   */
  public static Decoder<ListenerSettings> management(boolean tlsOnly) {
    return secure(tlsOnly, "the management service", List.copyOf(MANAGEMENT)).then((settings, node,
        problems) -> ConsoleSettings.isSafe(settings, node.at(), problems) ? Optional.of(settings) : Optional.empty());
  }

  private static Key<TrustedProxies> trustedProxies(boolean anyone) {
    return Key.withDefault("trusted_proxies", proxies(anyone), TrustedProxies.NONE,
        "addresses and networks of proxies whose " + "X-Forwarded-* fields are trusted");
  }

  /** Returns the decoder of the address that a service listens on. */
  public static Decoder<String> hostDecoder() {
    return Decoders.text().then((text, node, problems) -> {
      Optional<String> advice = ListenHost.advice(text);
      advice.ifPresent(right -> problems.error(node.at(), node.path(),
          "`" + Decoders.shortened(text) + "` is not an address to listen on", right));
      return advice.isPresent() ? Optional.empty() : Optional.of(text);
    });
  }

  private static Decoder<Duration> shutdownDelay() {
    return Decoders.duration().then((delay, node, problems) -> {
      if (delay.compareTo(LONGEST_DELAY) > 0) {
        problems.error(node.at(), node.path(), "must be at most 5m", "as `5s`");
        return Optional.empty();
      }
      return Optional.of(delay);
    });
  }

  /** Returns the decoder of a host name without a port; an IPv6 address is written in brackets. */
  private static Decoder<String> statusHost() {
    return Decoders.nonEmpty().then((text, node, problems) -> {
      Optional<Authority> host = Authority.parse(text).filter(authority -> authority.port() == 0);
      if (host.isEmpty()) {
        problems.error(node.at(), node.path(), "`" + Decoders.shortened(text) + "` is not a host name",
            "as in `admin.local` or `[::1]`");
      }
      return host.map(authority -> authority.lower().host());
    });
  }

  /** Returns the default settings with this port, as without a section in the configuration. */
  public static ListenerSettings defaults(int port) {
    return new ListenerSettings(Map.of(PORT.name(), port));
  }

  /** Returns how many bytes the head of a request may have. */
  public int headLimit() {
    return serverLimits().head().maxBytes();
  }

  /** Returns the limits of the server. */
  ServerLimits serverLimits() {
    return limits().with(timeouts(), get(BUFFER).read, proxies());
  }

  /** Returns the limits of the client that calls upstreams. */
  public ClientLimits upstreamLimits() {
    Connections connections = get(CONNECTIONS);
    return ClientLimits.DEFAULT.withConnections(
        connections.mostPerHost == 0 ? Integer.MAX_VALUE : connections.mostPerHost,
        connections.mostIdlePerHost, connections.mostIdle);
  }

  /** Returns the default settings with this address. */
  static ListenerSettings plain(String host, int port) {
    return defaults(port).with(HOST, host);
  }

  /** Returns these settings without CORS headers. */
  ListenerSettings withoutCors() {
    return with(CORS, Optional.empty());
  }

  private static Decoder<ListenerSettings> secure(boolean tlsOnly, String title, List<Key<?>> keys) {
    return Decoders.checked(title, keys, (parts, problems) -> {
      if (tlsOnly && !parts.has(TLS)) {
        withoutTls(parts.node().at(), parts.node().path(), problems);
        return Optional.empty();
      }
      Map<String, Object> values = new HashMap<>();
      keys.forEach(key -> values.put(key.name(), parts.get(key)));
      return Optional.of(new ListenerSettings(values));
    });
  }

  /** Adds the problem that TLS is required; {@code at} is the section, or where it should be. */
  public static void withoutTls(Origin at, String section, Problems problems) {
    problems.error(at, section, "`tls` is missing", "configure it, or disable TLS of listeners by"
        + " `--insecure-skip-ingress-tls-enforcement`");
  }

  private static Decoder<Timeouts> timeoutsDecoder() {
    Key<Duration> read = Key.withDefault("read", Decoders.plainDuration(), Timeouts.DEFAULT.read,
        "for a request to be received");
    Key<Duration> write = Key.withDefault("write", Decoders.plainDuration(), Timeouts.DEFAULT.write,
        "for the client to read a response");
    Key<Duration> idle = Key.withDefault("idle", Decoders.plainDuration(), Timeouts.DEFAULT.idle,
        "for the next request");
    Key<Optional<Duration>> handshake = Key.optional("handshake", Decoders.plainDuration(),
        "for the TLS handshake; by default 10s");
    Key<Optional<Duration>> first = Key.optional("first_byte", Decoders.plainDuration(),
        "for the first byte of the first request; by default as `read`");
    Key<Optional<Duration>> head = Key.optional("head", Decoders.plainDuration(),
        "for the head of a request to be received; by default as `read`");
    return Decoders.object("timeouts", List.of(read, write, idle, handshake, first, head),
        p -> new Timeouts(p.get(read),
            p.get(write), p.get(idle), p.get(handshake), p.get(first), p.get(head)));
  }

  private static Decoder<Buffers> buffersDecoder() {
    Key<Long> read = Key.withDefault("read", Decoders.byteSize(), Buffers.DEFAULT.read, "for the head of a request");
    Key<Long> write = Key.withDefault("write", Decoders.byteSize(), Buffers.DEFAULT.write, "for the response");
    return Decoders.object("sizes", List.of(read, write), p -> new Buffers(p.get(read), p.get(write)));
  }

  private static Decoder<Connections> connectionsDecoder() {
    Decoder<Integer> count = Decoders.number(0, 1_000_000);
    Key<Integer> most = Key.withDefault("max_per_host", count, 0,
        "maximum connections to one upstream; 0 for no limit");
    Key<Integer> idle = Key.withDefault("max_idle", count, 100, "maximum idle connections to all upstreams");
    Key<Integer> idlePerHost = Key.withDefault("max_idle_per_host", count, 100,
        "maximum idle connections to one upstream");
    return Decoders.object("limits", List.of(most, idle, idlePerHost),
        p -> new Connections(p.get(most), p.get(idle), p.get(idlePerHost)));
  }

  private static Decoder<Cors> corsDecoder() {
    Decoder<List<String>> texts = Decoders.list(Decoders.text());
    Decoder<List<String>> verbs = Decoders
        .list(Decoders.oneOf("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "TRACE", "PATCH"));
    Key<List<String>> origins = Key.withDefault("allowed_origins", texts, List.of("*"), "the origins");
    Key<List<String>> methods = Key.withDefault("allowed_methods", verbs, List.of("GET", "POST", "HEAD"),
        "the methods");
    Key<List<String>> headers = Key.withDefault("allowed_headers", texts,
        List.of("Accept", "Content-Type", "X-Requested-With"), "the request fields");
    Key<List<String>> exposed = Key.withDefault("exposed_headers", texts, List.of(), "the response fields");
    Key<Boolean> credentials = Key.withDefault("allow_credentials", Decoders.flag(), false,
        "whether requests may include credentials");
    Key<Duration> age = Key.withDefault("max_age", Decoders.plainDuration(), Duration.ZERO,
        "how long browsers may cache the result of a preflight request");
    return Decoders.object("cors", List.of(origins, methods, headers, exposed, credentials, age),
        p -> new Cors(p.get(origins),
            p.get(methods), p.get(headers), p.get(exposed), p.get(credentials), p.get(age)));
  }

  private static Decoder<TrustedProxies> proxies(boolean anyone) {
    Decoder<Network> network = Decoders.text().then((text, node, problems) -> network(text, node, anyone, problems));
    return Decoders.list(network).then((list, _, _) -> Optional.of(new TrustedProxies(list)));
  }

  private static Optional<Network> network(String text, Node node, boolean anyone, Problems problems) {
    Optional<Network> network = Network.parse(text);
    if (network.isEmpty()) {
      problems.error(node.at(), node.path(),
          "`" + Decoders.shortened(text) + "` is neither an IP address nor a network",
          "as in `10.0.0.7`, `10.0.0.0/8` or `fd00::/8`");
    } else if (network.get().isEverything() && !anyone) {
      problems.error(node.at(), node.path(), "`" + text + "` trusts every client", "name the networks of your proxies, "
          + "or allow it by"
          + " `--insecure-skip-secure-trusted-proxies-enforcement`");
      return Optional.empty();
    }
    return network;
  }
}
