package portcullis.http.server;

import java.net.InetSocketAddress;
import java.util.Optional;
import portcullis.http.wire.RequestHead;

/**
 * Receives requests that reach no handler, or whose handler fails. Called by connection threads; must not block.
 */
public interface RejectionListener {
  RejectionListener IGNORED = new RejectionListener() {
    @Override
    public void refused(InetSocketAddress peer, Optional<RequestHead> head, int status, String reason) {}

    @Override
    public void failed(InetSocketAddress peer, RequestHead head, Throwable error) {}
  };

  /**
   * A request was answered by the server itself, or a connection was closed that had sent none.
   *
   * @param head of the request if it could be read
   * @param status that was answered, or would have been
   * @param reason with nothing of the request in it
   */
  void refused(InetSocketAddress peer, Optional<RequestHead> head, int status, String reason);

  /**
   * The server could not take connections, or not as fast as they came, and goes on.
   *
   * @param reason as the system gives it
   * @param ended how many connections it has ended that waited for their clients
   */
  default void starved(String reason, int ended) {}

  /** A handler threw something, or returned without having answered: 500 where nothing had been answered. */
  void failed(InetSocketAddress peer, RequestHead head, Throwable error);
}
