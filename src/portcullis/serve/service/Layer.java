package portcullis.serve.service;

import java.io.IOException;
import java.util.List;

/** An interceptor around the handling of every request. */
interface Layer {
  void handle(Transaction transaction, Handler next) throws IOException;

  /** The innermost handler of requests. */
  interface Handler {
    void handle(Transaction transaction) throws IOException;

    /** Returns whether it decides requests, so that they are in the feed of decisions. */
    default boolean decides() {
      return false;
    }
  }

  /** Wraps the handler in these layers, the first of them outermost. */
  static Handler within(List<Layer> layers, Handler handler) {
    Handler out = handler;
    for (Layer layer : layers.reversed()) {
      Handler next = out;
      out = transaction -> layer.handle(transaction, next);
    }
    return out;
  }
}
