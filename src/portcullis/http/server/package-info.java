/**
 * Our HTTP server behind {@link com.sun.net.httpserver}: strict about messages (RFC 9112), with a deadline for every
 * wait and a virtual thread for each connection. Callers create a {@link portcullis.http.server.WireServer}. The
 * exchange, context and parameter classes inherit from the API's abstract classes because it demands that.
 */
package portcullis.http.server;
