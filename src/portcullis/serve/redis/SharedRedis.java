package portcullis.serve.redis;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.ToIntFunction;
import portcullis.policy.cache.CacheKey;
import redis.clients.jedis.AbstractPipeline;
import redis.clients.jedis.Protocol;
import redis.clients.jedis.Response;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.params.ScanParams;
import redis.clients.jedis.params.SetParams;
import redis.clients.jedis.resps.ScanResult;
import redis.clients.jedis.resps.Tuple;

/**
 * Sets of small entries in Redis that several instances share, and messages about their changes. An entry is a key of
 * its own, which may end by itself; a sorted set has the ids of all, each with the version of its entry. Whatever is
 * read may have been written by others: ids have a fixed length, which Redis itself selects by, values are read up to a
 * limit, and opened only if they were sealed with the same secret. Thread safe.
 */
public final class SharedRedis implements AutoCloseable {
  /** The number of characters of an id. */
  public static final int ID_LENGTH = 16;
  /** The maximum size of a value. */
  public static final int MOST_BYTES = 32 << 10;
  /** The maximum number of ids that are read. */
  static final int MOST_IDS = 200_000;

  private static final int AT_ONCE = 500;
  /** The size of a batch of commands, unless a single one is larger; less than what the system takes at once. */
  private static final int BATCH_BYTES = 32 << 10;
  /** The size of the commands for an entry, without its value. */
  private static final int COMMANDS_BYTES = 256;
  private static final int PAGE = 1000;
  private static final int MOST_PAGES = 1000;
  private static final int LONGEST_REVISION = 36;
  private static final int LONGEST_REASON = 200;
  private static final byte[] ANY_ID = "?".repeat(ID_LENGTH).getBytes(StandardCharsets.US_ASCII);

  private final JedisConnections connections;
  private final Seal seal;
  private Optional<UnifiedJedis> client = Optional.empty();
  private Optional<JedisSubscription> subscription = Optional.empty();
  private boolean closed;

  SharedRedis(JedisConnections connections, Seal seal) {
    this.connections = connections;
    this.seal = seal;
  }

  /** Thrown when Redis cannot be used; the message holds no password. */
  public static final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1;

    private final String reason;

    UnavailableException(String place, String reason) {
      super((place + ": " + reason).substring(0, Math.min(LONGEST_REASON, place.length() + 2 + reason.length())), null,
          false, false);
      this.reason = reason;
    }

    /** Returns whether Redis answers, but does not permit, or does not know, this command. */
    public boolean isForbidden() {
      return JedisConnections.forbids(reason) || reason.startsWith("ERR unknown command");
    }

    /** Returns whether Redis answers, but takes no writes. */
    public boolean isReadOnly() {
      return JedisConnections.takesNoWrites(reason);
    }
  }

  /**
   * An entry to be written.
   *
   * @param time after which it ends by itself; empty for none
   */
  public record Entry(String id, long version, byte[] value, Optional<Duration> time) {}

  /** What was read of an entry. */
  public sealed interface Found {}

  /** There is none. */
  public record Missing() implements Found {}

  /** It is too large, or was not sealed with the same secret. */
  public record Foreign() implements Found {}

  /** It has this value. */
  public record Whole(byte[] value) implements Found {}

  /** Is called by the thread that listens. */
  public interface Listener {
    /** Messages arrive from now on. */
    void begins();

    /** The connection is alive some time later. */
    void lasts();

    /** An entry has changed. */
    void changed(String id, Found found);
  }

  private <T> T call(JedisConnections.Call<T> operation) throws UnavailableException {
    try {
      return JedisConnections.called(opened(), operation);
    } catch (JedisException | IllegalStateException e) {
      throw failure(e);
    }
  }

  private synchronized UnifiedJedis opened() {
    if (closed) {
      throw new IllegalStateException("closed");
    }
    if (client.isEmpty()) {
      client = Optional.of(connections.client());
    }
    return client.get();
  }

  private UnavailableException failure(RuntimeException e) {
    return unavailable(
        e instanceof JedisException jedis ? connections.reason(jedis) : String.valueOf(e.getMessage()));
  }

  private UnavailableException unavailable(String reason) {
    return new UnavailableException(connections.settings().place().shown(), reason);
  }

  /**
   * Returns the ids of a set with the versions of their entries.
   *
   * @throws UnavailableException if there are too many, too
   */
  public Map<String, Long> ids(String set) throws UnavailableException {
    byte[] key = bytes(set + ":index");
    ScanParams pages = new ScanParams().match(ANY_ID).count(PAGE);
    Map<String, Long> out = new HashMap<>();
    byte[] cursor = ScanParams.SCAN_POINTER_START_BINARY;
    for (int page = 0; page < MOST_PAGES && out.size() <= MOST_IDS; page++) {
      byte[] from = cursor;
      ScanResult<Tuple> found = call(jedis -> jedis.zscan(key, from, pages));
      found.getResult().forEach(one -> out.put(text(one.getBinaryElement()), (long) one.getScore()));
      if (found.isCompleteIteration()) {
        return out;
      }
      cursor = found.getCursorAsBytes();
    }
    throw unavailable("there are too many members in " + text(key));
  }

  /** Returns what there is of these entries. */
  public Map<String, Found> read(String set, List<String> ids) throws UnavailableException {
    Map<String, Found> out = new LinkedHashMap<>();
    for (int from = 0; from < ids.size(); from += AT_ONCE) {
      List<String> some = ids.subList(from, Math.min(ids.size(), from + AT_ONCE));
      call(jedis -> {
        Map<String, Response<byte[]>> responses = new LinkedHashMap<>();
        try (AbstractPipeline pipeline = jedis.pipelined()) {
          // one byte more shows that a value was cut
          some.forEach(id -> responses.put(id,
              pipeline.getrange(bytes(set + ":" + id), 0, MOST_BYTES + Seal.OVERHEAD)));
          pipeline.sync();
        }
        responses.forEach((id, response) -> out.put(id, found(set, id, response.get())));
        return some;
      });
    }
    return out;
  }

  private Found found(String set, String id, byte[] value) {
    if (value.length == 0) {
      return new Missing();
    }
    return value.length > MOST_BYTES + Seal.OVERHEAD ? new Foreign()
        : seal.opened(CacheKey.of("shared", set, id), value).map(bytes -> (Found) new Whole(bytes))
            .orElseGet(Foreign::new);
  }

  /** Writes entries, and changes the revision of the set. */
  public void write(String set, List<Entry> entries) throws UnavailableException {
    inBatches(entries, entry -> entry.value.length, (pipeline, entry) -> {
      byte[] value = seal.closed(CacheKey.of("shared", set, entry.id), entry.value);
      SetParams time = new SetParams();
      entry.time.ifPresent(left -> time.px(Math.max(1, left.toMillis())));
      // the id after the value, so that each has one; before the revision, so that who knows it has read this
      return List.of(pipeline.set(bytes(set + ":" + entry.id), value, time),
          pipeline.zadd(bytes(set + ":index"), entry.version, ascii(entry.id)));
    });
    byte[] revision = ascii(UUID.randomUUID().toString());
    call(jedis -> jedis.set(bytes(set + ":revision"), revision));
  }

  /** Removes entries. */
  public void remove(String set, List<String> ids) throws UnavailableException {
    inBatches(ids, String::length, (pipeline, id) -> List.of(pipeline.zrem(bytes(set + ":index"), ascii(id)),
        pipeline.del(bytes(set + ":" + id))));
  }

  /** Removes the ids of entries that have ended. */
  public void forget(String set, List<String> ids) throws UnavailableException {
    inBatches(ids, String::length, (pipeline, id) -> List.of(pipeline.zrem(bytes(set + ":index"), ascii(id))));
  }

  private interface Commands<T> {
    List<Response<?>> send(AbstractPipeline pipeline, T item);
  }

  /**
   * Sends commands for each item, so many at a time that the system takes them whether Redis reads or not: there is a
   * timeout for reads, but none for writes.
   */
  private <T> void inBatches(List<T> items, ToIntFunction<T> size, Commands<T> commands) throws UnavailableException {
    int from = 0;
    while (from < items.size()) {
      int to = from;
      int bytes = 0;
      do {
        bytes += COMMANDS_BYTES + size.applyAsInt(items.get(to++));
      } while (to < items.size() && bytes + COMMANDS_BYTES + size.applyAsInt(items.get(to)) <= BATCH_BYTES);
      List<T> some = items.subList(from, to);
      call(jedis -> {
        List<Response<?>> responses = new ArrayList<>();
        try (AbstractPipeline pipeline = jedis.pipelined()) {
          some.forEach(item -> responses.addAll(commands.send(pipeline, item)));
          pipeline.sync();
        }
        responses.forEach(Response::get); // an error throws
        return responses;
      });
      from = to;
    }
  }

  /** Returns the revision of a set, which is another one after each {@link #write}. */
  public String revision(String set) throws UnavailableException {
    return text(call(jedis -> jedis.getrange(bytes(set + ":revision"), 0, LONGEST_REVISION)));
  }

  /** Returns the time of the clock of Redis. */
  @SuppressWarnings("deprecation") // what replaces it cannot select a node of a cluster
  public Instant time() throws UnavailableException {
    Object answer = call(jedis -> jedis.sendCommand(bytes("time"), Protocol.Command.TIME));
    try {
      if (answer instanceof List<?> all && all.size() == 2 && all.getFirst() instanceof byte[] seconds
          && all.getLast() instanceof byte[] micros) {
        return Instant.ofEpochSecond(Long.parseLong(text(seconds)))
            .plus(Long.parseLong(text(micros)), ChronoUnit.MICROS);
      }
    } catch (NumberFormatException | DateTimeException | ArithmeticException _) {
      // it is not a time
    }
    throw unavailable("TIME returned what it does not return");
  }

  /** Sends all listeners a changed entry. */
  public void announce(String set, Entry entry) throws UnavailableException {
    byte[] value = seal.closed(CacheKey.of("shared", set, entry.id), entry.value);
    byte[] message = new byte[ID_LENGTH + value.length];
    System.arraycopy(ascii(entry.id), 0, message, 0, ID_LENGTH);
    System.arraycopy(value, 0, message, ID_LENGTH, value.length);
    call(jedis -> jedis.publish(channel(set), message));
  }

  /** Calls the listener for changed entries until the connection is lost, or this is closed. */
  public void listen(String set, Listener listener) throws UnavailableException {
    JedisSubscription own = new JedisSubscription(listener::begins, listener::lasts, message -> {
      boolean hasId = message.length > ID_LENGTH && message.length <= ID_LENGTH + MOST_BYTES + Seal.OVERHEAD;
      String id = hasId ? text(message).substring(0, ID_LENGTH) : "";
      listener.changed(id, hasId ? found(set, id, Arrays.copyOfRange(message, ID_LENGTH, message.length))
          : new Foreign());
    });
    try {
      open(own);
      own.run(connections, channel(set));
    } catch (JedisException | IllegalStateException e) {
      throw failure(e);
    } finally {
      own.end();
    }
  }

  private synchronized void open(JedisSubscription own) {
    if (closed) {
      throw new IllegalStateException("closed");
    }
    subscription = Optional.of(own);
  }

  /** Checks that the connection of the listener is alive; one that is not ends some seconds later. */
  public void check() {
    Optional<JedisSubscription> own;
    synchronized (this) {
      own = subscription;
    }
    own.ifPresent(JedisSubscription::check);
  }

  /** Returns a key; all are in one slot of a cluster. */
  private static byte[] bytes(String name) {
    return ascii(RedisCache.PREFIX + "{fleet}:" + name);
  }

  /** Returns the channel of a set, which databases do not separate. */
  private byte[] channel(String set) {
    return bytes(set + ":changes:" + connections.settings().place().database());
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Override
  public synchronized void close() {
    closed = true;
    subscription.ifPresent(JedisSubscription::end);
    client.ifPresent(UnifiedJedis::close);
  }
}
