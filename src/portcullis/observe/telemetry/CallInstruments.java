package portcullis.observe.telemetry;

import portcullis.observe.metrics.Histogram;
import portcullis.observe.metrics.Instrument;
import portcullis.observe.metrics.Registry;

/** What is measured of calls to other parties (semantic conventions, http/http-metrics). Thread safe. */
public final class CallInstruments {
  private static final String[] ATTRIBUTES = {"http.request.method", "http.response.status_code", "server.address",
    "server.port",
    "url.scheme", "network.protocol.name", "network.protocol.version", "error.type"};

  private final Instrument<Histogram> durations;
  private final Instrument<Histogram> sizes;

  public CallInstruments(Registry registry) {
    durations = registry.histogram("http.client.request.duration", "s", "Duration of calls to upstreams and other "
        + "parties",
        Registry.SHORT_TIMES, ATTRIBUTES);
    sizes = registry.histogram("http.client.request.body.size", "By", "Size of bodies sent to upstreams and other "
        + "parties",
        Registry.SIZES, ATTRIBUTES);
  }

  /**
   * Notes one call.
   *
   * @param status 0 where none came
   * @param version of HTTP, empty where no answer came
   * @param error what went wrong where no status tells
   * @param length of the request's body, negative where only its end told
   */
  void note(String method, int status, String host, int port, String scheme, String version, String error, long nanos,
      long length) {
    Object[] values = {method, status == 0 ? "" : (Object) status, host, port, scheme, "http", version, error};
    durations.of(values).noteNanos(nanos);
    if (length >= 0) {
      sizes.of(values).note(length);
    }
  }
}
