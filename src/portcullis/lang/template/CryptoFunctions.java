package portcullis.lang.template;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.Adler32;
import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import portcullis.lang.inputs.HiddenInputs;
import portcullis.lang.value.ValueException;

/** sprig's digests, and its AES-256 in CBC mode with the password as the key. */
final class CryptoFunctions {
  private static final int BLOCK = 16;
  private static final int KEY = 32;

  static final Map<String, Function> ALL = new FunctionSet()
      .with("sha1sum", a -> Item.of(digest("SHA-1", a.bytes(0))), Param.TEXT)
      .with("sha256sum", a -> Item.of(digest("SHA-256", a.bytes(0))), Param.TEXT)
      .with("sha512sum", a -> Item.of(digest("SHA-512", a.bytes(0))), Param.TEXT)
      .with("adler32sum", a -> Item.of(adler32(a.bytes(0))), Param.TEXT)
      .with("encryptAES", a -> Item.of(encrypted(a.bytes(0), a.bytes(1))), Param.TEXT, Param.TEXT)
      .with("decryptAES", a -> Item.of(decrypted(a.bytes(0), a.bytes(1))), Param.TEXT, Param.TEXT)
      .functions();

  private CryptoFunctions() {}

  private static String digest(String algorithm, byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance(algorithm).digest(bytes));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has " + algorithm, e);
    }
  }

  private static String adler32(byte[] bytes) {
    Adler32 sum = new Adler32();
    sum.update(bytes);
    return Long.toString(sum.getValue());
  }

  private static byte[] aes(int mode, byte[] password, byte[] vector, byte[] content) throws ValueException {
    try {
      Cipher cipher = Cipher.getInstance("AES/CBC/NoPadding");
      cipher.init(mode, new SecretKeySpec(Arrays.copyOf(password, KEY), "AES"), new IvParameterSpec(vector));
      return cipher.doFinal(content);
    } catch (GeneralSecurityException _) {
      throw new ValueException("not encrypted with AES");
    }
  }

  private static String encrypted(byte[] password, byte[] content) throws ValueException {
    int padding = BLOCK - content.length % BLOCK;
    byte[] padded = Arrays.copyOf(content, content.length + padding);
    Arrays.fill(padded, content.length, padded.length, (byte) padding);
    byte[] vector = HiddenInputs.bytes(BLOCK);
    byte[] out = Arrays.copyOf(vector, BLOCK + padded.length);
    System.arraycopy(aes(Cipher.ENCRYPT_MODE, password, vector, padded), 0, out, BLOCK, padded.length);
    return EncodingFunctions.base64(out);
  }

  private static String decrypted(byte[] password, byte[] text) throws ValueException {
    byte[] all = EncodingFunctions.bytesOfBase64(text);
    if (all.length <= BLOCK) {
      throw new ValueException("too short to be encrypted with AES");
    }
    byte[] padded = aes(Cipher.DECRYPT_MODE, password, Arrays.copyOf(all, BLOCK),
        Arrays.copyOfRange(all, BLOCK, all.length));
    int padding = padded[padded.length - 1] & 0xFF;
    if (padding > padded.length) {
      throw new ValueException("the password is not the one it was encrypted with");
    }
    return Bytes.text(padded, 0, padded.length - padding);
  }
}
