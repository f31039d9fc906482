package portcullis.demo;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import portcullis.crypto.keys.Base64Url;
import portcullis.crypto.keys.Jca;

/**
 * The authorization codes that have not been redeemed; at most a thousand, the oldest one is forgotten first. Thread
 * safe.
 */
final class Logins {
  private static final int MOST = 1000;
  private static final int CODE_BYTES = 24;

  private final Map<String, Pending> pending = new LinkedHashMap<>();
  private final SecureRandom random = new SecureRandom();

  /**
   * A login that waits for its code to be redeemed.
   *
   * @param challenge of PKCE (RFC 7636), by the method S256
   */
  record Pending(Person person, String redirect, String challenge, String nonce) {}

  /** Returns a code, which is good for one use. */
  synchronized String begin(Pending login) {
    byte[] bytes = new byte[CODE_BYTES];
    random.nextBytes(bytes);
    String code = Base64Url.text(bytes);
    pending.put(code, login);
    if (pending.size() > MOST) {
      pending.remove(pending.keySet().iterator().next());
    }
    return code;
  }

  /** Returns the login of a code if the client is the one that began it; in any case the code is of no more use. */
  synchronized Optional<Pending> redeem(String code, String redirect, String verifier) {
    String challenge = Base64Url.text(Jca.sha256().digest(verifier.getBytes(StandardCharsets.UTF_8)));
    return Optional.ofNullable(pending.remove(code))
        .filter(login -> login.redirect.equals(redirect) && same(login.challenge, challenge));
  }

  private static boolean same(String one, String other) {
    return MessageDigest.isEqual(one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
  }
}
