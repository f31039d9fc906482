package portcullis.http.h2;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import portcullis.http.message.Field;

/**
 * The table of fields that a peer's header blocks refer to: the static one, and behind it what it added (RFC 7541,
 * 2.3).
 */
final class HpackTable {
  /** RFC 7541, appendix A, from 1 on. */
  private static final List<Field> STATIC = fields("""
      :authority
      :method: GET
      :method: POST
      :path: /
      :path: /index.html
      :scheme: http
      :scheme: https
      :status: 200
      :status: 204
      :status: 206
      :status: 304
      :status: 400
      :status: 404
      :status: 500
      accept-charset
      accept-encoding: gzip, deflate
      accept-language
      accept-ranges
      accept
      access-control-allow-origin
      age
      allow
      authorization
      cache-control
      content-disposition
      content-encoding
      content-language
      content-length
      content-location
      content-range
      content-type
      cookie
      date
      etag
      expect
      expires
      from
      host
      if-match
      if-modified-since
      if-none-match
      if-range
      if-unmodified-since
      last-modified
      link
      location
      max-forwards
      proxy-authenticate
      proxy-authorization
      range
      referer
      refresh
      retry-after
      server
      set-cookie
      strict-transport-security
      transfer-encoding
      user-agent
      vary
      via
      www-authenticate
      """);
  private static final Map<String, Integer> BY_NAME = new HashMap<>();
  private static final Map<Field, Integer> BY_FIELD = new HashMap<>();

  static {
    IntStream.range(0, STATIC.size()).forEach(i -> {
      BY_NAME.putIfAbsent(STATIC.get(i).name(), i + 1);
      BY_FIELD.put(STATIC.get(i), i + 1);
    });
  }

  private Field[] ring = new Field[16];
  private int first;
  private int count;
  private int size;
  private int capacity;

  HpackTable(int capacity) {
    this.capacity = capacity;
  }

  private static List<Field> fields(String lines) {
    return lines.lines().map(line -> {
      int colon = line.indexOf(": ");
      return colon < 0 ? new Field(line, "") : new Field(line.substring(0, colon), line.substring(colon + 2));
    }).toList();
  }

  /** Returns the place of a field in the static table, 0 for none. */
  static int place(String name, String value) {
    return BY_FIELD.getOrDefault(new Field(name, value), 0);
  }

  /** Returns the first place of a field with that name in the static table, 0 for none. */
  static int place(String name) {
    return BY_NAME.getOrDefault(name, 0);
  }

  Field get(int place) throws Http2Exception {
    int added = place - STATIC.size() - 1;
    if (place < 1 || added >= count) {
      throw Http2Exception.connection(Http2Error.COMPRESSION_ERROR, "an index beyond the end of the table");
    }
    return added < 0 ? STATIC.get(place - 1) : ring[first + added & ring.length - 1];
  }

  /** Adds one in front of those added before, of which the oldest leave where the room is too small (RFC 7541, 4.4). */
  void add(Field field) {
    int bytes = bytes(field);
    evict(capacity - bytes);
    if (bytes > capacity) {
      return;
    }
    if (count == ring.length) {
      grow();
    }
    first = first - 1 & ring.length - 1;
    ring[first] = field;
    count++;
    size += bytes;
  }

  void capacity(int bytes) {
    capacity = bytes;
    evict(bytes);
  }

  private void evict(int room) {
    while (count > 0 && size > room) {
      int last = first + --count & ring.length - 1;
      size -= bytes(ring[last]);
      ring[last] = null;
    }
  }

  private void grow() {
    Field[] next = new Field[ring.length * 2];
    for (int i = 0; i < count; i++) {
      next[i] = ring[first + i & ring.length - 1];
    }
    ring = next;
    first = 0;
  }

  /** Returns what a field counts in tables and lists (RFC 7541, 4.1). */
  static int bytes(Field field) {
    return field.name().length() + field.value().length() + 32;
  }
}
