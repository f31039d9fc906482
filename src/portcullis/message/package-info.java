/**
 * HTTP messages apart from how they travel: fields, targets, authorities, forwarding, and the request that is judged
 * (RFC 9110). A request comes in as {@link portcullis.message.Arrival}, is given its meaning by
 * {@link portcullis.message.Forwarding}, is judged as {@link portcullis.message.Request} and answered by
 * {@link portcullis.message.Reply}.
 */
package portcullis.message;
