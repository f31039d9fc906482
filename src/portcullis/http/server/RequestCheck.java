package portcullis.http.server;

import java.util.List;
import java.util.Optional;
import portcullis.http.message.Authority;
import portcullis.http.message.Field;
import portcullis.http.message.GrpcCall;
import portcullis.http.message.ResponseStatusException;
import portcullis.http.message.Target;
import portcullis.http.wire.Framing;
import portcullis.http.wire.MalformedMessageException;
import portcullis.http.wire.RequestHead;

/**
 * The result of checking a request's head for what concerns the connection, before a handler sees it (RFC 9112, 3.2, 6
 * and 9). Handlers rely on it and do not check again.
 *
 * @param host empty if it is absent (HTTP/1.0) or invalid (gRPC calls only)
 * @param framing of the request's body
 * @param keep whether the client wants the connection to be kept
 * @param awaitsContinue whether it sends its body only after 100 (RFC 9110, 10.1.1)
 */
record RequestCheck(Target target, Optional<Authority> host, Framing framing, boolean keep, boolean awaitsContinue) {
  /** @throws MalformedMessageException if the head is ambiguous or asks for what this server does not offer */
  static RequestCheck of(RequestHead head, long maxBodyBytes) throws MalformedMessageException {
    Framing framing = Framing.of(head);
    if (head.method().equals("CONNECT")) {
      throw new MalformedMessageException(405, "CONNECT is not served");
    }
    Optional<Authority> host = host(head);
    Target target = target(head, host);
    if (framing instanceof Framing.Length(long bytes) && bytes > maxBodyBytes) {
      throw new MalformedMessageException(413, "a body longer than allowed");
    }
    boolean awaits = false;
    Optional<Boolean> keep = Optional.empty();
    for (Field line : head.fields().lines()) {
      if (line.is("Expect")) {
        awaits |= checkExpectation(head, line);
      } else if (line.is("Connection")) {
        keep = options(line.value(), keep);
      }
    }
    return new RequestCheck(target, host, framing, keep.orElse(head.minor() == 1),
        awaits && !framing.equals(Framing.NONE));
  }

  /** Returns the check of a request with the same fields and a target of its own. */
  RequestCheck withTarget(RequestHead head) throws MalformedMessageException {
    return new RequestCheck(target(head, host), host, framing, keep, awaitsContinue);
  }

  /**
   * Reads {@code Host = uri-host [ ":" port ]}, exactly one unless the version is HTTP/1.0 (RFC 9112, 3.2). An invalid
   * one of a gRPC call is left to the handler, as proxies use the names of their clusters there.
   */
  private static Optional<Authority> host(RequestHead head) throws MalformedMessageException {
    String host = null;
    for (Field line : head.fields().lines()) {
      if (line.is("Host")) {
        if (host != null) {
          throw new MalformedMessageException(400, "there is more than one Host");
        }
        host = line.value();
      }
    }
    if (host == null && head.minor() == 0) {
      return Optional.empty();
    }
    Optional<Authority> out = host == null ? Optional.empty() : Authority.parse(host);
    if (out.isEmpty() && (host == null || !GrpcCall.is(head.fields()))) {
      throw new MalformedMessageException(400, "there is no valid Host");
    }
    return out;
  }

  private static Target target(RequestHead head, Optional<Authority> host) throws MalformedMessageException {
    try {
      return Target.read(head.target(), head.method(), host);
    } catch (ResponseStatusException e) {
      throw new MalformedMessageException(e.status(), e.getMessage());
    }
  }

  private static boolean checkExpectation(RequestHead head, Field line) throws MalformedMessageException {
    if (head.minor() == 1 && !line.value().equalsIgnoreCase("100-continue")) {
      throw new MalformedMessageException(417, "an expectation other than 100-continue");
    }
    return head.minor() == 1;
  }

  /** {@code Connection = #connection-option} (RFC 9110, 7.6.1): {@code close} outweighs {@code keep-alive}. */
  private static Optional<Boolean> options(String value, Optional<Boolean> before) {
    if (value.equalsIgnoreCase("keep-alive")) {
      return before.isPresent() ? before : Optional.of(true);
    }
    Optional<Boolean> out = before;
    for (String option : List.of(value.split(","))) {
      String name = option.strip();
      if (name.equalsIgnoreCase("close")) {
        out = Optional.of(false);
      } else if (name.equalsIgnoreCase("keep-alive") && out.isEmpty()) {
        out = Optional.of(true);
      }
    }
    return out;
  }
}
