package portcullis.client;

import java.io.InputStream;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscribers;

/** How an answer's body is taken. */
public final class Bodies {
  private static final BodyHandler<InputStream> STREAM = _ -> BodySubscribers.ofInputStream();

  private Bodies() {}

  /**
   * As a stream that reads the connection itself: without limit, without reading ahead. {@link InputStream#available} says
   * what can be had without waiting. Whoever gets it closes it; the connection is used again where it was read to its
   * end. With another client it is as {@link java.net.http.HttpResponse.BodyHandlers#ofInputStream}, which our client takes the same way.
   */
  public static BodyHandler<InputStream> stream() {
    return STREAM;
  }
}
