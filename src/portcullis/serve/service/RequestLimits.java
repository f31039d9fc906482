package portcullis.serve.service;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;
import portcullis.http.message.TrustedProxies;
import portcullis.http.server.ServerLimits;
import portcullis.http.wire.HeadLimits;
import portcullis.lang.value.ParseBudget;

/**
 * Limits for clients of a listener; 0 for no limit. Heimdall has none of these keys.
 *
 * @param fields header lines of a request
 * @param body bytes of the body of a request
 * @param readBody bytes of a body that a rule reads
 * @param bodyRate minimum average bytes per second of a body
 * @param inFlight concurrent requests
 * @param connections total connections
 * @param peerConnections connections of one peer, an IPv4 address or a /64 of IPv6
 * @param peerShare the percentage of {@code inFlight} and {@code connections} that one peer may use
 */
public record RequestLimits(int fields, long body, long readBody, int bodyRate, int inFlight, int connections,
    int peerConnections,
    int peerShare) {
  static final RequestLimits DEFAULT = new RequestLimits(128, 0, ParseBudget.DEFAULT.bytes(), 240, 8192, 16384, 0, 75);

  private static final int HEAD_SLACK = 4096;
  /** Bytes of the heap for each of the requests and connections that the defaults allow. */
  private static final long REQUEST_HEAP = 1 << 16;
  private static final long CONNECTION_HEAP = 48 << 10;
  private static final int MOST = 1_000_000;
  private static final long MOST_READ = 1 << 30;
  private static final Duration FOREVER = Duration.ofDays(365);

  static Decoder<RequestLimits> decoder() {
    Key<Integer> fields = Key.withDefault("header_fields", Decoders.number(1, 10_000), DEFAULT.fields,
        "maximum header lines of a request");
    Key<Long> body = Key.withDefault("body", Decoders.byteSize(), DEFAULT.body,
        "maximum size of the body of a request; 0B for no limit");
    Key<Long> readBody = Key.withDefault("read_body", readable(), DEFAULT.readBody,
        "maximum size of a body that a rule reads");
    Key<Integer> rate = Key.withDefault("body_rate", Decoders.number(0, MOST), DEFAULT.bodyRate,
        "minimum bytes per second of a body; 0 for no limit");
    Key<Integer> inFlight = Key.withDefault("in_flight", Decoders.number(0, MOST), DEFAULT.inFlight,
        "maximum concurrent requests; 0 for no limit");
    Key<Integer> connections = Key.withDefault("connections", Decoders.number(0, MOST), DEFAULT.connections,
        "maximum connections in total; 0 for no limit");
    Key<Integer> peer = Key.withDefault("connections_per_peer", Decoders.number(0, MOST), DEFAULT.peerConnections,
        "maximum connections of one peer, an IPv4 address or a /64 of IPv6; 0 for no limit");
    Key<Integer> share = Key.withDefault("peer_share", Decoders.number(0, 100), DEFAULT.peerShare,
        "percentage of in_flight, of connections and of max_per_host that one peer may use while it is alone; "
            + "0 for no limit");
    return Decoders.object("limits", List.of(fields, body, readBody, rate, inFlight, connections, peer, share),
        p -> new RequestLimits(p.get(fields), p.get(body), p.get(readBody), p.get(rate), p.get(inFlight),
            p.get(connections),
            p.get(peer), p.get(share)));
  }

  /** Returns the decoder of a size that must be limited, as such a body is read into memory. */
  private static Decoder<Long> readable() {
    return Decoders.byteSize().then((bytes, node, problems) -> {
      if (bytes >= 1 && bytes <= MOST_READ) {
        return Optional.of(bytes);
      }
      problems.error(node.at(), node.path(),
          "a body that a rule reads is held in memory, " + "so its size must be limited",
          "1B to 1GB, as `1MB`");
      return Optional.empty();
    });
  }

  /** Returns the budget for bodies that rules read. */
  ParseBudget bodies() {
    return ParseBudget.of(readBody);
  }

  /** Returns the limits of the server: these, and the times and sizes of the listener. */
  ServerLimits with(ListenerSettings.Timeouts times, long headBytes, TrustedProxies proxies) {
    return with(times, headBytes, proxies, Runtime.getRuntime().maxMemory());
  }

  /** @param heap in bytes; where it is small, the defaults are lower, as it must not run out by connections alone */
  ServerLimits with(ListenerSettings.Timeouts times, long headBytes, TrustedProxies proxies, long heap) {
    ServerLimits.Waits defaults = ServerLimits.Waits.DEFAULT;
    Duration read = times.read().isZero() ? defaults.head() : times.read();
    ServerLimits.Waits waits = new ServerLimits.Waits(or(times.handshake(), defaults.handshake()),
        or(times.firstByte(), read),
        times.idle().isZero() ? read : times.idle(), or(times.head(), read), read, bodyRate, times.read(),
        times.write().isZero() ? FOREVER : times.write());
    int head = (int) Math.min(headBytes + HEAD_SLACK, Integer.MAX_VALUE);
    return new ServerLimits(new HeadLimits(head, fields), body == 0 ? Long.MAX_VALUE : body, waits,
        new ServerLimits.Counts(fitting(connections, DEFAULT.connections, heap / CONNECTION_HEAP), peerConnections,
            fitting(inFlight, DEFAULT.inFlight, heap / REQUEST_HEAP), peerShare % 100),
        proxies);
  }

  private static int fitting(int configured, int byDefault, long most) {
    return configured == byDefault ? (int) Math.min(configured, most) : configured;
  }

  private static Duration or(Optional<Duration> time, Duration otherwise) {
    return time.filter(t -> !t.isZero()).orElse(otherwise);
  }
}
