package portcullis.lang.template;

import java.io.ByteArrayOutputStream;
import portcullis.lang.value.ValueException;

/** A part of a URL, with the characters that it may hold unescaped. */
enum UrlPart {
  PATH("$&+,/:;=@"), HOST("!$&'()*+,;=:[]<>\""), USER("$&+,;="), FRAGMENT("$&+,/:;=?@!()*");

  private final String plain;

  UrlPart(String plain) {
    this.plain = plain;
  }

  private boolean stays(byte b) {
    return OutputEscapes.isUnreserved(b) || b > 0 && plain.indexOf(b) >= 0;
  }

  String escaped(String text) {
    StringBuilder out = new StringBuilder();
    for (byte b : Bytes.of(text)) {
      if (stays(b)) {
        out.append((char) b);
      } else {
        OutputEscapes.percent(b, out);
      }
    }
    return out.toString();
  }

  String unescaped(String text) throws ValueException {
    byte[] bytes = Bytes.of(text);
    ByteArrayOutputStream out = new ByteArrayOutputStream(bytes.length);
    for (int i = 0; i < bytes.length; i++) {
      if (bytes[i] == '%') {
        out.write(escape(bytes, i));
        i += 2;
      } else {
        checkHost(bytes[i]);
        out.write(bytes[i]);
      }
    }
    return Bytes.text(out.toByteArray());
  }

  /** Returns whether the string is a valid escaped path. */
  static boolean isEscapedPath(String text) {
    return text.chars()
        .allMatch(c -> c < 128 && (OutputEscapes.isUnreserved((byte) c) || "!$&'()*+,;=:@[]/%".indexOf(c) >= 0));
  }

  /** Returns whether an escape is valid: in a host only for bytes beyond ASCII and the percent sign of a zone. */
  private int escape(byte[] bytes, int at) throws ValueException {
    int high = at + 2 < bytes.length ? Character.digit(bytes[at + 1], 16) : -1;
    int low = at + 2 < bytes.length ? Character.digit(bytes[at + 2], 16) : -1;
    boolean percent = high == 2 && low == 5;
    if (high < 0 || low < 0 || this == HOST && high < 8 && !percent) {
      throw new ValueException("the URL has an invalid percent escape");
    }
    return high << 4 | low;
  }

  private void checkHost(byte b) throws ValueException {
    if (this == HOST && b >= 0 && !stays(b)) {
      throw new ValueException("the URL has an invalid character in its host");
    }
  }
}
