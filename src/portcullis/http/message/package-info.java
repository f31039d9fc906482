/**
 * HTTP messages apart from how they travel: fields, targets, authorities, forwarding, and the request that is decided
 * (RFC 9110). A request comes in as {@link portcullis.http.message.Arrival}, is given its meaning by
 * {@link portcullis.http.message.Forwarding}, is decided as {@link portcullis.http.message.Request} and answered by
 * {@link portcullis.http.message.Reply}.
 */
package portcullis.http.message;
