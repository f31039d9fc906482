package portcullis.crypto.session;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.Jca;
import portcullis.crypto.keys.KeyFile;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.SymmetricKey;

/**
 * The keys of a file, one a line. The first one seals (AES-256-GCM), all of them open: a new key is put in front, and
 * an old one is removed once nothing sealed with it is valid any more. Immutable and thread safe.
 */
public final class SessionKeys {
  private static final int MOST_KEYS = 10;
  private static final int ID_BYTES = 4;
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final String CIPHER = "AES/GCM/NoPadding";
  private static final SecureRandom RANDOM = new SecureRandom();

  private final List<SymmetricKey> keys;

  private SessionKeys(List<SymmetricKey> keys) {
    this.keys = keys;
  }

  /** Reads a file: a key of 64 hexadecimal digits a line; empty lines and comments ({@code #}) are ignored. */
  public static SessionKeys read(Path file) throws KeyMaterialException {
    List<SymmetricKey> out = new ArrayList<>();
    int number = 0;
    for (String line : KeyFile.guarded(file).lines().toList()) {
      number++;
      String text = line.strip();
      if (!text.isEmpty() && !text.startsWith("#")) {
        out.add(SymmetricKey.parse(text, "line " + number));
      }
    }
    if (out.isEmpty() || out.size() > MOST_KEYS) {
      throw new KeyMaterialException("it has " + out.size() + " keys: it needs 1 to " + MOST_KEYS
          + ", one a line, as `openssl rand -hex 32` writes them");
    }
    return new SessionKeys(List.copyOf(out));
  }

  /**
   * Encrypts and authenticates with the first key.
   *
   * @param purpose what is sealed: it opens for the same purpose only
   * @return characters that cookies and URLs may have
   */
  public String seal(String purpose, byte[] content) {
    SymmetricKey key = keys.getFirst();
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return Jca.required(() -> {
      byte[] sealed = cipher(Cipher.ENCRYPT_MODE, key, nonce, purpose).doFinal(content);
      byte[] out = Arrays.copyOf(HexFormat.of().parseHex(key.id()), ID_BYTES + NONCE_BYTES + sealed.length);
      System.arraycopy(nonce, 0, out, ID_BYTES, NONCE_BYTES);
      System.arraycopy(sealed, 0, out, ID_BYTES + NONCE_BYTES, sealed.length);
      return Base64Url.text(out);
    });
  }

  /** Returns the content; empty if it was not sealed with one of these keys for that purpose, or was changed. */
  public Optional<byte[]> open(String purpose, String sealed) {
    Optional<byte[]> bytes = Base64Url.bytes(sealed).filter(all -> all.length > ID_BYTES + NONCE_BYTES);
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    String id = HexFormat.of().formatHex(bytes.get(), 0, ID_BYTES);
    byte[] nonce = Arrays.copyOfRange(bytes.get(), ID_BYTES, ID_BYTES + NONCE_BYTES);
    for (SymmetricKey key : keys) {
      if (key.id().equals(id)) {
        try {
          return Optional.of(cipher(Cipher.DECRYPT_MODE, key, nonce, purpose).doFinal(bytes.get(),
              ID_BYTES + NONCE_BYTES, bytes.get().length - ID_BYTES - NONCE_BYTES));
        } catch (GeneralSecurityException _) {
          // another key may have the same id
        }
      }
    }
    return Optional.empty();
  }

  private static Cipher cipher(int mode, SymmetricKey key, byte[] nonce, String purpose)
      throws GeneralSecurityException {
    Cipher cipher = Cipher.getInstance(CIPHER);
    cipher.init(mode, key.of("AES"), new GCMParameterSpec(TAG_BITS, nonce));
    cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
    return cipher;
  }

  /** Returns a description without the keys. */
  @Override
  public String toString() {
    return keys.size() + " session keys";
  }
}
