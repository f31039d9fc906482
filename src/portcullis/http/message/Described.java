package portcullis.http.message;

import java.util.List;
import java.util.Optional;
import portcullis.lang.address.Address;
import portcullis.lang.address.Network;
import portcullis.lang.value.ParseBudget;
import portcullis.lang.value.ParseMemory;

/**
 * A request that another proxy holds and describes to us: it forwards the request itself, as it is, so nothing in it is
 * resolved or mended here.
 *
 * @param target path and query
 * @param fields names and values as on the wire
 * @param body as much of it as the proxy has sent along
 */
public record Described(String method, String scheme, String host, String target, Fields fields, byte[] body) {
  /**
   * The request to be judged.
   *
   * @param metadata the fields of the call that describes it; only a trusted caller's tell of clients
   * @param trusted whether the caller's word on whom it speaks for is taken
   * @param budget for the body where a rule reads it
   * @throws Refusal where it cannot be what it says
   */
  public Request request(Fields metadata, boolean trusted, ParseBudget budget) throws Refusal {
    require(Grammar.isToken(method), "the method is no token");
    require(scheme.equals("http") || scheme.equals("https"), "the scheme is neither http nor https");
    Optional<Authority> authority = Authority.parse(host);
    require(authority.isPresent(), "the host is no valid host");
    Target.Resource resource = Target.readOrigin(target);
    RequestPath path = RequestPath.readUnresolved(resource.path());
    for (Field field : fields) {
      require(Grammar.isToken(field.name()) && Grammar.isFieldValue(field.value()), "a header field cannot be one");
    }
    Fields seen = trusted ? fields : fields.without(field -> ForwardedFamily.has(field.name()));
    List<String> clients = trusted ? ForwardedChain.forwardedFor(metadata.all("X-Forwarded-For")) : List.of();
    return new Request(method, scheme, authority.orElseThrow(), path, resource.query(), seen, clients,
        new Body(Content.of(body), fields.joined("Content-Type").orElse(""), budget, ParseMemory.PROCESS,
            clients.isEmpty() ? ""
                : Address.parse(clients.getLast()).map(a -> Network.ofPeer(a).toString()).orElse("")));
  }

  private static void require(boolean fits, String otherwise) throws Refusal {
    if (!fits) {
      throw Refusal.badRequest(otherwise);
    }
  }
}
