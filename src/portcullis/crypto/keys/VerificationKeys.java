package portcullis.crypto.keys;

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import portcullis.lang.source.PastedKey;

/** Reads public keys from PEM files, as {@code openssl pkey -pubout} writes them. */
public final class VerificationKeys {
  private static final String LABEL = "PUBLIC KEY";

  private VerificationKeys() {}

  /**
   * Returns the Ed25519 keys of a file, at least one; anything else in it is an error. A file that every user may write
   * is refused, as any of them could replace the keys.
   */
  public static List<PublicKey> ed25519(Path file) throws KeyMaterialException {
    try {
      List<PublicKey> out = new ArrayList<>();
      for (PemBlock block : PemReader.blocks(KeyFile.guarded(file))) {
        out.add(key(block));
      }
      if (out.isEmpty()) {
        throw new KeyMaterialException("it holds no `" + LABEL + "`");
      }
      return out;
    } catch (KeyMaterialException error) {
      throw error.in("key file " + PastedKey.shown(file));
    }
  }

  private static PublicKey key(PemBlock block) throws KeyMaterialException {
    if (!block.label().equals(LABEL)) {
      throw new KeyMaterialException(block.place() + ": expected `" + LABEL + "`");
    }
    try {
      return Ed25519.key(new X509EncodedKeySpec(block.der()));
    } catch (KeyMaterialException error) {
      throw error.in(block.place());
    } catch (GeneralSecurityException _) {
      throw new KeyMaterialException(block.place() + ": it is not an Ed25519 key");
    }
  }
}
