package portcullis.policy.endpoint;

import java.net.http.HttpHeaders;

/** The response of a remote service with its whole body. */
public record EndpointResponse(int status, HttpHeaders headers, byte[] body) {
  public boolean good() {
    return status >= 200 && status < 300;
  }

  /** Returns the content type as it was sent; empty if there was none. */
  public String contentType() {
    return headers.firstValue("Content-Type").orElse("");
  }
}
