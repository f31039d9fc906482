package portcullis.policy.endpoint;

import java.util.Locale;
import java.util.Set;
import portcullis.http.message.Grammar;

/** Names and values of fields that a call may have. */
final class CallHeaders {
  /** What the client writes itself, as it says how a message is framed or a connection is used (RFC 9110, 7.6.1). */
  private static final Set<String> OURS = Set.of("connection", "content-length", "expect", "keep-alive",
      "proxy-connection",
      "te", "trailer", "transfer-encoding", "upgrade");

  private CallHeaders() {}

  /** Whether a field of that name belongs to the connection, and so is nobody else's to set. */
  static boolean isOurs(String name) {
    return OURS.contains(name.toLowerCase(Locale.ROOT));
  }

  /** The value as it is sent: in UTF-8, without blanks and line ends around it (RFC 9110, 5.5). */
  static String value(String text, String what) throws CallFailure {
    String wire = Grammar.wire(text.strip());
    if (!Grammar.isFieldValue(wire)) {
      throw new CallFailure.InvalidRequest("failed to render " + what + ": the value holds a control character");
    }
    return wire;
  }
}
