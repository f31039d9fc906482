/**
 * What gRPC lays over HTTP/2 (gRPC over HTTP/2, the protocol's own document): calls of one message each way, their
 * status, and the encoding of protocol buffers as far as messages on the wire need it. Who serves calls stands above.
 */
package portcullis.http.grpc;
