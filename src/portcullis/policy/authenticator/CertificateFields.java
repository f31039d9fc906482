package portcullis.policy.authenticator;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import portcullis.crypto.keys.CertificateChains;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.http.message.Fields;

/** Reads the header fields by which proxies forward the certificate of a client. */
final class CertificateFields {
  static final String ENVOY = "X-Forwarded-Client-Cert";
  static final String STANDARD = "Client-Cert";
  private static final String STANDARD_CHAIN = "Client-Cert-Chain";

  private CertificateFields() {}

  /**
   * Reads {@code X-Forwarded-Client-Cert}: elements divided by commas, each of pairs divided by semicolons; of Envoy's
   * pairs {@code Cert} and {@code Chain} are used. The last element counts, which is that of the nearest proxy.
   *
   * @return the chain; empty if there is no such field
   * @throws KeyMaterialException if no certificate can be read
   */
  static List<X509Certificate> envoy(Fields fields) throws KeyMaterialException {
    Optional<String> value = fields.joined(ENVOY);
    if (value.isEmpty() || value.get().isBlank()) {
      return List.of();
    }
    Map<String, String> pairs = lastElement(value.get());
    String pem = Optional.ofNullable(pairs.get("chain")).or(() -> Optional.ofNullable(pairs.get("cert")))
        .orElseThrow(() -> new KeyMaterialException(
            "`" + ENVOY + "` has neither `Cert` nor `Chain`, which the proxy has to be configured to send"));
    return CertificateChains.ofPem(percentDecoded(pem));
  }

  /** Returns the pairs of the last element, their names in lower case. */
  private static Map<String, String> lastElement(String value) throws KeyMaterialException {
    Map<String, String> pairs = new HashMap<>();
    StringBuilder pair = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (quoted && c == '\\' && i + 1 < value.length()) {
        pair.append(value.charAt(++i));
      } else if (quoted && c == '"') {
        quoted = false;
        i = end(value, i + 1) - 1;
      } else if (c == '"') {
        if (pair.isEmpty() || pair.charAt(pair.length() - 1) != '=' || pair.indexOf("=") < pair.length() - 1) {
          throw new KeyMaterialException("`" + ENVOY + "` has a quote within a value");
        }
        quoted = true;
      } else if (!quoted && (c == ';' || c == ',')) {
        add(pair, pairs);
        if (c == ',') {
          pairs.clear();
        }
      } else {
        pair.append(c);
      }
    }
    if (quoted) {
      throw new KeyMaterialException("a quote in `" + ENVOY + "` is not closed");
    }
    add(pair, pairs);
    return pairs;
  }

  /** Returns where the pair ends whose quoted value does; in between there is white space at most. */
  private static int end(String value, int from) throws KeyMaterialException {
    int at = from;
    while (at < value.length() && (value.charAt(at) == ' ' || value.charAt(at) == '\t')) {
      at++;
    }
    if (at < value.length() && value.charAt(at) != ';' && value.charAt(at) != ',') {
      throw new KeyMaterialException("`" + ENVOY + "` has a quote within a value");
    }
    return at;
  }

  private static void add(StringBuilder pair, Map<String, String> pairs) throws KeyMaterialException {
    String text = pair.toString().strip();
    pair.setLength(0);
    int equals = text.indexOf('=');
    if (equals < 0) {
      if (text.isEmpty()) {
        return;
      }
      throw new KeyMaterialException("`" + ENVOY + "` has something that is not a pair");
    }
    String name = text.substring(0, equals).toLowerCase(Locale.ROOT);
    boolean isCertificate = name.equals("cert") || name.equals("chain");
    if (pairs.put(name, text.substring(equals + 1)) != null && isCertificate) {
      throw new KeyMaterialException("`" + ENVOY + "` has two certificates in an element");
    }
  }

  /** Decodes percent encoding alone: a plus sign stands for itself. */
  static String percentDecoded(String text) throws KeyMaterialException {
    StringBuilder out = new StringBuilder(text.length());
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '%') {
        int high = i + 2 < text.length() ? Character.digit(text.charAt(i + 1), 16) : -1;
        int low = high < 0 ? -1 : Character.digit(text.charAt(i + 2), 16);
        if (low < 0) {
          throw new KeyMaterialException("the percent encoding of the certificate is broken");
        }
        c = (char) (high << 4 | low);
        i += 2;
      }
      out.append(c);
    }
    return out.toString();
  }

  /**
   * Reads {@code Client-Cert} and {@code Client-Cert-Chain} (RFC 9440, 2).
   *
   * @return the chain; empty if there is no such field
   * @throws KeyMaterialException if they cannot be read
   */
  static List<X509Certificate> standard(Fields fields) throws KeyMaterialException {
    List<String> own = fields.all(STANDARD);
    if (own.isEmpty()) {
      return List.of();
    }
    if (own.size() > 1) {
      throw new KeyMaterialException("`" + STANDARD + "` is there twice");
    }
    List<byte[]> chain = new ArrayList<>();
    chain.add(bytes(own.getFirst(), STANDARD));
    Optional<String> more = fields.joined(STANDARD_CHAIN).filter(text -> !text.isBlank());
    for (String item : more.map(text -> text.split(",", CertificateChains.LONGEST + 1)).orElse(new String[0])) {
      chain.add(bytes(item, STANDARD_CHAIN));
    }
    return CertificateChains.ofDer(chain);
  }

  /** Decodes a byte sequence of a structured field (RFC 8941, 3.3.5) without parameters. */
  private static byte[] bytes(String item, String field) throws KeyMaterialException {
    String text = item.strip();
    try {
      if (text.length() > 2 && text.startsWith(":") && text.endsWith(":")) {
        return Base64.getDecoder().decode(text.substring(1, text.length() - 1).getBytes(StandardCharsets.ISO_8859_1));
      }
    } catch (IllegalArgumentException _) {
      // reported below
    }
    throw new KeyMaterialException("`" + field + "` is not a byte sequence in base64 between colons (RFC 9440, 2.1)");
  }
}
