/**
 * How HTTP/1.1 looks on a connection, for either side of it (RFC 9112): heads, field sections, bodies and their
 * framing; buffers and deadlines of a connection of any version. Strict: what two readers could read differently is
 * {@link portcullis.http.wire.MalformedMessageException}.
 */
package portcullis.http.wire;
