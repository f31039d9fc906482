package portcullis.http.client;

/**
 * The connection of an exchange: one of HTTP/1.1, which it has to itself for a while, or one of HTTP/2, which it
 * shares.
 */
sealed interface Carrier extends Occupant permits Connection, Http2Connection {
  /** Takes one place of it; false where it cannot be used any more. */
  boolean wake();
}
