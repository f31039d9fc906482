package portcullis.lang.template;

/** OutputEscapes strings for HTML, JavaScript and queries, as Go does. */
final class OutputEscapes {
  private static final String HEX = "0123456789ABCDEF";

  private OutputEscapes() {}

  static String html(String text) {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&#34;");
        case '\'' -> out.append("&#39;");
        case 0 -> out.append('\ufffd');
        default -> out.append(c);
      }
    }
    return out.toString();
  }

  static String js(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints().forEach(c -> {
      switch (c) {
        case '\\', '\'', '"' -> out.append('\\').append((char) c);
        case '<', '>', '&', '=' -> out.append(String.format("\\u%04X", c));
        default -> out.append(c >= ' ' && (c < 128 || QuotedText.isPrintable(c)) ? Character.toString(c)
            : String.format("\\u%04X", c >= 0xD800 && c <= 0xDFFF ? 0xFFFD : c));
      }
    });
    return out.toString();
  }

  /** OutputEscapes a query value: a blank becomes a plus; letters, digits and {@code -_.~} stay. */
  static String query(String text) {
    StringBuilder out = new StringBuilder(text.length() + 16);
    for (byte b : Bytes.of(text)) {
      if (b == ' ') {
        out.append('+');
      } else if (isUnreserved(b)) {
        out.append((char) b);
      } else {
        percent(b, out);
      }
    }
    return out.toString();
  }

  static boolean isUnreserved(byte b) {
    return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '-' || b == '_' || b == '.'
        || b == '~';
  }

  static void percent(byte b, StringBuilder out) {
    out.append('%').append(HEX.charAt(b >> 4 & 15)).append(HEX.charAt(b & 15));
  }
}
