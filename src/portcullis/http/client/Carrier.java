package portcullis.http.client;

/** What carries an exchange: a connection of HTTP/1.1 for a while its own, or one of HTTP/2 shared with others. */
sealed interface Carrier permits Connection, Http2Connection {
  Route route();

  /** Takes one place of it; false where it cannot be used any more. */
  boolean wake();

  /** Ends it at once. */
  void abort();
}
