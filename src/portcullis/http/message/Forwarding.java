package portcullis.http.message;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import portcullis.lang.address.Network;
import portcullis.lang.value.ParseBudget;
import portcullis.lang.value.ParseMemory;

/**
 * Whom a request comes from and what it is about, once a trusted proxy has been heard and everybody else has not
 * (RFC 7239). Immutable.
 *
 * @param method of the request to decide
 * @param scheme {@code http} or {@code https}
 * @param host of the request to decide, as received
 * @param target of the request to decide, as received
 * @param clients addresses from the client to the peer, which is always the last
 * @param proxies that were trusted
 * @param fields what the rules may see: from a stranger without anything of the forwarded family
 */
public record Forwarding(ValidRequest incoming, String method, String scheme, Authority host, Target.Resource target,
    List<String> clients, TrustedProxies proxies, Fields fields) {
  private static final String FORWARDED = "Forwarded";
  private static final String URI = "X-Forwarded-Uri";
  private static final NameSet CONTINUED = NameSet
      .of(List.of("X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", FORWARDED));

  /**
   * @throws ResponseStatusException if a field of a trusted proxy is repeated or invalid, or if the request is not
   *     for a resource
   */
  public static Forwarding of(ValidRequest incoming, TrustedProxies proxies) throws ResponseStatusException {
    return proxies.trusts(incoming.peer()) ? ofProxy(incoming, proxies) : ofStranger(incoming, proxies);
  }

  private static Forwarding ofStranger(ValidRequest incoming, TrustedProxies proxies) throws ResponseStatusException {
    return new Forwarding(incoming, incoming.method(), incoming.scheme(), incoming.host(), resource(incoming.target()),
        List.of(incoming.client()), proxies, incoming.fields().without(field -> ForwardedFamily.has(field.name())));
  }

  private static Forwarding ofProxy(ValidRequest incoming, TrustedProxies proxies) throws ResponseStatusException {
    Fields fields = incoming.fields();
    List<String> clients = new ArrayList<>(clients(fields));
    clients.add(incoming.client());
    return new Forwarding(incoming, method(incoming, fields), scheme(incoming, fields), host(incoming, fields),
        target(incoming, fields), List.copyOf(clients), proxies, fields);
  }

  private static List<String> clients(Fields fields) {
    List<String> clients = ForwardedChain.forwarded(fields.all(FORWARDED)).orElse(List.of());
    return clients.isEmpty() ? ForwardedChain.forwardedFor(fields.all("X-Forwarded-For")) : clients;
  }

  private static String method(ValidRequest incoming, Fields fields) throws ResponseStatusException {
    String method = only(fields, "X-Forwarded-Method").orElse(incoming.method());
    if (!Grammar.isToken(method)) {
      throw ResponseStatusException.badRequest("X-Forwarded-Method is not a method");
    }
    return method;
  }

  /** The schemes of WebSockets, which some proxies report for an upgrade, are those of the HTTP below (RFC 6455, 3). */
  private static String scheme(ValidRequest incoming, Fields fields) throws ResponseStatusException {
    String scheme = only(fields, "X-Forwarded-Proto").orElse(incoming.scheme());
    return switch (scheme) {
      case "http", "https" -> scheme;
      case "HTTP", "ws", "WS" -> "http";
      case "HTTPS", "wss", "WSS" -> "https";
      default -> throw ResponseStatusException.badRequest("X-Forwarded-Proto is not one of http, https, ws and wss");
    };
  }

  private static Authority host(ValidRequest incoming, Fields fields) throws ResponseStatusException {
    Optional<String> host = only(fields, "X-Forwarded-Host");
    return host.isEmpty() ? incoming.host()
        : Authority.parse(host.get())
            .orElseThrow(() -> ResponseStatusException.badRequest("X-Forwarded-Host is invalid"));
  }

  /** A forwarded URI without a query leaves that of the request in force. */
  private static Target.Resource target(ValidRequest incoming, Fields fields) throws ResponseStatusException {
    Optional<String> uri = only(fields, URI);
    if (uri.isEmpty()) {
      return resource(incoming.target());
    }
    Target.Resource forwarded = Target.readForwarded(uri.get());
    String own = incoming.target() instanceof Target.Resource resource ? resource.query() : "";
    return forwarded.query().isEmpty() ? new Target.Resource(forwarded.path(), own) : forwarded;
  }

  private static Target.Resource resource(Target target) throws ResponseStatusException {
    return switch (target) {
      case Target.Resource resource -> resource;
      case Target.Server _ -> throw ResponseStatusException.badRequest("the request is about the server as a whole");
    };
  }

  private static Optional<String> only(Fields fields, String name) throws ResponseStatusException {
    List<String> all = fields.all(name);
    if (all.size() > 1) {
      throw ResponseStatusException.badRequest(name + " is there twice");
    }
    return all.stream().findFirst();
  }

  /** Returns whether a trusted proxy names the resource that a request is about, whatever its own target. */
  public static boolean namesResource(ValidRequest incoming, TrustedProxies proxies) {
    return incoming.fields().has(URI) && proxies.trusts(incoming.peer());
  }

  /**
   * Returns the request that rules are applied to.
   *
   * @param budget for the body if a rule reads it
   * @param formats of the body
   * @throws ResponseStatusException if the path is ambiguous
   */
  public Request request(ParseBudget budget, BodyFormat.Lookup formats) throws ResponseStatusException {
    return new Request(method, scheme, host, RequestPath.read(target.path()), target.query(), fields, clients,
        new Body(incoming.content(), fields.joined("Content-Type").orElse(""), budget, ParseMemory.PROCESS, client(),
            formats))
        .from(() -> proxies.client(incoming.peer(), incoming.fields()),
            () -> proxies.candidates(incoming.peer(), incoming.fields()))
        .with(PeerCertificates.of(incoming.certificates(), proxies.trusts(incoming.peer())));
  }

  /** Returns the client whose share of memory is used, as for connections; an empty string without a body. */
  String client() {
    if (incoming.content().length().orElse(-1) == 0) {
      return "";
    }
    return proxies.share(incoming.peer(), incoming.fields()).map(Network::toString).orElse("");
  }

  /** Returns whether {@link #continued} writes the content of such a field. */
  public static boolean isContinued(String name) {
    return CONTINUED.has(name);
  }

  /**
   * Returns the fields for the upstream: without those of this connection, with this hop added to the chains.
   *
   * @param fields {@link #fields}, without those of the client's connection and those that only we may say
   */
  public Fields continued(Fields fields) {
    List<Field> out = new ArrayList<>(fields.size() + 4);
    for (int i = 0; i < fields.size(); i++) {
      if (!ForwardedFamily.endsHere(fields.lines().get(i).name())) {
        out.add(fields.lines().get(i));
      }
    }
    out.add(new Field("X-Forwarded-For", clients.size() == 1 ? clients.getFirst() : String.join(", ", clients)));
    out.add(new Field("X-Forwarded-Proto", scheme));
    out.add(new Field("X-Forwarded-Host", host.toString()));
    out.add(new Field(FORWARDED, chain()));
    return Fields.of(out);
  }

  /** Returns the chain so far, unless it is broken, and our element. */
  private String chain() {
    List<String> lines = fields.all(FORWARDED);
    List<String> kept = new ArrayList<>(lines.size() + 1);
    if (ForwardedChain.forwarded(lines).isPresent()) {
      lines.stream().filter(line -> !line.isEmpty()).forEach(kept::add);
    }
    kept.add(element());
    return String.join(", ", kept);
  }

  /**
   * {@code for=node;host="…";proto=…} (RFC 7239, 5): the peer, and what it asked us for itself. An authority has
   * nothing that a quoted string would have to escape.
   */
  private String element() {
    String client = clients.getLast();
    String node = client.indexOf(':') < 0 ? client : "\"[" + client + "]\"";
    return "for=" + node + ";host=\"" + incoming.host() + "\";proto=" + incoming.scheme();
  }
}
