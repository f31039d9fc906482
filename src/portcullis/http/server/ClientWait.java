package portcullis.http.server;

/**
 * Something that waits for its client to send: a connection or a request. May be out of date when it is ended, which
 * then does nothing, or ends what waits by now.
 *
 * @param since when it began to wait, by {@link System#nanoTime}
 * @param slow whether its client has sent less than a body has to keep up, though it goes on sending
 * @param expected whether the wait is part of what was allowed, as in a call of gRPC or a tunnel: ended after the
 *     others
 * @param end ends it as if it were late; does not block
 */
record ClientWait(long since, boolean slow, boolean expected, Runnable end) {}
