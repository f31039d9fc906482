package portcullis.observe.client;

import portcullis.observe.metrics.Histogram;
import portcullis.observe.metrics.Instrument;
import portcullis.observe.metrics.Registry;

/** The metrics of calls to upstreams and remote services (semantic conventions, http/http-metrics). Thread safe. */
public final class ClientInstruments {
  private static final String[] ATTRIBUTES = {"http.request.method", "http.response.status_code", "server.address",
    "server.port",
    "url.scheme", "network.protocol.name", "network.protocol.version", "error.type"};

  private final Instrument<Histogram> durations;
  private final Instrument<Histogram> sizes;

  public ClientInstruments(Registry registry) {
    durations = registry.histogram("http.client.request.duration", "s",
        "Duration of calls to upstreams and remote services",
        Registry.SHORT_TIMES, ATTRIBUTES);
    sizes = registry.histogram("http.client.request.body.size", "By",
        "Size of bodies sent to upstreams and remote services",
        Registry.SIZES, ATTRIBUTES);
  }

  /**
   * Records one call.
   *
   * @param status 0 without a response
   * @param version of HTTP, empty without a response
   * @param error type of the error; empty for a call that ended with a status
   * @param length of the request body in bytes, negative if unknown
   */
  void record(String method, int status, String host, int port, String scheme, String version, String error, long nanos,
      long length) {
    Object[] values = {method, status == 0 ? "" : (Object) status, host, port, scheme, "http", version, error};
    durations.of(values).recordNanos(nanos);
    if (length >= 0) {
      sizes.of(values).record(length);
    }
  }
}
