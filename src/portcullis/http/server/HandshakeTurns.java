package portcullis.http.server;

import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Semaphore;
import portcullis.lang.address.Network;

/**
 * Lets a few TLS handshakes compute at once, and others wait: one of each peer in turn. A handshake computes a hundred
 * times as long as a thread usually does before it waits for something, and without a bound all of a flood would do so
 * between any two steps of a request. For any threads; a turn is for the thread that begins it.
 */
final class HandshakeTurns {
  private final Map<Network, Queue<Semaphore>> waiting = new LinkedHashMap<>();
  private int free;

  /** @param atOnce how many may compute at once */
  HandshakeTurns(int atOnce) {
    this.free = atOnce;
  }

  /** Waits for a turn. It comes: none is held while its client is waited for. */
  Turn begin(Network peer) {
    Turn turn = new Turn(peer);
    turn.resume();
    return turn;
  }

  /** The turn of one handshake, to be paused while it waits for its client. */
  final class Turn implements AutoCloseable {
    private final Network peer;

    private Turn(Network peer) {
      this.peer = peer;
    }

    void pause() {
      end();
    }

    void resume() {
      Semaphore begins = new Semaphore(0);
      if (!takes(peer, begins)) {
        begins.acquireUninterruptibly();
      }
    }

    @Override
    public void close() {
      end();
    }
  }

  private synchronized boolean takes(Network peer, Semaphore otherwise) {
    boolean takes = free > 0;
    if (takes) {
      free--;
    } else {
      waiting.computeIfAbsent(peer, _ -> new ArrayDeque<>(1)).add(otherwise);
    }
    return takes;
  }

  private synchronized void end() {
    Iterator<Map.Entry<Network, Queue<Semaphore>>> peers = waiting.entrySet().iterator();
    if (!peers.hasNext()) {
      free++;
      return;
    }
    Map.Entry<Network, Queue<Semaphore>> first = peers.next();
    Network peer = first.getKey();
    Queue<Semaphore> own = first.getValue();
    peers.remove();
    own.remove().release();
    if (!own.isEmpty()) {
      waiting.put(peer, own); // behind the other peers
    }
  }

  /** Returns how many wait. */
  synchronized int waiting() {
    return waiting.values().stream().mapToInt(Queue::size).sum();
  }
}
