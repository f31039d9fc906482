package portcullis.serve.service;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import portcullis.http.message.TrustedProxies;
import portcullis.http.message.ValidRequest;
import portcullis.observe.telemetry.Log;

/**
 * Reports the first request to the decision service that names another request, though it is not from a trusted proxy:
 * most likely a proxy asks whose address {@code serve.trusted_proxies} lacks. Such fields are ignored, so that the rule
 * of the path that it asks at decides all its requests. Thread safe.
 */
final class UntrustedProxyCheck implements Layer.Handler {
  private final TrustedProxies proxies;
  private final Layer.Handler decisions;
  private final Log log;
  private final AtomicBoolean reported = new AtomicBoolean();

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
        && namesAnother(incoming) && reported.compareAndSet(false, true)) {
      log.problem("untrusted proxy", "X-Forwarded-Uri and -Method of an untrusted proxy are ignored: its requests are"
          + " decided by their own path; if it is yours, it belongs into serve.trusted_proxies", "_peer",
          incoming.peer().getHostAddress());
    }
    decisions.handle(transaction);
  }

  private static boolean namesAnother(ValidRequest incoming) {
    return incoming.fields().has("X-Forwarded-Uri") || incoming.fields().has("X-Forwarded-Method");
  }
}
