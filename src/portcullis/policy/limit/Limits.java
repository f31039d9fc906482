package portcullis.policy.limit;

import java.time.InstantSource;
import portcullis.crypto.keys.LiveFiles;
import portcullis.crypto.passwords.PasswordChecks;
import portcullis.crypto.passwords.UserTable;

/**
 * What bounds how often clients do something, whatever configuration is in use. Thread safe.
 *
 * @param users the files of users in use
 */
public record Limits(PasswordChecks passwords, LiveFiles<UserTable> users) {
  /** @param steady a clock that only advances */
  public Limits(InstantSource steady) {
    this(new PasswordChecks(steady), new LiveFiles<>(UserTable::read));
  }

  /** Returns a copy that reads its files anew. */
  public Limits withFilesReadAgain() {
    return new Limits(passwords, new LiveFiles<>(UserTable::read));
  }

  /** Returns a copy for decisions besides those of the service. @param time their clock */
  public Limits separate(InstantSource time) {
    return new Limits(new PasswordChecks(time), users);
  }
}
