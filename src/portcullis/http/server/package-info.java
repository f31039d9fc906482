/**
 * Our HTTP server behind {@link com.sun.net.httpserver}: strict about what it takes (RFC 9112), an end to every wait, a
 * virtual thread for each connection. {@link portcullis.http.server.WireServer} is made by hand;
 * {@link portcullis.http.server.WireServerProvider} offers it as the API wants it, and is what would be named in a
 * service file. The exchange, context and parameter classes inherit from the API's abstract classes because it demands
 * that.
 */
package portcullis.http.server;
