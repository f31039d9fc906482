package portcullis.policy.limit;

import java.time.InstantSource;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import portcullis.crypto.keys.LiveFiles;
import portcullis.crypto.passwords.PasswordChecks;
import portcullis.crypto.passwords.UserTable;

/**
 * What bounds how often clients do something, whatever configuration is in use. Thread safe.
 *
 * @param users the files of users in use
 * @param memory the rates of this process
 * @param shared the rates of all processes that share a cache; empty if there is none
 * @param counts of decisions by rate limits
 * @param lockouts failed attempts by credential and network
 */
public record Limits(PasswordChecks passwords, LiveFiles<UserTable> users, RateStore memory,
    Optional<RateStore> shared, RateCounts counts, Lockouts lockouts) {
  /** Returns limits within this process. @param steady a clock that only advances */
  public static Limits of(InstantSource steady, Optional<RateStore> shared) {
    return of(steady, shared, new Lockouts(steady));
  }

  /** Returns limits of which the rates of this process are new. */
  public static Limits of(InstantSource steady, Optional<RateStore> shared, Lockouts lockouts) {
    return new Limits(new PasswordChecks(steady), new LiveFiles<>(UserTable::read), new TokenBuckets(steady), shared,
        new RateCounts(), lockouts);
  }

  /** Returns limits for decisions besides those of the service: rates never refuse a request. */
  public static Limits unlimited(InstantSource steady) {
    return assumed(steady, () -> false);
  }

  /** Returns limits that count nothing. @param exhausted whether they refuse every request, or none */
  public static Limits assumed(InstantSource steady, BooleanSupplier exhausted) {
    RateStore rates = (key, bucket) -> exhausted.getAsBoolean() ? bucket.refused(bucket.time(bucket.burst()))
        : RateStore.UNLIMITED.take(key, bucket);
    return new Limits(new PasswordChecks(steady), new LiveFiles<>(UserTable::read), rates, Optional.of(rates),
        new RateCounts(), Lockouts.assumed(steady, exhausted));
  }

  /** Returns a copy that reads its files again. */
  public Limits withFilesReadAgain() {
    return new Limits(passwords, new LiveFiles<>(UserTable::read), memory, shared, counts, lockouts);
  }

  /** Returns a copy for decisions besides those of the service, with the same files. @param time their clock */
  public Limits separate(InstantSource time) {
    Limits other = unlimited(time);
    return new Limits(other.passwords, users, other.memory, other.shared, other.counts, other.lockouts);
  }
}
