package portcullis.crypto.keys;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.MACVerifier;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.util.Base64URL;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;
import java.security.spec.NamedParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import portcullis.fixture.TestKeys;

class AlgorithmTest {
  private static final byte[] CONTENT = "what is signed".getBytes();
  private static final KeyPair RSA = TestKeys.rsa();
  private static final KeyPair EC256 = TestKeys.ec(256);
  private static final KeyPair EC384 = TestKeys.ec(384);
  private static final KeyPair EC521 = TestKeys.ec(521);
  private static final KeyPair ED = TestKeys.ed25519();
  private static final Key SECRET = new SecretKeySpec(new byte[64], "HMAC");

  private record Keys(Key signing, Key verifying) {
    Keys(KeyPair pair) {
      this(pair.getPrivate(), pair.getPublic());
    }
  }

  private static Keys keys(Algorithm algorithm) {
    return switch (algorithm) {
      case ES256 -> new Keys(EC256);
      case ES384 -> new Keys(EC384);
      case ES512 -> new Keys(EC521);
      case EDDSA -> new Keys(ED);
      case PS256, PS384, PS512, RS256, RS384, RS512 -> new Keys(RSA);
      case HS256, HS384, HS512 -> new Keys(SECRET, SECRET);
    };
  }

  @ParameterizedTest
  @EnumSource
  void verifiesItsOwnSignatureAndNoOther(Algorithm algorithm) {
    Keys keys = keys(algorithm);
    byte[] signature = algorithm.sign(keys.signing(), CONTENT);
    assertTrue(algorithm.verify(keys.verifying(), CONTENT, signature));
    assertFalse(algorithm.verify(keys.verifying(), "another content".getBytes(), signature));
    for (int i = 0; i < signature.length; i += 7) {
      byte[] bent = signature.clone();
      bent[i] ^= 1;
      assertFalse(algorithm.verify(keys.verifying(), CONTENT, bent));
    }
    for (int length : new int[] {0, 1, signature.length - 1, signature.length + 1}) {
      assertFalse(algorithm.verify(keys.verifying(), CONTENT, Arrays.copyOf(signature, length)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void keysOfAnotherKindVerifyNothing(Algorithm algorithm) {
    byte[] signature = algorithm.sign(keys(algorithm).signing(), CONTENT);
    for (Key other : List.of(RSA.getPublic(), EC256.getPublic(), EC384.getPublic(), EC521.getPublic(), ED.getPublic(),
        SECRET,
        new SecretKeySpec(RSA.getPublic().getEncoded(), "HMAC"))) {
      if (!algorithm.fits(other)) {
        assertFalse(algorithm.verify(other, CONTENT, signature));
        assertThrows(IllegalArgumentException.class, () -> algorithm.sign(other, CONTENT));
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void agreesWithNimbus(Algorithm algorithm) throws Exception {
    if (algorithm == Algorithm.EDDSA) { // Nimbus leaves it to a library that is not there; RFC 8037 has vectors for it
      return;
    }
    Keys keys = keys(algorithm);
    JWSHeader header = new JWSHeader(JWSAlgorithm.parse(algorithm.text()));
    byte[] ours = algorithm.sign(keys.signing(), CONTENT);
    assertTrue(verifier(keys.verifying()).verify(header, CONTENT, Base64URL.encode(ours)));
    assertTrue(algorithm.verify(keys.verifying(), CONTENT, signer(keys.signing()).sign(header, CONTENT).decode()));
  }

  private static JWSVerifier verifier(Key key) throws Exception {
    return switch (key) {
      case RSAPublicKey rsa -> new RSASSAVerifier(rsa);
      case ECPublicKey ec -> new ECDSAVerifier(ec);
      default -> new MACVerifier(key.getEncoded());
    };
  }

  private static JWSSigner signer(Key key) throws Exception {
    return switch (key) {
      case ECPrivateKey ec -> new ECDSASigner(ec);
      case PrivateKey rsa -> new RSASSASigner(rsa);
      default -> new MACSigner(key.getEncoded());
    };
  }

  @ParameterizedTest
  @CsvSource({"ES256, 256", "ES384, 384", "ES512, 521"})
  void rejectsForgedEcdsaSignatures(Algorithm algorithm, int bits) throws Exception {
    KeyPair keys = TestKeys.ec(bits);
    BigInteger order = ((ECPublicKey) keys.getPublic()).getParams().getOrder();
    int size = (bits + 7) / 8;
    byte[] right = algorithm.sign(keys.getPrivate(), CONTENT);
    BigInteger r = new BigInteger(1, right, 0, size);
    BigInteger s = new BigInteger(1, right, size, size);
    assertTrue(algorithm.verify(keys.getPublic(), CONTENT, raw(size, r, s)));
    BigInteger zero = BigInteger.ZERO;
    BigInteger one = BigInteger.ONE;
    BigInteger highest = one.shiftLeft(8 * size).subtract(one);
    for (BigInteger[] forged : new BigInteger[][] {{zero, zero}, {zero, s}, {r, zero}, {order, s}, {r, order},
      {order, order},
      {one, order}, {one, one}, {highest, highest}, {s, r}, {order.subtract(one), order.subtract(one)}}) {
      assertFalse(algorithm.verify(keys.getPublic(), CONTENT, raw(size, forged[0], forged[1])));
    }
    assertFalse(algorithm.verify(keys.getPublic(), CONTENT, raw(size + 1, r, s)));
    Signature der = Signature.getInstance("SHA" + algorithm.text().substring(2) + "withECDSA");
    der.initSign(keys.getPrivate());
    der.update(CONTENT);
    assertFalse(algorithm.verify(keys.getPublic(), CONTENT, der.sign()));
  }

  private static byte[] raw(int size, BigInteger r, BigInteger s) {
    byte[] out = new byte[2 * size];
    for (int i = 0; i < size; i++) {
      out[size - 1 - i] = r.shiftRight(8 * i).byteValue();
      out[2 * size - 1 - i] = s.shiftRight(8 * i).byteValue();
    }
    return out;
  }

  /** Not that today's JDK would be fooled; it is not even asked. */
  @Test
  void rejectsImplausibleSignaturesBeforeTheProvider() {
    BigInteger order = Curve.P_256.parameters().getOrder();
    BigInteger one = BigInteger.ONE;
    for (byte[] signature : List.of(new byte[64], new byte[0], raw(32, one, order), raw(32, order, one),
        raw(31, one, one),
        raw(33, one, one), new byte[10_000])) {
      Watched key = new Watched((ECPublicKey) EC256.getPublic());
      assertFalse(Algorithm.ES256.verify(key, CONTENT, signature));
      assertFalse(key.receivedCalls);
    }
    Watched key = new Watched((ECPublicKey) EC256.getPublic());
    assertFalse(Algorithm.ES256.verify(key, CONTENT, raw(32, one, order.subtract(one))));
    assertTrue(key.receivedCalls);
  }

  /** A key that knows whether somebody asked for more than its curve. */
  private static final class Watched implements ECPublicKey {
    private static final long serialVersionUID = 1;

    private final transient ECPublicKey key;
    private transient boolean receivedCalls;

    Watched(ECPublicKey key) {
      this.key = key;
    }

    @Override
    public ECPoint getW() {
      receivedCalls = true;
      return key.getW();
    }

    @Override
    public byte[] getEncoded() {
      receivedCalls = true;
      return key.getEncoded();
    }

    @Override
    public String getAlgorithm() {
      return key.getAlgorithm();
    }

    @Override
    public String getFormat() {
      return key.getFormat();
    }

    @Override
    public ECParameterSpec getParams() {
      return key.getParams();
    }
  }

  @ParameterizedTest
  @CsvSource({"2048, PS256", "2049, PS256", "3071, PS256", "3072, PS384", "4095, PS384", "4096, PS512", "8192, PS512"})
  void theSizeOfAnRsaKeyDecidesItsAlgorithm(int bits, Algorithm expected) throws Exception {
    assertEquals(expected, Algorithm.of(rsa(bits)));
  }

  @ParameterizedTest
  @CsvSource({"512", "1024", "2047", "8193", "16384"})
  void refusesRsaKeysOfOtherSizes(int bits) throws Exception {
    PublicKey key = rsa(bits);
    assertEquals("the RSA key has " + bits + " bits, allowed are 2048 to 8192",
        assertThrows(KeyMaterialException.class, () -> Algorithm.of(key)).getMessage());
    assertFalse(Algorithm.RS256.fits(key));
  }

  private static PublicKey rsa(int bits) throws Exception {
    BigInteger modulus = BigInteger.ONE.shiftLeft(bits - 1).setBit(0);
    return KeyFactory.getInstance("RSA").generatePublic(new RSAPublicKeySpec(modulus, BigInteger.valueOf(65537)));
  }

  @Test
  void theCurveDecidesTheAlgorithm() throws KeyMaterialException {
    assertEquals(List.of(Algorithm.ES256, Algorithm.ES384, Algorithm.ES512, Algorithm.EDDSA), List.of(
        Algorithm.of(EC256.getPublic()), Algorithm.of(EC384.getPublic()), Algorithm.of(EC521.getPublic()),
        Algorithm.of(ED.getPublic())));
  }

  @Test
  void rejectsAlgorithmNoneInAnySpelling() {
    for (String text : List.of("none", "None", "NONE", "nOnE", "", "es256", "ES256 ", "ES256K", "EDDSA", "HS1")) {
      assertEquals(Optional.empty(), Algorithm.named(text), text);
    }
    for (Algorithm algorithm : Algorithm.values()) {
      assertEquals(Optional.of(algorithm), Algorithm.named(algorithm.text()));
    }
  }

  @Test
  void secretsShorterThanTheirHashFitNothing() {
    assertFalse(Algorithm.HS256.fits(new SecretKeySpec(new byte[31], "HMAC")));
    assertTrue(Algorithm.HS256.fits(new SecretKeySpec(new byte[32], "HMAC")));
    assertFalse(Algorithm.HS512.fits(new SecretKeySpec(new byte[63], "HMAC")));
  }

  @Test
  void base64UrlHasOneSpelling() {
    assertArrayEquals(new byte[] {-1, -2}, Base64Url.bytes("__4").orElseThrow());
    for (String text : List.of("__5", "__4=", "//4", "_", "__4 ", "__\u00e44", "_ _4")) {
      assertTrue(Base64Url.bytes(text).isEmpty(), text);
    }
    assertEquals("__4", Base64Url.text(new byte[] {-1, -2}));
  }

  @Test
  void whatVerifiesIsAPublicKey() {
    for (Algorithm algorithm : List.of(Algorithm.ES256, Algorithm.EDDSA, Algorithm.PS256)) {
      Keys keys = keys(algorithm);
      assertTrue(algorithm.fits(keys.signing()));
      assertFalse(algorithm.verify(keys.signing(), CONTENT, algorithm.sign(keys.signing(), CONTENT)));
    }
  }

  @Test
  void keysOfAnotherKindSignNothing() {
    assertEquals("a key of another kind than ES256 requires", assertThrows(IllegalArgumentException.class,
        () -> Algorithm.ES256.sign(EC384.getPrivate(), CONTENT)).getMessage());
  }

  /** Of the right kind, but without anything to sign with. */
  @Test
  void aKeyThatFailsToSignIsNamedByItsAlgorithm() {
    EdECPrivateKey empty = new EdECPrivateKey() {
      private static final long serialVersionUID = 1;

      @Override
      public Optional<byte[]> getBytes() {
        return Optional.empty();
      }

      @Override
      public NamedParameterSpec getParams() {
        return NamedParameterSpec.ED25519;
      }

      @Override
      public String getAlgorithm() {
        return "EdDSA";
      }

      @Override
      public String getFormat() {
        return null;
      }

      @Override
      public byte[] getEncoded() {
        return null;
      }
    };
    IllegalStateException error = assertThrows(IllegalStateException.class,
        () -> Algorithm.EDDSA.sign(empty, CONTENT));
    assertEquals("EdDSA cannot sign", error.getMessage());
    assertTrue(error.getCause() instanceof GeneralSecurityException);
  }

  @Test
  void onlySharedSecretsAreSymmetric() {
    assertEquals(List.of(Algorithm.HS256, Algorithm.HS384, Algorithm.HS512),
        Arrays.stream(Algorithm.values()).filter(Algorithm::isSymmetric).toList());
  }
}
