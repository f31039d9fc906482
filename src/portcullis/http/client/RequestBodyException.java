package portcullis.http.client;

import java.io.IOException;

/** Thrown if the body of the request cannot be read from its source; the cause has the reason. */
public final class RequestBodyException extends IOException implements ClientException {
  private static final long serialVersionUID = 1;

  RequestBodyException(Throwable cause) {
    super("the request's body broke off", cause);
  }
}
