package portcullis.lang.template;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import portcullis.lang.value.ValueException;

/** sprig's functions for base64 and base32; for invalid data they return the error message. */
final class EncodingFunctions {
  private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  private static final int GROUP = 8;

  static final Map<String, Function> ALL = new FunctionSet()
      .with("b64enc", a -> Item.of(base64(a.bytes(0))), Param.TEXT)
      .with("b64dec", a -> Item.of(Base64Text.decoded(a.bytes(0), Bytes::text)), Param.TEXT)
      .with("b32enc", a -> Item.of(base32(a.bytes(0))), Param.TEXT)
      .with("b32dec", a -> Item.of(fromBase32(a.text(0).replace("\r", "").replace("\n", ""))), Param.TEXT)
      .functions();

  private EncodingFunctions() {}

  static String base64(byte[] bytes) {
    return new String(Base64.getEncoder().encode(bytes), StandardCharsets.ISO_8859_1);
  }

  private static String base32(byte[] bytes) {
    StringBuilder out = new StringBuilder();
    int held = 0;
    int bits = 0;
    for (byte b : bytes) {
      held = held << 8 | b & 0xFF;
      for (bits += 8; bits >= 5; bits -= 5) {
        out.append(ALPHABET.charAt(held >> bits - 5 & 31));
      }
    }
    if (bits > 0) {
      out.append(ALPHABET.charAt(held << 5 - bits & 31));
    }
    return out.append("=".repeat((GROUP - out.length() % GROUP) % GROUP)).toString();
  }

  private static String fromBase32(String text) {
    int end = text.length();
    int padding = text.indexOf('=') < 0 ? end : text.indexOf('=');
    for (int i = 0; i < padding; i++) {
      if (ALPHABET.indexOf(text.charAt(i)) < 0) {
        return error(i);
      }
    }
    int last = padding % GROUP;
    boolean padded = padding < end;
    if (!padded) {
      return last == 0 ? Bytes.text(bytesOfBase32(text)) : error(end - last);
    }
    return paddedBase32(text, padding, last, end);
  }

  private static String paddedBase32(String text, int padding, int last, int end) {
    if (last < 2) {
      return error(padding);
    }
    if (end - padding < GROUP - last) {
      return error(end);
    }
    for (int i = padding + 1; i < padding + GROUP - last; i++) {
      if (text.charAt(i) != '=') {
        return error(i - 1);
      }
    }
    return last == 3 || last == 6 || end - padding > GROUP - last ? error(padding)
        : Bytes.text(bytesOfBase32(text.substring(0, padding)));
  }

  private static byte[] bytesOfBase32(String digits) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int held = 0;
    int bits = 0;
    for (int i = 0; i < digits.length(); i++) {
      held = held << 5 | ALPHABET.indexOf(digits.charAt(i));
      bits += 5;
      if (bits >= 8) {
        bits -= 8;
        out.write(held >> bits);
      }
    }
    return out.toByteArray();
  }

  private static String error(int index) {
    return "illegal base32 data at input byte " + index;
  }

  /** Decodes base64. */
  static byte[] bytesOfBase64(byte[] text) throws ValueException {
    int error = Base64Text.faultAt(text);
    if (error >= 0) {
      throw new ValueException("illegal base64 data at input byte " + error);
    }
    return Base64.getMimeDecoder().decode(text);
  }
}
