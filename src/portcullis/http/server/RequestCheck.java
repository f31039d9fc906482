package portcullis.http.server;

import java.util.List;
import java.util.Optional;
import portcullis.http.message.Authority;
import portcullis.http.message.Field;
import portcullis.http.message.GrpcCall;
import portcullis.http.message.Refusal;
import portcullis.http.message.Target;
import portcullis.http.wire.Framing;
import portcullis.http.wire.Malformed;
import portcullis.http.wire.RequestHead;

/**
 * What the server makes of a request's head before a handler sees it (RFC 9112, 3.2, 6 and 9).
 *
 * @param framing of its body
 * @param keep whether the client wants the connection to go on
 * @param awaitsContinue whether it sends its body only after 100 (RFC 9110, 10.1.1)
 */
record RequestCheck(Framing framing, boolean keep, boolean awaitsContinue) {
  /** Refuses what is ambiguous, not for us or not known. */
  static RequestCheck of(RequestHead head, long maxBodyBytes) throws Malformed {
    Framing framing = Framing.of(head);
    if (head.method().equals("CONNECT")) {
      throw new Malformed(405, "this is no forward proxy");
    }
    checkTarget(head, host(head));
    if (framing instanceof Framing.Length(long bytes) && bytes > maxBodyBytes) {
      throw new Malformed(413, "a body longer than allowed");
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
    return new RequestCheck(framing, keep.orElse(head.minor() == 1), awaits && !framing.equals(Framing.NONE));
  }

  /**
   * {@code Host = uri-host [ ":" port ]}, once; HTTP/1.0 need not have one (RFC 9112, 3.2). Of a call of gRPC another
   * one is left to the handler, as proxies call by the names of their clusters.
   */
  private static Optional<Authority> host(RequestHead head) throws Malformed {
    String host = null;
    for (Field line : head.fields().lines()) {
      if (line.is("Host")) {
        if (host != null) {
          throw new Malformed(400, "more than one host");
        }
        host = line.value();
      }
    }
    if (host == null && head.minor() == 0) {
      return Optional.empty();
    }
    Optional<Authority> out = host == null ? Optional.empty() : Authority.parse(host);
    if (out.isEmpty() && (host == null || !GrpcCall.is(head.fields()))) {
      throw new Malformed(400, "no host, or none that is valid");
    }
    return out;
  }

  /**
   * {@code request-target = origin-form / absolute-form / asterisk-form} (RFC 9112, 3.2); no authority-form, as no
   * CONNECT.
   */
  private static void checkTarget(RequestHead head, Optional<Authority> host) throws Malformed {
    boolean server = head.target().equals("*") && head.method().equals("OPTIONS");
    if (server || head.target().charAt(0) == '/') {
      return;
    }
    try {
      Target.read(head.target(), head.method(), host.orElseThrow(() -> new Refusal(400, "a URL without a host")));
    } catch (Refusal e) {
      throw new Malformed(e.status(), e.getMessage());
    }
  }

  private static boolean checkExpectation(RequestHead head, Field line) throws Malformed {
    if (head.minor() == 1 && !line.value().equalsIgnoreCase("100-continue")) {
      throw new Malformed(417, "an expectation other than 100-continue");
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
