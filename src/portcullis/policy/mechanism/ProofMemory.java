package portcullis.policy.mechanism;

import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;
import portcullis.policy.cache.UsedOnce;

/**
 * What successive configurations share to accept proofs of possession: those that were used, and the secret of nonces
 * where none is configured. Thread safe.
 */
public final class ProofMemory {
  private static final int SECRET_BYTES = 32;

  private final UsedOnce used;
  private final byte[] nonceSecret;

  private ProofMemory(UsedOnce used, byte[] nonceSecret) {
    this.used = Objects.requireNonNull(used);
    this.nonceSecret = nonceSecret;
  }

  /** Returns one with a random secret. */
  public static ProofMemory of(UsedOnce used) {
    byte[] secret = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(secret);
    return new ProofMemory(used, secret);
  }

  /** Returns one with the same nonces, for which no proof has been used yet. */
  public ProofMemory separate(UsedOnce other) {
    return new ProofMemory(other, nonceSecret);
  }

  public UsedOnce used() {
    return used;
  }

  public byte[] nonceSecret() {
    return Arrays.copyOf(nonceSecret, nonceSecret.length);
  }
}
