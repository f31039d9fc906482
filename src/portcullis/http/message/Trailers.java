package portcullis.http.message;

import java.util.List;

/**
 * Selects the lines of a trailer section that are forwarded; they are never treated as header lines (RFC 9110, 6.5).
 */
public final class Trailers {
  /** Fields that frame, route, authenticate or change how a message is read (RFC 9110, 6.5.1). */
  private static final NameSet NEVER = NameSet.of(List.of("Host", "Authorization", "Proxy", "Proxy-Authorization",
      "Proxy-Authenticate", "Content-Length", "Transfer-Encoding", "WWW-Authenticate", "Cookie", "Set-Cookie",
      "Content-Encoding", "Content-Type", "Content-Range", "Expect",
      "Cache-Control", "Max-Forwards", "Pragma", "Range", "Age", "Expires", "Location", "Retry-After", "Vary"));

  private Trailers() {}

  /** @param ours names that only we may say */
  public static Fields passedOn(Fields trailers, NameSet ours) {
    return trailers
        .without(line -> NEVER.has(line.name()) || ours.has(line.name()) || ConnectionFields.endsHere(line.name())
            || ForwardedFamily.has(line.name()));
  }
}
