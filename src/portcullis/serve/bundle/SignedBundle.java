package portcullis.serve.bundle;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import portcullis.crypto.keys.Algorithm;
import portcullis.crypto.keys.Jca;
import portcullis.lang.value.JsonText;
import portcullis.lang.value.Value;

/**
 * A bundle with its signatures, in the envelope of DSSE (github.com/secure-systems-lab/dsse): the signatures are over
 * the type and the bytes of the content, so that these need no canonical form. The envelope itself has one, which is
 * the only one that is read: there is no byte of the file that can change unnoticed. The content is not parsed before
 * its signatures are verified. Immutable.
 */
public final class SignedBundle {
  private static final String TYPE = "application/vnd.portcullis.bundle.v1+json";
  private static final String BEGIN = "{\"payloadType\":\"" + TYPE + "\"";
  private static final int LARGEST = 32 << 20;
  private static final int MOST_SIGNATURES = 100;
  /** How much of the id of a key a message shows. */
  private static final int SHOWN_DIGITS = 16;
  private static final int SHOWN_KEYS = 4;
  private static final Pattern PAYLOAD = Pattern.compile(",\"payload\":\"([A-Za-z0-9+/=]*+)\",\"signatures\":\\[");
  private static final Pattern SIGNATURE = Pattern
      .compile(",?\\{\"keyid\":\"([0-9a-f]{64})\",\"sig\":\"([A-Za-z0-9+/=]{1,200}+)\"}");

  private final byte[] payload;
  private final List<Signature> signatures;

  /** @param key the id of the key: the SHA-256 of its public part */
  private record Signature(String key, byte[] value) {}

  private SignedBundle(byte[] payload, List<Signature> signatures) {
    this.payload = payload;
    this.signatures = List.copyOf(signatures);
  }

  /** Returns a bundle without signatures. */
  public static SignedBundle of(Bundle bundle) throws BundleException {
    return new SignedBundle(bundle.validated().bytes(), List.of());
  }

  /** Returns whether it is meant as a bundle, valid or not. */
  public static boolean isBundle(String text) {
    return text.startsWith(BEGIN);
  }

  /** @throws BundleException if it is not exactly what {@link #text} returns */
  public static SignedBundle parse(String text) throws BundleException {
    if (!isBundle(text)) {
      throw new BundleException("it is not a bundle, which `portcullis bundle sign` writes");
    }
    if (text.length() > LARGEST) {
      throw new BundleException("it is larger than " + LARGEST + " bytes");
    }
    Matcher content = PAYLOAD.matcher(text).region(BEGIN.length(), text.length());
    if (!content.lookingAt()) {
      throw damaged();
    }
    List<Signature> signatures = new ArrayList<>();
    Matcher next = SIGNATURE.matcher(text).region(content.end(), text.length());
    for (; next.lookingAt(); next.region(next.end(), text.length())) {
      if (signatures.size() == MOST_SIGNATURES) {
        throw new BundleException("it has more than " + MOST_SIGNATURES + " signatures");
      }
      signatures.add(new Signature(next.group(1), bytes(next.group(2))));
    }
    SignedBundle out = new SignedBundle(bytes(content.group(1)), signatures);
    if (!out.text().equals(text)) {
      throw damaged();
    }
    return out;
  }

  private static BundleException damaged() {
    return new BundleException("it is damaged: it is not as `portcullis bundle sign` writes it");
  }

  private static byte[] bytes(String base64) throws BundleException {
    try {
      return Base64.getDecoder().decode(base64);
    } catch (IllegalArgumentException _) {
      throw damaged();
    }
  }

  /** Returns it with one more signature, which replaces an older one of the same key. */
  public SignedBundle signedBy(PrivateKey privateKey, PublicKey publicKey) {
    List<Signature> out = new ArrayList<>(signatures);
    out.removeIf(signature -> signature.key().equals(id(publicKey)));
    out.add(new Signature(id(publicKey), Algorithm.EDDSA.sign(privateKey, signed())));
    return new SignedBundle(payload, out);
  }

  /** Returns what is signed, the pre-authentication encoding of DSSE. */
  private byte[] signed() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(("DSSEv1 " + TYPE.length() + " " + TYPE + " " + payload.length + " ")
        .getBytes(StandardCharsets.UTF_8));
    out.writeBytes(payload);
    return out.toByteArray();
  }

  /** Returns the content if so many of the keys have signed it, each counted once. */
  public Bundle verified(Collection<PublicKey> keys, int threshold) throws BundleException {
    Map<String, PublicKey> known = new HashMap<>();
    keys.forEach(key -> known.put(id(key), key));
    Set<String> valid = new HashSet<>();
    for (Signature signature : signatures) {
      if (known.containsKey(signature.key())) {
        if (!Algorithm.EDDSA.verify(known.get(signature.key()), signed(), signature.value())) {
          throw new BundleException(
              "the signature of key " + signature.key().substring(0, SHOWN_DIGITS) + " is invalid: the "
                  + "bundle was changed");
        }
        valid.add(signature.key());
      }
    }
    if (valid.size() < threshold) {
      String others = signatures.stream().map(Signature::key).filter(key -> !valid.contains(key))
          .map(key -> key.substring(0, SHOWN_DIGITS)).distinct().limit(SHOWN_KEYS)
          .collect(Collectors.joining(", "));
      throw new BundleException("too few signatures: " + valid.size() + " of the configured keys have signed it, "
          + threshold + " are required" + (others.isEmpty() ? "" : "; keys that are not configured: " + others));
    }
    return Bundle.parse(payload);
  }

  /** Returns the content without checking signatures. */
  public Bundle unverified() throws BundleException {
    return Bundle.parse(payload);
  }

  /** Returns the ids of the keys that claim to have signed it. */
  public List<String> keys() {
    return signatures.stream().map(Signature::key).toList();
  }

  /** Returns the SHA-256 of the content. */
  public String digest() {
    return HexFormat.of().formatHex(Jca.sha256().digest(payload));
  }

  /** Returns the id of a key: the SHA-256 of its encoding. */
  public static String id(PublicKey key) {
    return HexFormat.of().formatHex(Jca.sha256().digest(key.getEncoded()));
  }

  /** Returns the file. */
  public String text() {
    Base64.Encoder base64 = Base64.getEncoder();
    StringBuilder out = new StringBuilder(BEGIN).append(",\"payload\":\"").append(base64.encodeToString(payload))
        .append("\",\"signatures\":[");
    for (Signature signature : signatures) {
      out.append(out.charAt(out.length() - 1) == '[' ? "" : ",").append("{\"keyid\":")
          .append(JsonText.plain(Value.of(signature.key()))).append(",\"sig\":\"")
          .append(base64.encodeToString(signature.value())).append("\"}");
    }
    return out.append("]}\n").toString();
  }
}
