package portcullis.policy.lock;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import portcullis.crypto.keys.Jca;
import portcullis.http.message.AddressText;
import portcullis.lang.address.Network;
import portcullis.policy.mechanism.Credential;
import portcullis.policy.mechanism.Subject;

/**
 * A lock: what it names is refused while it lasts. Immutable.
 *
 * @param issuer whose subject, session or token is locked; empty for that of any issuer
 * @param authenticatedUntil only credentials of users that were authenticated at this time or before are locked, so
 * that a user can log in again; empty for all
 * @param reason why, for operators
 * @param origin who locked it, as {@code command} or the issuer of a logout token
 * @param until when it ends; empty if it has to be removed
 */
public record Lock(Target target, String value, String issuer, Optional<Instant> authenticatedUntil, String reason,
    String origin, Instant since, Optional<Instant> until) {
  private static final int ID_BYTES = 8;

  /** The kinds of what can be locked. */
  public enum Target {
    SUBJECT, SESSION, TOKEN, CLIENT, EMAIL;

    /** Returns the name in options and documents, as {@code subject}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the target of this name. */
    public static Optional<Target> of(String name) {
      for (Target target : values()) {
        if (target.text().equals(name)) {
          return Optional.of(target);
        }
      }
      return Optional.empty();
    }
  }

  public Lock {
    value = switch (target) {
      case EMAIL -> value.toLowerCase(Locale.ROOT);
      case CLIENT -> canonical(value);
      case SUBJECT, SESSION, TOKEN -> value;
    };
  }

  /** Returns the one text of an address or a network (RFC 5952, 4); what is neither, or a mistake, stays as it is. */
  private static String canonical(String value) {
    return Network.correction(value).isPresent() ? value : Network.parse(value).map(Lock::text).orElse(value);
  }

  private static String text(Network network) {
    boolean isAddress = network.bits() == network.base().getAddress().length * Byte.SIZE;
    return AddressText.of(network.base()) + (isAddress ? "" : "/" + network.bits());
  }

  /**
   * Returns the id, which is the same for all locks of the same target: a new one replaces an old one. Those that a
   * later login ends are other ones than those that it does not.
   */
  public String id() {
    String all = target.text() + '\0' + issuer + '\0' + value + (isUntilLogin() ? "\0login" : "");
    byte[] hash = Jca.sha256().digest(all.getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(hash, 0, ID_BYTES);
  }

  /** Returns whether users can log in again. */
  boolean isUntilLogin() {
    return authenticatedUntil.isPresent();
  }

  /** Returns a lock of the same target that refuses whatever this one or the other refuses. */
  public Lock and(Lock other) {
    Optional<Instant> before = later(authenticatedUntil, other.authenticatedUntil);
    Optional<Instant> end = later(until, other.until);
    return before.equals(other.authenticatedUntil) && end.equals(other.until) ? other
        : new Lock(target, value, issuer, before, reason, origin, since, end);
  }

  /** Without a time is the latest. */
  private static Optional<Instant> later(Optional<Instant> one, Optional<Instant> other) {
    return one.isEmpty() || other.isEmpty() ? Optional.empty() : one.get().isAfter(other.get()) ? one : other;
  }

  /** Returns whether it has ended. */
  public boolean isOver(Instant now) {
    return until.filter(end -> !now.isBefore(end)).isPresent();
  }

  /** Returns what it locks, for logs. */
  public String text() {
    return target.text() + " `" + value + "`" + (issuer.isEmpty() ? "" : " of `" + issuer + "`");
  }

  /** Returns the locked network; empty if it locks something else. */
  public Optional<Network> network() {
    return target == Target.CLIENT ? Network.parse(value) : Optional.empty();
  }

  /** Returns whether it locks this subject, or one of its principals. */
  public boolean locks(Subject subject) {
    return subject.all().stream().anyMatch(this::locksOne);
  }

  private boolean locksOne(Subject subject) {
    Credential credential = subject.credential();
    boolean named = switch (target) {
      case SUBJECT -> value.equals(issuer.isEmpty() ? subject.id() : credential.subject());
      case SESSION -> value.equals(credential.session());
      case TOKEN -> value.equals(credential.tokenId());
      case EMAIL -> value.equalsIgnoreCase(credential.email());
      case CLIENT -> false;
    };
    return named && (issuer.isEmpty() || issuer.equals(credential.issuer())) && isBefore(credential);
  }

  /** A credential of unknown age is locked. */
  private boolean isBefore(Credential credential) {
    return authenticatedUntil.isEmpty()
        || credential.authenticated().filter(at -> at.isAfter(authenticatedUntil.get())).isEmpty();
  }
}
