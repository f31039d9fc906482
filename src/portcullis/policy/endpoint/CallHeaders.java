package portcullis.policy.endpoint;

import java.util.Locale;
import java.util.Set;
import portcullis.http.message.ConnectionFields;
import portcullis.http.message.Grammar;

/** Checks names and values of header fields of calls. */
final class CallHeaders {
  /** Fields that the HTTP client writes itself, beside those of the connection (RFC 9110, 7.6.1). */
  private static final Set<String> FRAMING = Set.of("content-length", "expect", "te", "trailer");

  private CallHeaders() {}

  /** Returns whether a field with this name belongs to the connection, so that only the HTTP client may set it. */
  static boolean isOurs(String name) {
    return ConnectionFields.isConnectionSpecific(name) || FRAMING.contains(name.toLowerCase(Locale.ROOT));
  }

  /** Returns the value as it is sent: in UTF-8, without surrounding blanks and line ends (RFC 9110, 5.5). */
  static String value(String text, String what) throws CallFailure {
    String wire = Grammar.wire(text.strip());
    if (!Grammar.isFieldValue(wire)) {
      throw new CallFailure.InvalidRequest("failed to render " + what + ": the value holds a control character");
    }
    return wire;
  }
}
