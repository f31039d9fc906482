package portcullis.crypto.apikeys;

import java.net.InetAddress;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import portcullis.lang.address.Network;
import portcullis.lang.value.Value;

/**
 * An API key as its file describes it; immutable.
 *
 * @param id the part of the key that is not secret, for logs
 * @param sha256 the hash of the whole key, in lower-case hexadecimal digits
 * @param subject the identifier of the subject that the key authenticates
 * @param networks the networks that it may be used from; empty for all
 */
public record ApiKey(String id, String sha256, String subject, Value.Dict attributes, List<String> scopes,
    Optional<Instant> notBefore, Optional<Instant> notAfter, Optional<Instant> revoked, List<Network> networks) {
  /** The state of a key at a time. */
  public enum State {
    ACTIVE, REVOKED, EXPIRED, NOT_YET_VALID;

    /** Returns the state in words, as {@code not yet valid}. */
    public String text() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  public ApiKey {
    scopes = List.copyOf(scopes);
    networks = List.copyOf(networks);
  }

  public State state(Instant now) {
    if (revoked.isPresent()) {
      return State.REVOKED;
    }
    if (notAfter.filter(end -> !now.isBefore(end)).isPresent()) {
      return State.EXPIRED;
    }
    return notBefore.filter(now::isBefore).isPresent() ? State.NOT_YET_VALID : State.ACTIVE;
  }

  /** Returns whether it may be used from this address; an unknown one is in no network. */
  public boolean isFrom(Optional<InetAddress> client) {
    return networks.isEmpty()
        || client.filter(address -> networks.stream().anyMatch(network -> network.contains(address))).isPresent();
  }
}
