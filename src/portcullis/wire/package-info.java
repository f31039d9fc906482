/**
 * How HTTP messages look on a connection, for either side of it: heads, field sections, bodies and their framing of
 * HTTP/1.1 (RFC 9112). Strict: what two readers could read differently is {@link portcullis.wire.Malformed}.
 */
package portcullis.wire;
