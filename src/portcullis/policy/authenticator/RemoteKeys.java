package portcullis.policy.authenticator;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import portcullis.policy.cache.CacheKey;
import portcullis.policy.mechanism.MechanismContext;

/**
 * The keys of all addresses of a definition: one, or one for each issuer. Thread safe; at most a thousand. Those of
 * made-up issuers are evicted first.
 */
final class RemoteKeys {
  private static final int MOST = 1000;

  private final Map<CacheKey, IssuerKeys> keys = new ConcurrentHashMap<>();
  private final int most;

  RemoteKeys() {
    this(MOST);
  }

  /** @param most how many addresses are remembered */
  RemoteKeys(int most) {
    this.most = most;
  }

  IssuerKeys at(KeyEndpoint endpoint, MechanismContext context) {
    IssuerKeys known = keys.get(endpoint.id());
    if (known != null) {
      return known;
    }
    if (keys.size() >= most) {
      keys.values().removeIf(IssuerKeys::isUnknown);
    }
    if (keys.size() >= most) {
      keys.clear();
    }
    return keys.computeIfAbsent(endpoint.id(), _ -> new IssuerKeys(endpoint.address(), context.steady(), context.log(),
        context.caller()::bridge));
  }

  void clear() {
    keys.clear();
  }
}
