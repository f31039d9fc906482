/**
 * HTTP/2 for either side of a connection (RFC 9113, RFC 7541): frames, header compression, header blocks, streams and
 * flow control. What breaks its rules is an {@link portcullis.http.h2.Http2Exception}. Server and client add what
 * differs: who opens streams, and what a header block makes.
 */
package portcullis.http.h2;
