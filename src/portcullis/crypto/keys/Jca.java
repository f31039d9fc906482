package portcullis.crypto.keys;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;

/** Calls the Java Cryptography Architecture for what every JDK provides, so that the checked errors cannot occur. */
public final class Jca {
  private Jca() {}

  /** A call whose algorithm and arguments are fixed or have been checked. */
  public interface Call<T> {
    T result() throws GeneralSecurityException, IOException;
  }

  /**
   * Returns the result.
   *
   * @throws IllegalStateException where the call fails nevertheless
   */
  public static <T> T required(Call<T> call) {
    try {
      return call.result();
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns a new SHA-256 digest. */
  public static MessageDigest sha256() {
    return required(() -> MessageDigest.getInstance("SHA-256"));
  }
}
