package portcullis.serve.service;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.config.Node;
import portcullis.config.Parts;
import portcullis.crypto.keys.CipherSuite;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyFault;
import portcullis.crypto.keys.KeyRing;
import portcullis.crypto.keys.ServerTls;
import portcullis.crypto.keys.TlsVersion;
import portcullis.crypto.keys.TrustStore;
import portcullis.http.client.ClientLimits;
import portcullis.http.message.Authority;
import portcullis.http.message.NameSet;
import portcullis.http.message.TrustedProxies;
import portcullis.http.server.ServerLimits;
import portcullis.lang.address.ListenHost;
import portcullis.lang.address.Network;
import portcullis.lang.source.LocatedText;
import portcullis.lang.source.Origin;
import portcullis.lang.source.Problems;
import portcullis.policy.decision.ResponseSettings;
import portcullis.policy.rule.ReadingPolicy;

/**
 * Where and how a service listens; immutable.
 *
 * @param host empty for all addresses of the machine
 * @param statusHosts by which names the status may be asked for, in small letters, without ports
 * @param stripped names of header fields that no client's request keeps on its way to the upstream
 * @param readings which other readings of requests rules guard against where they do not say otherwise
 */
public record ListenerSettings(String host, int port, Timeouts timeouts, Buffers buffers, Connections connections,
    RequestLimits limits, Optional<Cors> cors, Optional<Tls> tls, TrustedProxies proxies, ResponseSettings respond,
    List<String> statusHosts, NameSet stripped, ReadingPolicy readings) {
  /** Frameworks take one of these for the method of the request, in place of the one that was decided on. */
  private static final NameSet METHOD_OVERRIDES = NameSet
      .of(List.of("X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"));

  /**
   * How long is waited for a request to be whole, for the client to take an answer, and for the next request.
   *
   * @param firstByte of the first request on a connection; as for the request where it is not said
   * @param head from a request's first byte to the end of its head; as for the request where it is not said
   */
  public record Timeouts(Duration read, Duration write, Duration idle, Optional<Duration> handshake,
      Optional<Duration> firstByte, Optional<Duration> head) {
    static final Timeouts STANDARD = new Timeouts(Duration.ofSeconds(5), Duration.ofSeconds(10),
        Duration.ofSeconds(120),
        Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Bytes for the head of a request, and for writing. */
  public record Buffers(long read, long write) {
    static final Buffers STANDARD = new Buffers(4096, 4096);
  }

  /** Connections to upstreams; 0 for no bound. */
  public record Connections(int mostPerHost, int mostIdle, int mostIdlePerHost) {
    static final Connections STANDARD = new Connections(0, 100, 100);
  }

  /** One with the default readings. */
  public ListenerSettings(String host, int port, Timeouts timeouts, Buffers buffers, Connections connections,
      RequestLimits limits,
      Optional<Cors> cors, Optional<Tls> tls, TrustedProxies proxies, ResponseSettings respond,
      List<String> statusHosts,
      NameSet stripped) {
    this(host, port, timeouts, buffers, connections, limits, cors, tls, proxies, respond, statusHosts, stripped,
        ReadingPolicy.DEFAULT);
  }

  /** Certificates and how they are used. */
  public record Tls(LocatedText keyStore, String password, Optional<String> keyId, TlsVersion lowest,
      List<CipherSuite> suites,
      Optional<ClientAuth> clientAuth) {
    /** Reads the keys and their certificates; empty exactly if a problem was added. */
    public Optional<ServerTls> load(Instant now, Problems problems) {
      try {
        List<KeyEntry> keys = keys(now);
        Optional<ServerTls.Clients> clients = clientAuth.map(auth -> auth.load(problems))
            .orElse(Optional.of(ServerTls.Clients.ANY));
        return clients.isPresent() ? Optional.of(ServerTls.of(keys, lowest, suites, clients.get())) : Optional.empty();
      } catch (KeyFault | InvalidPathException e) {
        problems.error(keyStore.at(0, keyStore.text().length()), keyStore.path(), e.getMessage(), "");
        return Optional.empty();
      }
    }

    /**
     * The keys as they stand in the file now: the one that is named, else the first and all that have a certificate.
     */
    public List<KeyEntry> keys(Instant now) throws KeyFault {
      KeyRing ring = KeyRing.read(Path.of(keyStore.text()), password, now);
      if (keyId.isPresent()) {
        return List.of(ring.entry(keyId.get()));
      }
      return ring.entries().stream().filter(entry -> entry.equals(ring.first()) || !entry.chain().isEmpty()).toList();
    }
  }

  /** Whose certificates clients show; these are asked for one. */
  public record ClientAuth(LocatedText trustStore, boolean required) {
    private Optional<ServerTls.Clients> load(Problems problems) {
      try {
        return Optional.of(new ServerTls.Clients(Optional.of(TrustStore.read(Path.of(trustStore.text()))), required));
      } catch (KeyFault | InvalidPathException e) {
        problems.error(trustStore.at(0, trustStore.text().length()), trustStore.path(), e.getMessage(), "");
        return Optional.empty();
      }
    }
  }

  /** Which pages of other origins may read answers. */
  public record Cors(List<String> origins, List<String> methods, List<String> headers, List<String> exposed,
      boolean credentials, Duration age) {}

  private static final List<String> LOOPBACK = List.of("localhost", "127.0.0.1", "[::1]");
  private static final Key<String> HOST = Key.standard("host", hostDecoder(), "", "the address; empty for all");
  private static final Key<Timeouts> TIMEOUT = Key.standard("timeout", timeoutsDecoder(), Timeouts.STANDARD,
      "how long is waited");
  private static final Key<Buffers> BUFFER = Key.standard("buffer_limit", buffersDecoder(), Buffers.STANDARD,
      "sizes of buffers");
  private static final Key<RequestLimits> LIMITS = Key.standard("request_limit", RequestLimits.decoder(),
      RequestLimits.STANDARD, "what clients may take");
  private static final Key<Optional<Cors>> CORS = Key.optional("cors", corsDecoder(), "which pages of other origins "
      + "may read answers");
  private static final Key<Optional<Tls>> TLS = Key.optional("tls", tlsDecoder(), "the certificate").restricting();
  private static final Key<Connections> CONNECTIONS = Key.standard("connections_limit", connectionsDecoder(),
      Connections.STANDARD, "connections to upstreams");
  private static final Key<ResponseSettings> RESPOND = Key.standard("respond", ResponseSettings.decoder(),
      ResponseSettings.STANDARD,
      "how failures are answered");

  /**
   * Reads {@code management}.
   *
   * @param tlsOnly whether there has to be TLS
   */
  public static Decoder<ListenerSettings> management(boolean tlsOnly) {
    Key<Integer> port = Key.standard("port", Decoders.number(1, 65535), 4457, "the port");
    Key<List<String>> hosts = Key.standard("status_hosts", Decoders.list(statusHost()), LOOPBACK,
        "the names by which the status may be asked for");
    return secure(tlsOnly, "the management service", List.of(HOST, port, TIMEOUT, BUFFER, LIMITS, CORS, TLS, hosts),
        p -> new ListenerSettings(p.get(HOST), p.get(port), p.get(TIMEOUT), p.get(BUFFER), Connections.STANDARD,
            p.get(LIMITS), p.get(CORS), p.get(TLS), TrustedProxies.NONE, ResponseSettings.STANDARD, p.get(hosts),
            NameSet.EMPTY));
  }

  /** Where a service listens. */
  public static Decoder<String> hostDecoder() {
    return Decoders.text().then((text, node, problems) -> {
      Optional<String> advice = ListenHost.advice(text);
      advice.ifPresent(right -> problems.error(node.at(), node.path(),
          "`" + Decoders.shortened(text) + "` is no host to listen at", right));
      return advice.isPresent() ? Optional.empty() : Optional.of(text);
    });
  }

  /** The name of a host without a port; an IPv6 address is written in brackets. */
  private static Decoder<String> statusHost() {
    return Decoders.nonEmpty().then((text, node, problems) -> {
      Optional<Authority> host = Authority.parse(text).filter(authority -> authority.port() == 0);
      if (host.isEmpty()) {
        problems.error(node.at(), node.path(), "`" + Decoders.shortened(text) + "` is no name of a host",
            "as `admin.local`, `[::1]`");
      }
      return host.map(authority -> authority.lower().host());
    });
  }

  /**
   * Reads {@code serve}.
   *
   * @param tlsOnly whether there has to be TLS
   * @param anyone whether networks of everybody may be trusted
   */
  public static Decoder<ListenerSettings> main(boolean tlsOnly, boolean anyone) {
    Key<Integer> port = Key.standard("port", Decoders.number(1, 65535), 4456, "the port");
    Key<TrustedProxies> proxies = Key.standard("trusted_proxies", proxies(anyone), TrustedProxies.NONE,
        "addresses and networks whose word on the client is taken");
    Key<Boolean> overrides = Key.standard("strip_method_overrides", Decoders.flag(), false,
        "whether X-HTTP-Method-Override and the like are removed");
    Key<Optional<UnaryOperator<ReadingPolicy>>> readings = Key.optional("readings", ReadingPolicy.decoder(),
        "which other readings of requests rules guard against");
    return secure(tlsOnly, "the main service",
        List.of(HOST, port, TIMEOUT, BUFFER, CONNECTIONS, LIMITS, CORS, TLS, proxies,
            RESPOND, overrides, readings),
        p -> new ListenerSettings(p.get(HOST), p.get(port), p.get(TIMEOUT), p.get(BUFFER),
            p.get(CONNECTIONS), p.get(LIMITS), p.get(CORS), p.get(TLS), p.get(proxies), p.get(RESPOND), LOOPBACK,
            p.get(overrides) ? METHOD_OVERRIDES : NameSet.EMPTY,
            p.get(readings).orElse(UnaryOperator.identity()).apply(ReadingPolicy.DEFAULT)));
  }

  /** What counts where the configuration has no such section. */
  public static ListenerSettings standard(int port) {
    return new ListenerSettings("", port, Timeouts.STANDARD, Buffers.STANDARD, Connections.STANDARD,
        RequestLimits.STANDARD, Optional.empty(), Optional.empty(), TrustedProxies.NONE, ResponseSettings.STANDARD,
        LOOPBACK,
        NameSet.EMPTY);
  }

  /** What the server bounds. */
  ServerLimits serverLimits() {
    return limits.with(timeouts, buffers.read, proxies);
  }

  /** What the client bounds that talks to upstreams. */
  public ClientLimits upstreamLimits() {
    return ClientLimits.DEFAULT.withConnections(
        connections.mostPerHost == 0 ? Integer.MAX_VALUE : connections.mostPerHost,
        connections.mostIdlePerHost, connections.mostIdle);
  }

  /** One with an address of its own and all else as usual. */
  static ListenerSettings plain(String host, int port) {
    ListenerSettings s = standard(port);
    return new ListenerSettings(host, port, s.timeouts, s.buffers, s.connections, s.limits, s.cors, s.tls, s.proxies,
        s.respond,
        s.statusHosts, s.stripped, s.readings);
  }

  /** The same where pages of other origins are granted nothing. */
  ListenerSettings withoutCors() {
    return new ListenerSettings(host, port, timeouts, buffers, connections, limits, Optional.empty(), tls, proxies,
        respond,
        statusHosts, stripped, readings);
  }

  private static Decoder<ListenerSettings> secure(boolean tlsOnly, String title, List<Key<?>> keys,
      Function<Parts, ListenerSettings> make) {
    return Decoders.checked(title, keys, (parts, problems) -> {
      if (tlsOnly && !parts.has(TLS)) {
        withoutTls(parts.node().at(), parts.node().path(), problems);
        return Optional.empty();
      }
      return Optional.of(make.apply(parts));
    });
  }

  /** Says that TLS is insisted on; {@code at} is where the section stands, or should. */
  public static void withoutTls(Origin at, String section, Problems problems) {
    problems.error(at, section, "`tls` is missing", "configure it, or give up TLS of listeners by"
        + " `--insecure-skip-ingress-tls-enforcement`");
  }

  private static Decoder<Timeouts> timeoutsDecoder() {
    Key<Duration> read = Key.standard("read", Decoders.plainDuration(), Timeouts.STANDARD.read,
        "for a request to be whole");
    Key<Duration> write = Key.standard("write", Decoders.plainDuration(), Timeouts.STANDARD.write,
        "for the client to take an answer");
    Key<Duration> idle = Key.standard("idle", Decoders.plainDuration(), Timeouts.STANDARD.idle, "for the next request");
    Key<Optional<Duration>> handshake = Key.optional("handshake", Decoders.plainDuration(), "for TLS to be set up");
    Key<Optional<Duration>> first = Key.optional("first_byte", Decoders.plainDuration(), "for the first request to "
        + "begin");
    Key<Optional<Duration>> head = Key.optional("head", Decoders.plainDuration(), "for the head of a request to be "
        + "whole");
    return Decoders.object("timeouts", List.of(read, write, idle, handshake, first, head),
        p -> new Timeouts(p.get(read),
            p.get(write), p.get(idle), p.get(handshake), p.get(first), p.get(head)));
  }

  private static Decoder<Buffers> buffersDecoder() {
    Key<Long> read = Key.standard("read", Decoders.byteSize(), Buffers.STANDARD.read, "for the head of a request");
    Key<Long> write = Key.standard("write", Decoders.byteSize(), Buffers.STANDARD.write, "for writing");
    return Decoders.object("sizes", List.of(read, write), p -> new Buffers(p.get(read), p.get(write)));
  }

  private static Decoder<Connections> connectionsDecoder() {
    Decoder<Integer> count = Decoders.number(0, 1_000_000);
    Key<Integer> most = Key.standard("max_per_host", count, 0, "in all to one upstream; 0 for no bound");
    Key<Integer> idle = Key.standard("max_idle", count, 100, "idle in all");
    Key<Integer> idlePerHost = Key.standard("max_idle_per_host", count, 100, "idle to one upstream");
    return Decoders.object("limits", List.of(most, idle, idlePerHost),
        p -> new Connections(p.get(most), p.get(idle), p.get(idlePerHost)));
  }

  private static Decoder<Cors> corsDecoder() {
    Decoder<List<String>> texts = Decoders.list(Decoders.text());
    Decoder<List<String>> verbs = Decoders
        .list(Decoders.oneOf("GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "TRACE", "PATCH"));
    Key<List<String>> origins = Key.standard("allowed_origins", texts, List.of("*"), "the origins");
    Key<List<String>> methods = Key.standard("allowed_methods", verbs, List.of("GET", "POST", "HEAD"), "the methods");
    Key<List<String>> headers = Key.standard("allowed_headers", texts,
        List.of("Accept", "Content-Type", "X-Requested-With"), "the request fields");
    Key<List<String>> exposed = Key.standard("exposed_headers", texts, List.of(), "the response fields");
    Key<Boolean> credentials = Key.standard("allow_credentials", Decoders.flag(), false, "whether credentials may be "
        + "sent");
    Key<Duration> age = Key.standard("max_age", Decoders.plainDuration(), Duration.ZERO, "how long a grant is "
        + "remembered");
    return Decoders.object("cors", List.of(origins, methods, headers, exposed, credentials, age),
        p -> new Cors(p.get(origins),
            p.get(methods), p.get(headers), p.get(exposed), p.get(credentials), p.get(age)));
  }

  private static Decoder<Tls> tlsDecoder() {
    Key<LocatedText> path = Key.required("path", Decoders.located(), "the PEM file");
    Key<String> password = Key.standard("password", Decoders.text(), "", "of an encrypted key");
    Decoder<Map.Entry<LocatedText, String>> store = Decoders.object("a key store", List.of(path, password),
        p -> Map.entry(p.get(path), p.get(password)));
    Key<Map.Entry<LocatedText, String>> keyStore = Key.required("key_store", store, "where the key is");
    Key<Optional<String>> id = Key.optional("key_id", Decoders.nonEmpty(), "which key of it");
    Key<TlsVersion> lowest = Key.standard("min_version", Decoders.choice(versions()), TlsVersion.values()[1],
        "the lowest version");
    Key<List<CipherSuite>> suites = Key.standard("cipher_suites", Decoders.list(Decoders.choice(suites())),
        CipherSuite.DEFAULTS,
        "the cipher suites of TLS 1.2");
    Key<LocatedText> trust = Key.required("trust_store", Decoders.located(), "the PEM file of who issues their "
        + "certificates");
    Key<Boolean> required = Key.standard("required", Decoders.flag(), true, "whether a client without one is refused");
    Key<Optional<ClientAuth>> clients = Key.optional("client_auth", Decoders.object("certificates of clients",
        List.of(trust, required), p -> new ClientAuth(p.get(trust), p.get(required))), "the certificates of clients")
        .restricting();
    return Decoders.object("tls", List.of(keyStore, id, lowest, suites, clients), p -> new Tls(p.get(keyStore).getKey(),
        p.get(keyStore).getValue(), p.get(id), p.get(lowest), p.get(suites), p.get(clients)));
  }

  private static SequencedMap<String, TlsVersion> versions() {
    SequencedMap<String, TlsVersion> out = new LinkedHashMap<>();
    for (TlsVersion version : TlsVersion.values()) {
      out.put(version.text(), version);
    }
    return out;
  }

  private static SequencedMap<String, CipherSuite> suites() {
    SequencedMap<String, CipherSuite> out = new LinkedHashMap<>();
    for (CipherSuite suite : CipherSuite.values()) {
      out.put(suite.name(), suite);
    }
    return out;
  }

  private static Decoder<TrustedProxies> proxies(boolean anyone) {
    Decoder<Network> network = Decoders.text().then((text, node, problems) -> network(text, node, anyone, problems));
    return Decoders.list(network).then((list, _, _) -> Optional.of(new TrustedProxies(list)));
  }

  private static Optional<Network> network(String text, Node node, boolean anyone, Problems problems) {
    Optional<Network> network = Network.parse(text);
    if (network.isEmpty()) {
      problems.error(node.at(), node.path(), "`" + Decoders.shortened(text) + "` is no address and no network",
          "as `10.0.0.7`, `10.0.0.0/8`, `fd00::/8`");
    } else if (network.get().isEverything() && !anyone) {
      problems.error(node.at(), node.path(), "`" + text + "` trusts everybody", "name the networks of your proxies, "
          + "or allow it by"
          + " `--insecure-skip-secure-trusted-proxies-enforcement`");
      return Optional.empty();
    }
    return network;
  }
}
