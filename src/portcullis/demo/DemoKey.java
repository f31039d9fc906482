package portcullis.demo;

import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.util.Base64;
import portcullis.crypto.keys.KeyEntry;
import portcullis.crypto.keys.KeyMaterialException;
import portcullis.crypto.keys.KeyRing;

/**
 * An ES256 key for one run of the demonstration.
 *
 * @param pem the private key (RFC 7468, 10)
 */
record DemoKey(String pem, KeyEntry key) {
  /** Generates a key, which takes some milliseconds. */
  static DemoKey make() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      byte[] der = generator.generateKeyPair().getPrivate().getEncoded();
      String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
      String pem = "-----BEGIN PRIVATE KEY-----\n" + base64 + "\n-----END PRIVATE KEY-----\n";
      return new DemoKey(pem, KeyRing.parse(pem, "", Instant.now()).first());
    } catch (GeneralSecurityException | KeyMaterialException e) {
      throw new IllegalStateException("every JDK makes keys for ES256", e);
    }
  }

  @Override
  public String toString() {
    return key.toString();
  }
}
