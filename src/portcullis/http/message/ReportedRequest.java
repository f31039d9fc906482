package portcullis.http.message;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import portcullis.lang.address.Address;
import portcullis.lang.address.Network;
import portcullis.lang.value.ParseBudget;
import portcullis.lang.value.ParseMemory;

/**
 * A request that another proxy (Envoy) has received and describes in a call. It forwards the request itself, unchanged,
 * so nothing in it is resolved or corrected here.
 *
 * @param target path and query
 * @param fields names and values as on the wire
 * @param body the part that the proxy has included, as bytes
 * @param certificate of the client, as PEM with percent encoding; empty for none
 */
public record ReportedRequest(String method, String scheme, String host, String target, Fields fields, byte[] body,
    String certificate) {
  /** Methods whose requests often have neither a body nor a length. */
  private static final Set<String> USUALLY_WITHOUT_BODY = Set.of("GET", "HEAD", "OPTIONS", "TRACE", "CONNECT",
      "DELETE");

  /**
   * Returns the request that rules are applied to.
   *
   * @param metadata the fields of the call that describes it; clients are read from those of a trusted caller only
   * @param trusted whether the caller is a trusted proxy
   * @param budget for the body if a rule reads it
   * @param formats of the body
   * @throws ResponseStatusException if the description is not a valid request
   */
  public Request request(Fields metadata, boolean trusted, ParseBudget budget, BodyFormat.Lookup formats)
      throws ResponseStatusException {
    require(Grammar.isToken(method), "the method is not a token");
    require(scheme.equals("http") || scheme.equals("https"), "the scheme is neither http nor https");
    Optional<Authority> authority = Authority.parse(host);
    require(authority.isPresent(), "the host is invalid");
    Target.Resource resource = Target.readOrigin(target);
    RequestPath path = RequestPath.readUnresolved(resource.path());
    for (Field field : fields) {
      require(Grammar.isToken(field.name()) && Grammar.isFieldValue(field.value()), "a header field is invalid");
    }
    Fields seen = trusted ? fields : fields.without(field -> ForwardedFamily.has(field.name()));
    List<String> clients = trusted ? ForwardedChain.forwardedFor(metadata.all("X-Forwarded-For")) : List.of();
    Body content = new Body(Content.of(body), fields.joined("Content-Type").orElse(""), budget, ParseMemory.PROCESS,
        clients.isEmpty() ? "" : Address.parse(clients.getLast()).map(a -> Network.ofPeer(a).toString()).orElse(""),
        formats);
    if (isPartial()) {
      content.incomplete(413,
          "the check has not the whole body: Envoy needs with_request_body with pack_as_bytes and a "
              + "larger max_request_bytes");
    } else if (isUnknown()) {
      content.incomplete(400, "the check has no body and no length of one: Envoy needs with_request_body with "
          + "pack_as_bytes, and a client without a body Content-Length: 0");
    }
    return new Request(method, scheme, authority.orElseThrow(), path, resource.query(), seen, clients, content)
        .with(PeerCertificates.reported(certificate, trusted));
  }

  /** Whether Envoy says so ({@code allow_partial_message}), or the client has announced more. */
  private boolean isPartial() {
    return fields.all("X-Envoy-Auth-Partial-Body").contains("true")
        || fields.all("Content-Length").stream().anyMatch(length -> !length.equals(Integer.toString(body.length)))
        || body.length == 0 && fields.has("Transfer-Encoding");
  }

  /**
   * Whether there may be a body. One without a length that Envoy does not send along looks as if there were none: Envoy
   * takes {@code Transfer-Encoding} away before it asks. So an empty body of other methods has to be announced by
   * {@code Content-Length: 0}, which clients should send (RFC 9110, section 8.6);
   * {@code X-Envoy-Auth-Partial-Body: false} may be the client's.
   */
  private boolean isUnknown() {
    return body.length == 0 && !fields.has("Content-Length") && !USUALLY_WITHOUT_BODY.contains(method);
  }

  /** Returns this request with other fields. */
  public ReportedRequest with(Fields other) {
    return new ReportedRequest(method, scheme, host, target, other, body, certificate);
  }

  private static void require(boolean fits, String otherwise) throws ResponseStatusException {
    if (!fits) {
      throw ResponseStatusException.badRequest(otherwise);
    }
  }
}
