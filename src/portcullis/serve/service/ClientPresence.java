package portcullis.serve.service;

import com.sun.net.httpserver.HttpExchange;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import portcullis.http.message.WireExchange;

/**
 * Watches whether the client of an exchange has closed its connection. The thread is interrupted only while it waits
 * for an upstream: an interrupted write would close the connection to the client, which other requests may share. For
 * the thread that created it.
 */
final class ClientPresence {
  /** An operation that waits for an upstream. */
  interface Wait<T> {
    T result() throws IOException, InterruptedException;
  }

  private final Thread thread = Thread.currentThread();
  private boolean waiting;
  private boolean left;

  /** Watches the client of an exchange until the exchange ends. */
  static ClientPresence of(HttpExchange exchange) {
    ClientPresence presence = new ClientPresence();
    WireExchange.of(exchange).watchClient(presence::leave);
    return presence;
  }

  /** Records that the client has left, or is treated as if it had. */
  synchronized void leave() {
    left = true;
    if (waiting) {
      thread.interrupt();
    }
  }

  synchronized boolean hasLeft() {
    return left;
  }

  /** Runs an operation, and clears an interrupt that was caused by the client leaving. */
  <T> T during(Wait<T> wait) throws IOException, InterruptedException {
    begin();
    try {
      return wait.result();
    } finally {
      end();
    }
  }

  /** Runs an action within a wait without being interrupted. */
  void aside(Runnable action) {
    end();
    try {
      action.run();
    } finally {
      begin();
    }
  }

  private synchronized void begin() {
    waiting = true;
    if (left) {
      thread.interrupt();
    }
  }

  private synchronized void end() {
    waiting = false;
    if (left) {
      Thread.interrupted();
    }
  }

  /** Wraps the body of a response so that each read is such a wait. */
  InputStream body(InputStream in) {
    return new FilterInputStream(in) {
      @Override
      public int read(byte[] into, int offset, int length) throws IOException {
        begin();
        try {
          return super.read(into, offset, length);
        } finally {
          end();
        }
      }
    };
  }
}
