package portcullis.policy.authenticator;

import java.time.Duration;
import java.util.Optional;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.lang.address.Network;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.limit.Lockout;
import portcullis.policy.limit.Lockouts;
import portcullis.policy.limit.RateStore;
import portcullis.policy.mechanism.Failure;

/** An attempt to authenticate with a credential from a network, which lockouts count. */
record Attempt(Optional<Lockout> settings, Lockouts lockouts, CacheKey credential, Optional<Network> network) {
  /**
   * Begins an attempt.
   *
   * @param kind of credential, with the file that has it
   * @param name of the credential, which is not secret
   * @throws Failure if it is locked out
   */
  static Attempt begin(Optional<Lockout> settings, Lockouts lockouts, String kind, String name, Request request)
      throws Failure {
    Attempt out = new Attempt(settings, lockouts, CacheKey.of(kind, name),
        request.client().map(Network::ofPeer));
    if (settings.isPresent()) {
      out.refuse(lockouts.remaining(out.credential, out.network));
    }
    return out;
  }

  private void refuse(Optional<Duration> left) throws Failure {
    if (left.isPresent()) {
      throw new Failure.TooManyRequests("too many failed attempts",
          "the credential is locked out for network " + network.map(Network::toString).orElse("unknown"), left.get(),
          Fields.NONE);
    }
  }

  /** Counts it. @throws Failure if the credential has been locked out meanwhile */
  void failed() throws Failure {
    end(lockouts::failed);
  }

  /** Forgets those that failed. @throws Failure if the credential has been locked out meanwhile */
  void succeeded() throws Failure {
    end(lockouts::succeeded);
  }

  private interface End {
    Optional<Duration> record(CacheKey credential, Optional<Network> network, Lockout settings)
        throws RateStore.UnavailableException;
  }

  private void end(End how) throws Failure {
    if (settings.isPresent()) {
      try {
        refuse(how.record(credential, network, settings.get()));
      } catch (RateStore.UnavailableException e) {
        throw new Failure.Unavailable("failed attempts at other instances are unknown: " + e.getMessage());
      }
    }
  }
}
