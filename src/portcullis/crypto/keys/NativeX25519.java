package portcullis.crypto.keys;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * X25519 (RFC 7748) by AWS-LC, which Amazon Corretto Crypto Provider contains without offering this algorithm: its
 * native methods for keys and key agreement take any algorithm that AWS-LC has, and are bound here. Immutable.
 */
final class NativeX25519 {
  /** The bytes of each scalar, coordinate and secret. */
  static final int SIZE = 32;

  /** RFC 8410, section 7 and section 4: what comes before the 32 bytes of a private and of a public key. */
  private static final byte[] PRIVATE = HexFormat.of().parseHex("302e020100300506032b656e04220420");
  private static final byte[] PUBLIC = HexFormat.of().parseHex("302a300506032b656e032100");
  /** NID_X25519 of AWS-LC. */
  private static final int X25519 = 948;
  private static final Cleaner CLEANER = Cleaner.create();

  /** RFC 7748, section 5.2, the first test vector. */
  private static final String SCALAR = "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4";
  private static final String COORDINATE = "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c";
  private static final String PRODUCT = "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552";

  private final MethodHandle privateKey;
  private final MethodHandle publicKey;
  private final MethodHandle encodePublic;
  private final MethodHandle agree;
  private final MethodHandle release;

  private NativeX25519() throws ReflectiveOperationException {
    privateKey = find("EvpKeyFactory", "pkcs82Evp", long.class, byte[].class, int.class, boolean.class);
    publicKey = find("EvpKeyFactory", "x5092Evp", long.class, byte[].class, int.class);
    encodePublic = find("EvpKey", "encodePublicKey", byte[].class, long.class);
    agree = find("EvpKeyAgreement", "agree", byte[].class, long.class, long.class);
    release = find("EvpKey", "releaseKey", void.class, long.class);
  }

  private static MethodHandle find(String type, String name, Class<?> result, Class<?>... parameters)
      throws ReflectiveOperationException {
    Class<?> owner = Class.forName(AmazonCorrettoCryptoProvider.class.getPackageName() + "." + type);
    return MethodHandles.privateLookupIn(owner, MethodHandles.lookup())
        .findStatic(owner, name, MethodType.methodType(result, parameters));
  }

  /**
   * Binds the native methods; returns an empty optional if this version of the library has other methods, or computes
   * anything but the test vector of RFC 7748.
   */
  static Optional<NativeX25519> bind() {
    try {
      NativeX25519 bound = new NativeX25519();
      byte[] product = bound.multiply(HexFormat.of().parseHex(SCALAR), HexFormat.of().parseHex(COORDINATE));
      return HexFormat.of().formatHex(product).equals(PRODUCT) ? Optional.of(bound) : Optional.empty();
    } catch (ReflectiveOperationException | GeneralSecurityException | LinkageError _) {
      return Optional.empty();
    }
  }

  /** Returns the encoding of a public key (RFC 8410, section 4) with these 32 bytes. */
  static byte[] subjectPublicKey(byte[] coordinate) {
    return joined(PUBLIC, coordinate);
  }

  private static byte[] joined(byte[] head, byte[] tail) {
    byte[] out = Arrays.copyOf(head, head.length + SIZE);
    System.arraycopy(tail, 0, out, head.length, SIZE);
    return out;
  }

  /**
   * A private key in native memory, where its public key has been computed. The memory is freed after one agreement, or
   * with this object. Thread safe.
   */
  final class Loaded {
    private final Memory memory;
    private final Cleaner.Cleanable cleanable;

    private Loaded(Memory memory) {
      this.memory = memory;
      this.cleanable = CLEANER.register(this, memory);
    }

    /** Returns the public key, 32 bytes, while the memory is not freed. */
    byte[] publicKey() throws GeneralSecurityException {
      byte[] encoded = guarded(() -> (byte[]) encodePublic.invokeExact(memory.address.get()));
      Reference.reachabilityFence(this);
      return Arrays.copyOfRange(encoded, encoded.length - SIZE, encoded.length);
    }

    /** The same as that of the whole curve with this key; empty from the second call on. */
    Optional<byte[]> multiply(byte[] coordinate) throws GeneralSecurityException {
      long own = memory.address.getAndSet(0);
      if (own == 0) {
        return Optional.empty();
      }
      cleanable.clean();
      return Optional.of(agreed(own, coordinate));
    }
  }

  /** The memory of a key; the address is 0 once somebody frees it. */
  private record Memory(AtomicLong address, MethodHandle release) implements Runnable {
    @Override
    public void run() {
      long own = address.getAndSet(0);
      if (own != 0) {
        try {
          release.invokeExact(own);
        } catch (Throwable e) {
          throw new IllegalStateException(e);
        }
      }
    }
  }

  /** Returns a private key of 32 bytes in native memory. */
  Loaded load(byte[] scalar) throws GeneralSecurityException {
    return guarded(() -> new Loaded(new Memory(new AtomicLong(privateKey(scalar)), release)));
  }

  /**
   * The secret that this private key shares with the owner of that public key, 32 bytes each.
   *
   * @throws InvalidKeyException if the public key is a point of small order, with which all secrets are zero
   */
  byte[] multiply(byte[] scalar, byte[] coordinate) throws GeneralSecurityException {
    return agreed(guarded(() -> privateKey(scalar)), coordinate);
  }

  /** Frees the private key afterwards. */
  private byte[] agreed(long own, byte[] coordinate) throws GeneralSecurityException {
    return guarded(() -> {
      try {
        long other = (long) publicKey.invokeExact(joined(PUBLIC, coordinate), X25519);
        try {
          return (byte[]) agree.invokeExact(own, other);
        } finally {
          release.invokeExact(other);
        }
      } finally {
        release.invokeExact(own);
      }
    });
  }

  private long privateKey(byte[] scalar) throws Throwable {
    byte[] encoded = joined(PRIVATE, scalar);
    try {
      return (long) privateKey.invokeExact(encoded, X25519, false);
    } finally {
      Arrays.fill(encoded, (byte) 0);
    }
  }

  /** What method handles throw is not declared. */
  private interface Native<T> {
    T call() throws Throwable;
  }

  private static <T> T guarded(Native<T> call) throws GeneralSecurityException {
    try {
      return call.call();
    } catch (GeneralSecurityException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new InvalidKeyException(e);
    }
  }
}
