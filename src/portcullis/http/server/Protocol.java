package portcullis.http.server;

/** A protocol of a server. HTTP/2 needs prior knowledge on clear text and ALPN in TLS (RFC 9113, 3). */
public enum Protocol {
  HTTP_1_1, HTTP_2
}
