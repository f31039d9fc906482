package portcullis.http.client;

import java.nio.channels.SocketChannel;
import portcullis.http.message.Tunnel;

/**
 * All that is left of a connection that has become a tunnel and whose channel others use: there may be many that say
 * nothing for hours.
 */
final class RelayedConnection implements Occupant, Tunnel.Owner {
  private final Route route;
  private final SocketChannel channel;
  private final Pool pool;

  RelayedConnection(Route route, SocketChannel channel, Pool pool) {
    this.route = route;
    this.channel = channel;
    this.pool = pool;
  }

  @Override
  public Route route() {
    return route;
  }

  @Override
  public void abort() {
    Transport.drop(channel);
  }

  @Override
  public void close() {
    pool.discard(this);
  }
}
