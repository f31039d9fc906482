/**
 * Our own client for HTTP/1.1 (RFC 9110, 9112) behind {@link java.net.http.HttpClient}: strict in what it takes for an
 * answer, blocking, byte-exact for a {@link portcullis.http.message.WireRequest}. A request takes a connection of the
 * {@code Pool} or a new one of the {@code Dialer}; {@code Connection} carries one exchange after the other;
 * {@code DeadlineTimer} ends what waits too long.
 *
 * <p>Forced by the JDK's API: futures in the signatures of {@code WireClient}, subscriptions in {@code PulledBody} and
 * {@code PublishedBody}.
 */
package portcullis.http.client;
