package portcullis.policy.endpoint;

import java.net.http.HttpHeaders;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import portcullis.policy.cache.CacheCodec;

/**
 * A stored response with its freshness (RFC 9111, 3).
 *
 * @param born when its age was zero
 * @param left how long it could be used when it was received
 */
record StoredResponse(EndpointResponse reply, boolean storable, Instant born, Duration left) {
  /** Fields that a 304 does not update, as they belong to the content (RFC 9111, 3.2). */
  private static final Set<String> OF_CONTENT = Set.of("content-encoding", "content-length", "content-range",
      "transfer-encoding", "connection");
  private static final Set<String> OF_TIME = Set.of("age", "date");
  private static final int HEAD = 1 + 2 * Long.BYTES;

  static final CacheCodec<StoredResponse> FORM = new CacheCodec<>() {
    @Override
    public byte[] write(StoredResponse answer) {
      return answer.bytes();
    }

    @Override
    public Optional<StoredResponse> read(byte[] bytes) {
      return StoredResponse.of(bytes);
    }
  };

  static StoredResponse of(EndpointResponse reply, Freshness freshness, Instant answered) {
    return new StoredResponse(reply, freshness.storable(), answered.minus(freshness.age()), freshness.left());
  }

  private byte[] bytes() {
    byte[] text = ResponseCodec.FORM.write(reply);
    return ByteBuffer.allocate(HEAD + text.length).put((byte) (storable ? 1 : 0)).putLong(born.toEpochMilli())
        .putLong(left.toMillis())
        .put(text).array();
  }

  private static Optional<StoredResponse> of(byte[] bytes) {
    if (bytes.length < HEAD) {
      return Optional.empty();
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    boolean storable = in.get() == 1;
    Instant born = Instant.ofEpochMilli(in.getLong());
    Duration left = Duration.ofMillis(in.getLong());
    byte[] text = new byte[in.remaining()];
    in.get(text);
    return ResponseCodec.FORM.read(text).map(reply -> new StoredResponse(reply, storable, born, left));
  }

  /** Returns the response with its current age. */
  EndpointResponse at(Instant now) {
    long age = Math.max(Duration.between(born, now).toSeconds(), 0);
    return with(Map.of("Age", List.of(Long.toString(age))), Set.of());
  }

  /** Returns a copy with the updated header fields of a 304. */
  EndpointResponse updated(HttpHeaders newer) {
    Map<String, List<String>> changed = new LinkedHashMap<>(newer.map());
    changed.keySet().removeIf(name -> OF_CONTENT.contains(name.toLowerCase(Locale.ROOT)));
    return with(changed, OF_TIME);
  }

  private EndpointResponse with(Map<String, List<String>> fields, Set<String> without) {
    Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(reply.headers().map());
    all.keySet().removeIf(name -> without.contains(name.toLowerCase(Locale.ROOT)));
    all.putAll(fields);
    return new EndpointResponse(reply.status(), HttpHeaders.of(all, (_, _) -> true), reply.body());
  }
}
