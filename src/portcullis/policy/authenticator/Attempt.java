package portcullis.policy.authenticator;

import java.time.Duration;
import java.util.Optional;
import portcullis.http.message.Fields;
import portcullis.http.message.Request;
import portcullis.lang.address.Network;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.limit.Lockout;
import portcullis.policy.limit.Lockouts;
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
    Attempt out = new Attempt(settings, lockouts, CacheKey.of("lockout", kind, name),
        request.client().map(Network::ofPeer));
    if (settings.isPresent()) {
      Optional<Duration> left = lockouts.remaining(out.credential, out.network);
      if (left.isPresent()) {
        throw new Failure.TooManyRequests("too many failed attempts",
            "the credential is locked out for network " + out.network.map(Network::toString).orElse("unknown"),
            left.get(), Fields.NONE);
      }
    }
    return out;
  }

  void failed() {
    settings.ifPresent(lockout -> lockouts.failed(credential, network, lockout));
  }

  void succeeded() {
    settings.ifPresent(_ -> lockouts.succeeded(credential, network));
  }
}
