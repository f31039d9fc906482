package portcullis.http.server;

/** What a server speaks. On clear text HTTP/2 is for who knows beforehand, in TLS for who asks for it (RFC 9113, 3). */
public enum Protocol {
  HTTP_1_1, HTTP_2
}
