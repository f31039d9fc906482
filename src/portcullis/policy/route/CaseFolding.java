package portcullis.policy.route;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import portcullis.http.message.Escapes;
import portcullis.http.message.RequestPath;

/** Makes strings that differ in letter case only one, in escapes of UTF-8 too. */
final class CaseFolding {
  private static final int ESCAPE = 3;

  private CaseFolding() {}

  /** Works on paths in their one spelling, on parts of them and on patterns. */
  static String folded(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length();) {
      if (isBeyondAscii(text, i)) {
        int end = i;
        while (isBeyondAscii(text, end)) {
          end += ESCAPE;
        }
        foldEscapes(text.substring(i, end), out);
        i = end;
      } else if (Escapes.isEscape(text, i)) {
        out.append(text, i, i + ESCAPE);
        i += ESCAPE;
      } else {
        int c = text.codePointAt(i);
        out.appendCodePoint(Character.toLowerCase(Character.toUpperCase(c)));
        i += Character.charCount(c);
      }
    }
    return out.toString();
  }

  private static boolean isBeyondAscii(String text, int at) {
    return at < text.length() && Escapes.isEscape(text, at) && HexFormat.fromHexDigit(text.charAt(at + 1)) >= 8;
  }

  /** Folds escaped characters; escapes of octets that are not UTF-8, which have no case, are kept. */
  private static void foldEscapes(String escapes, StringBuilder out) {
    ByteArrayOutputStream octets = new ByteArrayOutputStream(escapes.length());
    for (int i = 0; i < escapes.length(); i += ESCAPE) {
      octets.write(HexFormat.fromHexDigits(escapes, i + 1, i + ESCAPE));
    }
    String decoded = octets.toString(StandardCharsets.UTF_8);
    out.append(decoded.indexOf('\ufffd') >= 0 ? escapes : RequestPath.normalized(folded(decoded)));
  }
}
