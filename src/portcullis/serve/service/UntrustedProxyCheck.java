package portcullis.serve.service;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.ValidRequest;
import portcullis.lang.address.Network;
import portcullis.observe.telemetry.Log;

/**
 * Reports peers whose requests to the decision service name another request, though they are not trusted proxies: most
 * likely {@code serve.trusted_proxies} lacks the address of a proxy. Such fields are ignored, so that the rule of the
 * path that it asks at decides all its requests. Each network is reported once, and a few of them at most. Thread safe.
 */
final class UntrustedProxyCheck implements Layer.Handler {
  private static final int MOST = 16;

  private final TrustedProxies proxies;
  private final Layer.Handler decisions;
  private final Log log;
  private final Set<Network> reported = new HashSet<>();

  UntrustedProxyCheck(TrustedProxies proxies, Layer.Handler decisions, Log log) {
    this.proxies = proxies;
    this.decisions = decisions;
    this.log = log;
  }

  @Override
  public boolean decides() {
    return decisions.decides();
  }

  @Override
  public void handle(Transaction transaction) throws IOException {
    if (transaction.arrival() instanceof ValidRequest incoming && !proxies.trusts(incoming.peer())
        && namesAnother(incoming)) {
      report(incoming);
    }
    decisions.handle(transaction);
  }

  private static boolean namesAnother(ValidRequest incoming) {
    return incoming.fields().has("X-Forwarded-Uri") || incoming.fields().has("X-Forwarded-Method");
  }

  private synchronized void report(ValidRequest incoming) {
    Network peer = Network.ofPeer(incoming.peer());
    if (reported.size() < MOST && reported.add(peer)) {
      log.problem("untrusted proxy " + peer, "Forwarding headers of an untrusted proxy are ignored", "_peer",
          incoming.peer().getHostAddress());
    }
  }
}
