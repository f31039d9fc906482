package portcullis.http.client;

import java.io.IOException;

/** The body of the request could not be read from its source, for the reason that the cause gives. */
public final class RequestBodyException extends IOException implements ClientException {
  private static final long serialVersionUID = 1;

  RequestBodyException(Throwable cause) {
    super("the request's body broke off", cause);
  }
}
