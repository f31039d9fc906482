package portcullis.policy.endpoint;

import java.net.http.HttpHeaders;

/** What a remote party answered, read to its end. */
public record Reply(int status, HttpHeaders headers, byte[] body) {
  public boolean good() {
    return status >= 200 && status < 300;
  }

  /** The media type as it was sent; empty where there was none. */
  public String contentType() {
    return headers.firstValue("Content-Type").orElse("");
  }
}
