package portcullis.crypto.keys;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECKey;
import java.security.interfaces.EdECKey;
import java.security.interfaces.RSAKey;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.security.spec.PSSParameterSpec;
import java.util.Arrays;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * The signature algorithms of RFC 7518, 3.1 and RFC 8037, 3.1; {@code none} is not among them. Signs and verifies with
 * the JDK's own providers, which know the raw form of ECDSA signatures that JOSE uses. Safe for all threads.
 */
public enum Algorithm {
  ES256("ES256", 256, Curve.P_256),
  ES384("ES384", 384, Curve.P_384),
  ES512("ES512", 512, Curve.P_521),
  EDDSA("EdDSA", Kind.EDDSA, 0),
  PS256("PS256", Kind.RSA_PSS, 256),
  PS384("PS384", Kind.RSA_PSS, 384),
  PS512("PS512", Kind.RSA_PSS, 512),
  RS256("RS256", Kind.RSA, 256),
  RS384("RS384", Kind.RSA, 384),
  RS512("RS512", Kind.RSA, 512),
  HS256("HS256", Kind.HMAC, 256),
  HS384("HS384", Kind.HMAC, 384),
  HS512("HS512", Kind.HMAC, 512);

  /** RSA keys of other sizes are neither used nor trusted (RFC 7518, 3.3 for the lower bound). */
  static final int SHORTEST_RSA_BITS = 2048;
  static final int LONGEST_RSA_BITS = 8192;

  private final String text;
  private final Kind kind;
  private final int hashBits;
  private final Optional<Curve> curve;

  private enum Kind {
    ECDSA, EDDSA, RSA_PSS, RSA, HMAC
  }

  Algorithm(String text, Kind kind, int hashBits) {
    this.text = text;
    this.kind = kind;
    this.hashBits = hashBits;
    this.curve = Optional.empty();
  }

  Algorithm(String text, int hashBits, Curve curve) {
    this.text = text;
    this.kind = Kind.ECDSA;
    this.hashBits = hashBits;
    this.curve = Optional.of(curve);
  }

  /** Returns the algorithm of exactly that spelling. */
  public static Optional<Algorithm> named(String text) {
    return Arrays.stream(values()).filter(algorithm -> algorithm.text.equals(text)).findFirst();
  }

  /** Returns the default algorithm of a key: for RSA keys PS, by their size. */
  public static Algorithm of(PublicKey key) throws KeyMaterialException {
    return switch (key) {
      case RSAKey rsa -> ofRsa(rsa.getModulus().bitLength());
      case ECKey ec -> Arrays.stream(values()).filter(a -> a.curve.isPresent() && a.fits(key)).findFirst()
          .orElseThrow(() -> new KeyMaterialException("its curve is not one of P-256, P-384, P-521"));
      case EdECKey ed when EDDSA.fits(key) -> EDDSA;
      default -> throw new KeyMaterialException("its kind is not one of RSA, EC, Ed25519");
    };
  }

  private static Algorithm ofRsa(int bits) throws KeyMaterialException {
    if (bits < SHORTEST_RSA_BITS || bits > LONGEST_RSA_BITS) {
      throw new KeyMaterialException(
          "the RSA key has " + bits + " bits, allowed are " + SHORTEST_RSA_BITS + " to " + LONGEST_RSA_BITS);
    }
    return bits >= 4096 ? PS512 : bits >= 3072 ? PS384 : PS256;
  }

  /** Returns the name in tokens and keys: {@code ES256}, {@code EdDSA}. */
  public String text() {
    return text;
  }

  /** Returns whether the key that verifies can also sign. */
  public boolean isSymmetric() {
    return kind == Kind.HMAC;
  }

  /** Returns whether the key, private, public or secret, has the kind, curve and size that the algorithm requires. */
  public boolean fits(Key key) {
    return switch (kind) {
      case ECDSA -> key instanceof ECKey ec && Curve.of(ec).equals(curve);
      case EDDSA -> key instanceof EdECKey ed && ed.getParams().getName().equals(NamedParameterSpec.ED25519.getName());
      case RSA, RSA_PSS -> key instanceof RSAKey rsa && rsa.getModulus().bitLength() >= SHORTEST_RSA_BITS
          && rsa.getModulus().bitLength() <= LONGEST_RSA_BITS;
      case HMAC -> key instanceof SecretKey secret && secret.getEncoded().length >= hashBits / 8;
    };
  }

  /** Returns the signature in the form of RFC 7518, 3. The key fits. */
  public byte[] sign(Key key, byte[] content) {
    requireFit(key);
    try {
      return kind == Kind.HMAC ? mac(key, content) : signature((PrivateKey) key, content);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(text + " cannot sign", e);
    }
  }

  private byte[] signature(PrivateKey key, byte[] content) throws GeneralSecurityException {
    return SignatureThreads.compute(isBrief(), () -> {
      Signature signature = signature();
      signature.initSign(key);
      signature.update(content);
      return signature.sign();
    });
  }

  /**
   * Returns whether it is the key's signature of the content; false for invalid signatures, and for a key that does not
   * fit. Length and range are checked here before the provider sees the signature (CVE-2022-21449).
   */
  public boolean verify(Key key, byte[] content, byte[] signature) {
    if (!fits(key) || !isPlausible(key, signature)) {
      return false;
    }
    try {
      return kind == Kind.HMAC ? MessageDigest.isEqual(mac(key, content), signature)
          : key instanceof PublicKey publicKey && isSignature(publicKey, content, signature);
    } catch (GeneralSecurityException _) {
      return false;
    }
  }

  private boolean isPlausible(Key key, byte[] signature) {
    return switch (kind) {
      case ECDSA -> curve.filter(c -> c.isPlausible(signature)).isPresent();
      case EDDSA -> signature.length == 64;
      case RSA, RSA_PSS -> key instanceof RSAKey rsa && signature.length == (rsa.getModulus().bitLength() + 7) / 8;
      case HMAC -> signature.length == hashBits / 8;
    };
  }

  private boolean isSignature(PublicKey key, byte[] content, byte[] bytes) throws GeneralSecurityException {
    return SignatureThreads.compute(isBrief() || isShort(key), () -> {
      Signature signature = signature();
      signature.initVerify(key);
      signature.update(content);
      return signature.verify(bytes);
    });
  }

  /** Whether to sign and to verify take less than 0.1 ms with the native provider. With RSA only the latter does. */
  private boolean isBrief() {
    return kind == Kind.EDDSA || curve.equals(Optional.of(Curve.P_256));
  }

  private static boolean isShort(PublicKey key) {
    return key instanceof RSAKey rsa && rsa.getModulus().bitLength() <= 4096;
  }

  private byte[] mac(Key key, byte[] content) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA" + hashBits);
    mac.init(key);
    return mac.doFinal(content);
  }

  private Signature signature() throws GeneralSecurityException {
    return switch (kind) {
      case ECDSA -> Signature.getInstance("SHA" + hashBits + "withECDSAinP1363Format");
      case EDDSA -> Signature.getInstance("Ed25519");
      case RSA_PSS -> pss();
      default -> Signature.getInstance("SHA" + hashBits + "withRSA");
    };
  }

  /** The salt is as long as the hash (RFC 7518, 3.5). */
  private Signature pss() throws GeneralSecurityException {
    String hash = "SHA-" + hashBits;
    Signature signature = Signature.getInstance("RSASSA-PSS");
    signature.setParameter(new PSSParameterSpec(hash, "MGF1", new MGF1ParameterSpec(hash), hashBits / 8,
        PSSParameterSpec.TRAILER_FIELD_BC));
    return signature;
  }

  private void requireFit(Key key) {
    if (!fits(key)) {
      throw new IllegalArgumentException("a key of another kind than " + text + " requires");
    }
  }
}
