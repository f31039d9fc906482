package portcullis.authenticator;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import portcullis.endpoint.Ask;
import portcullis.endpoint.CallFailure;
import portcullis.endpoint.Endpoint;
import portcullis.endpoint.Reply;
import portcullis.keys.JwkSet;
import portcullis.keys.KeyFault;
import portcullis.mechanism.Calls;
import portcullis.mechanism.Failure;
import portcullis.mechanism.Payload;
import portcullis.mechanism.Tools;

/**
 * The keys that issuers publish, kept each for its time from the fetch that brought it. An unknown key is fetched at once,
 * but then not more often than every five seconds for each address. Thread safe.
 */
final class RemoteKeys {
  private static final Duration COOL_DOWN = Duration.ofSeconds(5);
  private static final int MOST_KEPT = 1000;

  private final Map<URI, Kept> kept = new LinkedHashMap<>();

  /** A set as it was fetched. */
  private record Kept(JwkSet set, Instant fetched) {}

  /**
   * The set that may hold the key of that id.
   *
   * @param time how long a key is kept; zero for not at all
   */
  synchronized JwkSet set(Endpoint endpoint, Ask ask, Optional<String> keyId, Duration time, Tools tools) throws Failure {
    Kept known = kept.get(ask.target());
    Instant now = tools.clock().instant();
    if (known != null && !time.isZero()) {
      Duration age = Duration.between(known.fetched, now);
      boolean has = keyId.isPresent() && known.set.withId(keyId.get()).size() == 1;
      boolean fresh = age.compareTo(time) < 0;
      if (fresh && (has || age.compareTo(COOL_DOWN) < 0)) {
        return known.set;
      }
    }
    JwkSet set = fetched(endpoint, ask, tools);
    if (kept.size() >= MOST_KEPT) {
      kept.clear();
    }
    kept.put(ask.target(), new Kept(set, now));
    return set;
  }

  private static JwkSet fetched(Endpoint endpoint, Ask ask, Tools tools) throws Failure {
    try {
      Reply reply = endpoint.say(ask.standardMethod("GET").standard("Accept", "application/json"), tools.caller());
      if (!reply.good()) {
        throw new Failure.Communication("unexpected response. code: " + reply.status(), false);
      }
      return JwkSet.read(Payload.json(reply.body()));
    } catch (CallFailure e) {
      throw Calls.failed(e, "JWKS endpoint");
    } catch (KeyFault e) {
      throw new Failure.Internal("failed to unmarshal received jwks: " + e.getMessage());
    }
  }
}
