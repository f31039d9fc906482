package portcullis.crypto.keys;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.InvalidParameterException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGeneratorSpi;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.interfaces.XECPrivateKey;
import java.security.interfaces.XECPublicKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.NamedParameterSpec;
import java.util.List;
import java.util.Optional;
import javax.crypto.KeyAgreementSpi;
import javax.crypto.SecretKey;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

/**
 * Key agreement by X25519 for the JDK's TLS, with native code; anything else of the kind {@code XDH} is refused, which
 * makes the JCA go on to the JDK's own provider. Thread safe.
 */
final class X25519Provider extends Provider {
  private static final long serialVersionUID = 1;
  private static final int BITS = 255;

  private final transient NativeX25519 curve;

  X25519Provider(NativeX25519 curve) {
    super("PortcullisX25519", "1", "X25519 by AWS-LC");
    this.curve = curve;
    for (String type : List.of("KeyPairGenerator", "KeyAgreement")) {
      for (String name : List.of("XDH", "X25519")) {
        putService(new Offer(type, name));
      }
    }
  }

  private final class Offer extends Service {
    Offer(String type, String name) {
      super(X25519Provider.this, type, name, X25519Provider.class.getName(), List.of(), null);
    }

    @Override
    public Object newInstance(Object parameter) {
      return getType().equals("KeyAgreement") ? new Agreement(curve) : new Generator(curve);
    }

    @Override
    public boolean supportsParameter(Object key) {
      return key instanceof XECPrivateKey one && isOurs(one.getParams());
    }
  }

  private static boolean isOurs(AlgorithmParameterSpec parameters) {
    return parameters instanceof NamedParameterSpec named
        && named.getName().equalsIgnoreCase(NamedParameterSpec.X25519.getName());
  }

  /** @param loaded for the first agreement */
  private record PrivateKey(byte[] scalar, NativeX25519.Loaded loaded) implements XECPrivateKey {
    @Override
    public Optional<byte[]> getScalar() {
      return Optional.of(scalar.clone());
    }

    @Override
    public AlgorithmParameterSpec getParams() {
      return NamedParameterSpec.X25519;
    }

    @Override
    public String getAlgorithm() {
      return "XDH";
    }

    /** Returns null: the key is for one agreement and is not to be stored. */
    @Override
    public String getFormat() {
      return null;
    }

    @Override
    public byte[] getEncoded() {
      return null;
    }
  }

  private record PublicKey(BigInteger coordinate) implements XECPublicKey {
    @Override
    public BigInteger getU() {
      return coordinate;
    }

    @Override
    public AlgorithmParameterSpec getParams() {
      return NamedParameterSpec.X25519;
    }

    @Override
    public String getAlgorithm() {
      return "XDH";
    }

    @Override
    public String getFormat() {
      return "X.509";
    }

    @Override
    public byte[] getEncoded() {
      return NativeX25519.subjectPublicKey(littleEndian(coordinate));
    }
  }

  private static byte[] littleEndian(BigInteger coordinate) {
    byte[] big = coordinate.toByteArray();
    byte[] out = new byte[NativeX25519.SIZE];
    for (int i = 0; i < Math.min(big.length, out.length); i++) {
      out[i] = big[big.length - 1 - i];
    }
    return out;
  }

  private static BigInteger number(byte[] littleEndian) {
    byte[] big = new byte[littleEndian.length];
    for (int i = 0; i < big.length; i++) {
      big[i] = littleEndian[big.length - 1 - i];
    }
    return new BigInteger(1, big);
  }

  private static final class Generator extends KeyPairGeneratorSpi {
    private final NativeX25519 curve;
    private SecureRandom random = new SecureRandom();

    Generator(NativeX25519 curve) {
      this.curve = curve;
    }

    @Override
    public void initialize(int bits, SecureRandom source) {
      if (bits != BITS) {
        throw new InvalidParameterException("keys of X25519 have " + BITS + " bits, not " + bits);
      }
      use(source);
    }

    @Override
    public void initialize(AlgorithmParameterSpec parameters, SecureRandom source)
        throws InvalidAlgorithmParameterException {
      if (!isOurs(parameters)) {
        throw new InvalidAlgorithmParameterException("not X25519: " + parameters);
      }
      use(source);
    }

    private void use(SecureRandom source) {
      if (source != null) {
        random = source;
      }
    }

    @Override
    public KeyPair generateKeyPair() {
      byte[] scalar = new byte[NativeX25519.SIZE];
      random.nextBytes(scalar);
      try {
        NativeX25519.Loaded loaded = curve.load(scalar);
        return new KeyPair(new PublicKey(number(loaded.publicKey())), new PrivateKey(scalar, loaded));
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static final class Agreement extends KeyAgreementSpi {
    private final NativeX25519 curve;
    private Optional<XECPrivateKey> own = Optional.empty();
    private Optional<byte[]> secret = Optional.empty();

    Agreement(NativeX25519 curve) {
      this.curve = curve;
    }

    @Override
    protected void engineInit(Key key, SecureRandom random) throws InvalidKeyException {
      if (!(key instanceof XECPrivateKey one) || !isOurs(one.getParams()) || one.getScalar().isEmpty()) {
        throw new InvalidKeyException("not a private key of X25519");
      }
      own = Optional.of(one);
      secret = Optional.empty();
    }

    @Override
    protected void engineInit(Key key, AlgorithmParameterSpec parameters, SecureRandom random)
        throws InvalidKeyException, InvalidAlgorithmParameterException {
      if (parameters != null) {
        throw new InvalidAlgorithmParameterException("X25519 has no parameters");
      }
      engineInit(key, random);
    }

    @Override
    protected Key engineDoPhase(Key key, boolean last) throws InvalidKeyException {
      if (!last || !(key instanceof XECPublicKey other) || !isOurs(other.getParams())) {
        throw new InvalidKeyException("not the public key of X25519 of the one other side");
      }
      XECPrivateKey one = own.orElseThrow(() -> new IllegalStateException("no private key has been set"));
      byte[] coordinate = littleEndian(other.getU());
      try {
        secret = one instanceof PrivateKey ours ? ours.loaded.multiply(coordinate) : Optional.empty();
        if (secret.isEmpty()) {
          secret = Optional.of(curve.multiply(one.getScalar().orElseThrow(), coordinate));
        }
        return null;
      } catch (InvalidKeyException e) {
        throw e;
      } catch (GeneralSecurityException e) {
        throw new InvalidKeyException(e);
      }
    }

    @Override
    protected byte[] engineGenerateSecret() {
      byte[] out = secret.orElseThrow(() -> new IllegalStateException("no public key has been set"));
      secret = Optional.empty();
      return out;
    }

    @Override
    protected int engineGenerateSecret(byte[] to, int at) throws ShortBufferException {
      if (to.length - at < NativeX25519.SIZE) {
        throw new ShortBufferException("a secret of X25519 has " + NativeX25519.SIZE + " bytes");
      }
      System.arraycopy(engineGenerateSecret(), 0, to, at, NativeX25519.SIZE);
      return NativeX25519.SIZE;
    }

    @Override
    protected SecretKey engineGenerateSecret(String algorithm) {
      return new SecretKeySpec(engineGenerateSecret(), algorithm);
    }
  }
}
