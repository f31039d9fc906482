package portcullis.serve.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import portcullis.config.Decoder;
import portcullis.config.Decoders;
import portcullis.config.Key;

/**
 * Timeouts of calls to Redis; immutable.
 *
 * @param connection for getting a connection
 * @param answer for a response
 * @param idle after which an unused connection is closed
 */
record RedisTimeouts(Duration connection, Duration answer, Duration idle) {
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final Duration LONGEST_IDLE = Duration.ofDays(1);
  static final RedisTimeouts DEFAULT = new RedisTimeouts(Duration.ofSeconds(1), Duration.ofSeconds(1),
      Duration.ofMinutes(1));

  static Decoder<RedisTimeouts> decoder() {
    String why = "requests wait that long if Redis does not respond";
    Key<Duration> write = Key.withDefault("write", bounded(DEFAULT.connection, LONGEST, why), DEFAULT.connection,
        "for a connection, and for a response unless `read` is set");
    Key<Optional<Duration>> read = Key.optional("read", bounded(DEFAULT.answer, LONGEST, why), "for a response");
    Key<Duration> idle = Key.withDefault("idle", bounded(DEFAULT.idle, LONGEST_IDLE, ""), DEFAULT.idle,
        "after which an unused connection is closed");
    return Decoders.object("times", List.of(write, read, idle),
        p -> new RedisTimeouts(p.get(write), p.get(read).orElse(p.get(write)), p.get(idle)));
  }

  /**
   * Returns the decoder of a limited duration: longer values of heimdall are accepted with a warning; zero means the
   * default there too.
   */
  private static Decoder<Duration> bounded(Duration defaultTime, Duration longest, String why) {
    return Decoders.duration().then((time, node, problems) -> {
      Duration counts = time.isZero() ? defaultTime : time.compareTo(longest) > 0 ? longest : time;
      if (!counts.equals(time)) {
        problems.warning(node.at(), node.path(),
            "counts as " + text(counts) + (time.isZero() ? "" : ", the maximum"), why);
      }
      return Optional.of(counts);
    });
  }

  private static String text(Duration time) {
    return time.compareTo(Duration.ofHours(1)) < 0 ? time.toSeconds() + "s" : time.toHours() + "h";
  }

  /** Returns the limit for all attempts of a call together. */
  Duration longest() {
    return connection.compareTo(answer) > 0 ? connection : answer;
  }

  /** Returns the interval of checks for idle connections. */
  Duration look() {
    Duration half = idle.dividedBy(2);
    return half.compareTo(Duration.ofSeconds(30)) > 0 ? Duration.ofSeconds(30)
        : half.compareTo(Duration.ofMillis(10)) < 0
            ? Duration.ofMillis(10)
            : half;
  }
}
