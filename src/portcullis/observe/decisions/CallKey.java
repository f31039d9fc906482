package portcullis.observe.decisions;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Locale;
import portcullis.crypto.keys.Jca;
import portcullis.http.message.Field;
import portcullis.http.message.Fields;

/**
 * Identifies calls of remote services that are the same: a hash of method, URL, header fields and body. Signatures are
 * not part of it, as they differ each time; what they sign is.
 */
public final class CallKey {
  private CallKey() {}

  /** Returns the key as hexadecimal digits. */
  public static String of(String method, String url, Fields fields, byte[] body) {
    MessageDigest digest = Jca.sha256();
    add(digest, method);
    add(digest, url);
    for (Field field : fields) {
      if (!field.is("Signature") && !field.is("Signature-Input")) {
        add(digest, field.name().toLowerCase(Locale.ROOT));
        add(digest, field.value());
      }
    }
    add(digest, "");
    digest.update(body);
    return HexFormat.of().formatHex(digest.digest());
  }

  /** Adds a string with its length, so that different lists of strings give different input. */
  private static void add(MessageDigest digest, String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    digest.update(new byte[] {(byte) (bytes.length >> 24), (byte) (bytes.length >> 16), (byte) (bytes.length >> 8),
      (byte) bytes.length});
    digest.update(bytes);
  }
}
