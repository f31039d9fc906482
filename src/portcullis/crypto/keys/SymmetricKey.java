package portcullis.crypto.keys;

import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.regex.Pattern;
import javax.crypto.spec.SecretKeySpec;

/** A random key of 256 bits, as {@code openssl rand -hex 32} writes one to a file. Immutable. */
public final class SymmetricKey {
  private static final Pattern HEX = Pattern.compile("[0-9a-fA-F]{64}");
  private static final int ID_BYTES = 4;

  private final byte[] bytes;
  private final String id;

  private SymmetricKey(byte[] bytes) {
    this.bytes = bytes.clone();
    byte[] digest = Jca.sha256().digest(bytes);
    this.id = HexFormat.of().formatHex(digest, 0, ID_BYTES);
  }

  /**
   * Reads the file, which has 64 hexadecimal digits and white space around them at most. A file that every
   * user may write is refused, as any of them could replace the key.
   */
  public static SymmetricKey read(Path file) throws KeyMaterialException {
    return parse(KeyFile.guarded(file).strip(), "it");
  }

  /**
   * Parses 64 hexadecimal digits.
   *
   * @param place where they stand, for the error
   */
  public static SymmetricKey parse(String text, String place) throws KeyMaterialException {
    if (!HEX.matcher(text).matches()) {
      throw new KeyMaterialException(
          place + " has no key of 64 hexadecimal digits, as `openssl rand -hex 32` writes one");
    }
    return new SymmetricKey(HexFormat.of().parseHex(text));
  }

  /** Returns the first digits of the key's SHA-256, by which it is named beside what is made with it. */
  public String id() {
    return id;
  }

  /** Returns whether this string is the key in hexadecimal digits; the time taken shows nothing of the key. */
  public boolean isWrittenAs(String hex) {
    return HEX.matcher(hex).matches() && MessageDigest.isEqual(bytes, HexFormat.of().parseHex(hex));
  }

  /** Returns the key for an algorithm of the JCA. */
  public SecretKeySpec of(String algorithm) {
    return new SecretKeySpec(bytes, algorithm);
  }
}
