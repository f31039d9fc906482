package portcullis.serve.redis;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import redis.clients.jedis.BinaryJedisPubSub;
import redis.clients.jedis.Connection;
import redis.clients.jedis.exceptions.JedisException;
import redis.clients.jedis.providers.ConnectionProvider;

/** The subscription of a channel by a connection of its own; for one use. Thread safe. */
final class JedisSubscription extends BinaryJedisPubSub {
  /** The time without any message, nor an answer to {@link #check}, after which the connection counts as lost. */
  private static final Duration SILENCE = Duration.ofSeconds(5);

  private final Runnable begin;
  private final Runnable last;
  private final Consumer<byte[]> messages;
  private Optional<Connection> connection = Optional.empty();
  private boolean ended;

  /** @param last is called for each answer to {@link #check} */
  JedisSubscription(Runnable begin, Runnable last, Consumer<byte[]> messages) {
    this.begin = begin;
    this.last = last;
    this.messages = messages;
  }

  /** Receives messages until the connection is lost, or the subscription ends. */
  void run(JedisConnections connections, byte[] channel) {
    ConnectionProvider provider = connections.provider();
    try {
      Connection own = provider.getConnection();
      try {
        keep(own);
        proceed(own, channel);
      } finally {
        own.setBroken(); // a connection with a subscription is of no other use
        own.close();
      }
    } finally {
      close(provider);
    }
  }

  private static void close(ConnectionProvider provider) {
    try {
      provider.close();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } catch (Exception _) {
      // it is of no use any more
    }
  }

  private synchronized void keep(Connection own) {
    if (ended) {
      throw new JedisException("closed");
    }
    connection = Optional.of(own);
  }

  @Override
  public void onSubscribe(byte[] channel, int channels) {
    connection.orElseThrow().setSoTimeout((int) SILENCE.toMillis());
    begin.run();
  }

  @Override
  public void onMessage(byte[] channel, byte[] message) {
    messages.accept(message);
  }

  @Override
  public void onPong(byte[] pattern) {
    last.run();
  }

  /** Sends a ping, whose answer shows that the connection is alive. */
  void check() {
    try {
      if (isSubscribed()) {
        ping();
      }
    } catch (JedisException _) {
      // the thread that reads notices it too
    }
  }

  /** Ends it at once. */
  synchronized void end() {
    ended = true;
    connection.ifPresent(own -> {
      try {
        own.forceDisconnect();
      } catch (IOException | JedisException _) {
        // it is of no use any more
      }
    });
  }
}
