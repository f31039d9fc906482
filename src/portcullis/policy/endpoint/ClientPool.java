package portcullis.policy.endpoint;

import java.net.http.HttpClient;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import portcullis.crypto.keys.ClientTls;
import portcullis.http.client.ClientLimits;
import portcullis.http.client.WireClient;

/**
 * The HTTP clients: a default one, and one for each TLS configuration of endpoints. They outlive configurations:
 * another configuration with the same TLS settings uses the same connections. A client that has not been used for five
 * minutes, many times the duration of a call, is closed when another is created; {@link #close} closes all that were
 * created here. Thread safe.
 */
public final class ClientPool implements AutoCloseable {
  private static final Duration UNUSED = Duration.ofMinutes(5);

  private final Supplier<HttpClient> defaultClient;
  private final UnaryOperator<HttpClient> watched;
  private final InstantSource clock;
  private final Map<String, Kept> kept = new ConcurrentHashMap<>();

  private record Kept(WireClient wire, HttpClient client, Instant used) {}

  /**
   * @param defaultClient the default client, which its owner closes; requested at the first call
   * @param watched wraps each other client like the default one
   */
  public ClientPool(Supplier<HttpClient> defaultClient, UnaryOperator<HttpClient> watched, InstantSource clock) {
    this.defaultClient = defaultClient;
    this.watched = watched;
    this.clock = clock;
  }

  /** Creates a pool without wrappers, with the clock of the system. */
  public static ClientPool of(Supplier<HttpClient> defaultClient) {
    return new ClientPool(defaultClient, UnaryOperator.identity(), InstantSource.system());
  }

  HttpClient defaultClient() {
    return defaultClient.get();
  }

  /**
   * Returns the client for TLS settings.
   *
   * @param identity the same for the same settings
   */
  HttpClient of(String identity, ClientTls tls) {
    Instant now = clock.instant();
    boolean known = kept.containsKey(identity);
    HttpClient client = kept.compute(identity,
        (_, one) -> one == null ? made(tls, now) : new Kept(one.wire, one.client, now)).client;
    if (!known) {
      forget(now.minus(UNUSED));
    }
    return client;
  }

  private Kept made(ClientTls tls, Instant now) {
    WireClient wire = new WireClient(ClientLimits.DEFAULT, tls.context(), tls.parameters(), Optional.empty(),
        HttpClient.Version.HTTP_2);
    return new Kept(wire, watched.apply(wire), now);
  }

  private void forget(Instant before) {
    for (String identity : kept.keySet()) {
      kept.computeIfPresent(identity, (_, one) -> {
        if (one.used.isBefore(before)) {
          one.wire.shutdownNow();
          Thread.ofVirtual().name("client-close").start(one.wire::close);
          return null;
        }
        return one;
      });
    }
  }

  /** Returns the number of clients except for the default one. */
  int size() {
    return kept.size();
  }

  @Override
  public void close() {
    kept.values().forEach(one -> one.wire.close());
    kept.clear();
  }
}
