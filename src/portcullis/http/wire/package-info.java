/**
 * How HTTP looks on a connection, for either side of it: heads, field sections, bodies and their framing of HTTP/1.1
 * (RFC 9112), frames, header compression and flow control of HTTP/2 (RFC 9113, RFC 7541). Strict: what two readers
 * could read differently is {@link portcullis.http.wire.Malformed}, what breaks the rules of frames
 * {@link portcullis.http.wire.Http2Fault}.
 */
package portcullis.http.wire;
