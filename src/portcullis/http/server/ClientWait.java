package portcullis.http.server;

/**
 * Something that waits for its client to send: a connection or a request. May be out of date when it is ended, which
 * then does nothing, or ends what waits by now.
 *
 * @param since when it began to wait, by {@link System#nanoTime}
 * @param expected whether the wait is part of what was allowed, as in a call of gRPC: ended after the others
 * @param end ends it as if it were late; does not block
 */
record ClientWait(long since, boolean expected, Runnable end) {}
