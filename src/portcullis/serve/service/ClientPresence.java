package portcullis.serve.service;

import com.sun.net.httpserver.HttpExchange;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import portcullis.http.message.WireExchange;

/**
 * Whether the client of an exchange is still there, whose thread is interrupted where it leaves while an upstream is
 * waited for, and at no other time: an interrupted write would end the connection to the client, which other requests
 * may share. For the thread that made it.
 */
final class ClientPresence {
  /** Something that waits for an upstream. */
  interface Wait<T> {
    T result() throws IOException, InterruptedException;
  }

  private final Thread thread = Thread.currentThread();
  private boolean waiting;
  private boolean left;

  private ClientPresence() {}

  /** Of that exchange's client, from now on to its end. */
  static ClientPresence of(HttpExchange exchange) {
    ClientPresence presence = new ClientPresence();
    WireExchange.of(exchange).watchClient(presence::leave);
    return presence;
  }

  private synchronized void leave() {
    boolean first = !left;
    left = true;
    if (waiting && first) {
      thread.interrupt();
    }
  }

  synchronized boolean hasLeft() {
    return left;
  }

  /** Waits; an interrupt because the client has left does not outlast it. */
  <T> T during(Wait<T> wait) throws IOException, InterruptedException {
    begin();
    try {
      return wait.result();
    } finally {
      end();
    }
  }

  /** Does something in the middle of a wait that no interrupt shall disturb. */
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

  /** The body of an answer, whose reads are such waits. */
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
